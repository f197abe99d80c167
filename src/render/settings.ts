// The settings of a render, once: their shapes, defaults and meaning. The JSON Schema for editors follows this.
import * as v from "valibot";
import { Labels, Settings } from "../settings/index.ts";

const texts = v.optional(v.array(v.string()), []);

/** `{exact: [ingress, dns], regex: ["^app-"]}` */
const Matchers = v.strictObject({
  exact: v.pipe(texts, v.description("Names of folders.")),
  regex: v.pipe(
    texts,
    v.description(
      "Regular expressions in RE2's syntax. They match anywhere in a name unless they are anchored.",
    ),
  ),
});

/**
 * Folders that are instances:
 *
 *     scope:
 *       variable: app
 *       directories: [default/apps, "stages/<< stage >>/apps"]
 *       includes: {regex: ["."]}
 *       excludes: {exact: [legacy]}
 */
const Scope = v.pipe(
  v.strictObject({
    variable: v.pipe(v.string(), v.description("The variable that takes the name of each folder in scope.")),
    directories: v.pipe(
      v.union(
        [v.string(), v.pipe(v.array(v.string()), v.minLength(1, "expected a path or a list of paths"))],
        "expected a path or a list of paths",
      ),
      v.description("Paths of the folders, relative to `directory`; they may hold `<< variable >>`."),
    ),
    includes: v.pipe(
      Matchers,
      v.check(
        ({ exact, regex }) => exact.length + regex.length > 0,
        "expected `exact` or `regex`: without includes nothing is in scope",
      ),
    ),
    excludes: v.optional(Matchers, {}),
  }),
  v.description("Which folders are instances: those that an include matches and no exclude."),
);

/** What konfigure-operator takes: with the length of a DNS label. */
const affix = v.pipe(
  v.string(),
  v.regex(/^[a-z0-9](?:[-a-z0-9]{0,62}[a-z0-9])?$/, "expected lower-case letters, digits and `-`"),
);

/** `{prefix: gauss, suffix: values}` makes `gauss-ingress-values` of the instance `ingress`. */
const Naming = v.strictObject({
  prefix: v.optional(affix),
  suffix: v.optional(affix),
  useSeparator: v.optional(v.boolean(), true),
});

const dataKey = v.pipe(
  v.string(),
  v.regex(/^[-._a-zA-Z0-9]{1,253}$/, "expected a data key: letters, digits, `-`, `_` and `.`"),
);

/**
 * Where the objects are, and what they look like:
 *
 *     destination:
 *       namespace: giantswarm
 *       naming: {suffix: gauss}
 *       keys: {configMap: values.yaml, secret: values.yaml}
 *       labels: {app.kubernetes.io/managed-by: valuefold}
 *       annotations: {valuefold.dev/into: "App/{name}"}
 */
const Destination = v.strictObject({
  namespace: v.optional(v.string()),
  naming: v.optional(Naming, {}),
  keys: v.optional(
    v.strictObject({
      configMap: v.optional(dataKey, "configmap-values.yaml"),
      secret: v.optional(dataKey, "secret-values.yaml"),
    }),
    {},
  ),
  labels: v.optional(Labels, {}),
  annotations: v.pipe(
    v.optional(Labels, {}),
    v.description(
      "Of every object; `{name}` is replaced by the instance's name: `valuefold.dev/into: App/{name}`.",
    ),
  ),
});

const byName = v.custom<{ readonly [name: string]: unknown }>(
  isMapping,
  "expected a mapping of names to variables",
);

function isMapping(input: unknown): boolean {
  return typeof input === "object" && input !== null && !Array.isArray(input);
}

/**
 * The `spec` of a ValueFoldRender. A broken one is a fault `invalid-setting` or `unknown-setting`.
 *
 *     spec:
 *       directory: ../layers
 *       schema: schema.yaml
 *       variables: {installation: gauss, stage: prod}
 *       scope: {variable: app, directories: default/apps, includes: {regex: ["."]}}
 *       instances: {ingress-internal: {app: ingress}}
 *       destination: {namespace: giantswarm}
 *       sops: {}
 */
export const RenderSpec = v.strictObject({
  directory: v.optional(
    v.pipe(
      v.string(),
      v.minLength(1, "expected a path"),
      v.description(
        "The directory of layers, seen from the kustomization or the file that holds this. Nothing leads out of it.",
      ),
    ),
  ),
  schema: v.pipe(
    v.union([v.string(), v.custom<object>(isMapping)], "expected a path in `directory`, or a schema"),
    v.description("konfigure's schema: a file in `directory`, or the schema itself."),
  ),
  variables: v.optional(Labels, {}),
  scope: v.optional(Scope),
  instances: v.optional(
    v.pipe(byName, v.description("Instances by name, each with its variables: several of one app, say.")),
    {},
  ),
  destination: v.optional(Destination, {}),
  sops: Settings.entries.sops,
});

export type RenderSpec = v.InferOutput<typeof RenderSpec>;

/** `variables: [{name: app, value: ingress}]` → the same by name. */
const Pairs = v.pipe(
  v.optional(
    v.strictObject({
      variables: v.optional(v.array(v.strictObject({ name: v.string(), value: v.string() })), []),
    }),
    {},
  ),
  v.transform(({ variables }) => Object.fromEntries(variables.map(({ name, value }) => [name, value]))),
);

/** Fields that only a cluster needs are ignored. */
const ofTheCluster = { sources: v.optional(v.unknown()), reconciliation: v.optional(v.unknown()) };
const operatorDestination = v.strictObject({ namespace: v.string(), naming: v.optional(Naming, {}) });

/**
 * konfigure-operator's own kinds, read as they are.
 *
 *     spec:
 *       targets:
 *         schema: {reference: {name: stages, namespace: giantswarm}}
 *         defaults: {variables: [{name: stage, value: prod}]}
 *         iterations: {ingress: {variables: [{name: app, value: ingress}]}}
 *       destination: {namespace: giantswarm}
 */
export const Konfiguration = v.strictObject({
  targets: v.strictObject({
    schema: v.strictObject({
      reference: v.strictObject({ name: v.string(), namespace: v.optional(v.string(), "") }),
    }),
    defaults: Pairs,
    iterations: v.optional(byName, {}),
  }),
  destination: operatorDestination,
  ...ofTheCluster,
});

export const Iteration = Pairs;

/** `spec: {raw: {content: "variables: …"}}`: a schema as text. */
export const KonfigurationSchema = v.strictObject({
  raw: v.strictObject({
    content: v.optional(v.string(), ""),
    remote: v.optional(v.strictObject({ url: v.optional(v.string(), "") }), {}),
  }),
});

const OperatorMatchers = v.pipe(
  v.optional(v.strictObject({ exactMatchers: texts, regexMatchers: texts }), {}),
  v.transform(({ exactMatchers: exact, regexMatchers: regex }) => ({ exact, regex })),
);

/**
 *     spec:
 *       configuration:
 *         cluster: {name: gauss}
 *         applications: {includes: {exactMatchers: [ingress]}}
 *       destination: {namespace: giantswarm}
 */
export const ClusterConfiguration = v.strictObject({
  configuration: v.strictObject({
    cluster: v.strictObject({ name: v.string() }),
    applications: v.strictObject({ includes: OperatorMatchers, excludes: OperatorMatchers }),
  }),
  destination: operatorDestination,
  ...ofTheCluster,
});
