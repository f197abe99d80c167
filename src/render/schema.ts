// konfigure's schema, unchanged: variables, layers with their paths and strategies, includes. What konfigure ignores or
// stumbles over (unknown fields, layer ids that occur twice, an empty order) is an error here.
import * as v from "valibot";
import { type Diagnostic, nearest } from "../diagnostic.ts";
import { farAliases, isFault, lineAndColumn, readDocument, type ReadFault, Node } from "../yaml/index.ts";
import type { Report } from "../report/index.ts";
import { twiceFaults } from "../settings/index.ts";
import { checked, type SettingsPlace } from "./settings-faults.ts";
import { errorAt } from "./faults.ts";

const flag = v.optional(v.boolean(), false);
const Path = v.optional(v.strictObject({ directory: v.optional(v.string(), ""), required: flag }), {});
const File = v.optional(v.strictObject({ name: v.optional(v.string(), ""), required: flag }), {});

const strategies = [
  "ConfigMapsInLayerOrder",
  "SecretsInLayerOrder",
  "SameTypeInLayerOrder",
  "SameTypeFromCurrentLayer",
  "ConfigMapAndSecretFromCurrentLayer",
  "ConfigMapsAndSecretsInLayerOrder",
  "CustomOrder",
] as const;
type Strategy = (typeof strategies)[number];

const kinds = { configmap: "configMap", secret: "secret" } as const;
export type LayerPartKind = "configMap" | "secret";

const strategy = v.pipe(
  v.string(),
  v.check(
    (text) => text === "" || strategies.some((each) => each.toLowerCase() === text.toLowerCase()),
    ({ input }) => {
      const near = nearest(input, strategies);
      return `expected a merge strategy${near === undefined ? `: ${strategies.join(", ")}` : `, such as ${near}`}`;
    },
  ),
  v.transform(
    (text): Strategy =>
      strategies.find((each) => each.toLowerCase() === text.toLowerCase()) ?? "SameTypeFromCurrentLayer",
  ),
);

const Reference = v.strictObject({
  layerId: v.string(),
  type: v.pipe(
    v.string(),
    v.check((text) => text.toLowerCase() in kinds, "expected ConfigMap or Secret"),
    v.transform((text): LayerPartKind => kinds[text.toLowerCase() as keyof typeof kinds]),
  ),
});

const Merge = v.pipe(
  v.optional(
    v.strictObject({
      strategy: v.optional(strategy, ""),
      options: v.optional(v.strictObject({ order: v.optional(v.array(Reference)) })),
    }),
    {},
  ),
  v.check(
    ({ strategy: named, options }) => named !== "CustomOrder" || (options?.order ?? []).length > 0,
    "CustomOrder needs `options.order`, a list of layerId and type",
  ),
);

/** `{name: values.yaml.template, required: true, values: {merge: {strategy: ConfigMapsInLayerOrder}}}` */
const Template = v.optional(
  v.strictObject({
    name: v.optional(v.string(), ""),
    required: flag,
    values: v.optional(v.strictObject({ merge: v.optional(Merge, {}) }), {}),
  }),
  {},
);

/**
 *     id: stage
 *     path: {directory: "stages/<< stage >>", required: true}
 *     values: {configMap: {name: config.yaml}, secret: {name: secret.yaml}}
 *     templates: {path: {directory: "apps/<< app >>"}, configMap: {name: values.yaml.template}}
 *     patches: {path: {directory: "apps/<< app >>"}, configMap: {name: patch.yaml}}
 */
const Layer = v.strictObject({
  id: v.pipe(v.string(), v.minLength(1, "expected an id")),
  path: Path,
  values: v.optional(v.strictObject({ path: Path, configMap: File, secret: File }), {}),
  templates: v.optional(v.strictObject({ path: Path, configMap: Template, secret: Template }), {}),
  patches: v.optional(v.strictObject({ path: Path, configMap: File, secret: File }), {}),
});

/** `{function: {name: include}, path: {directory: include}, extension: .yaml.template}` */
const Include = v.strictObject({
  id: v.optional(v.string(), ""),
  function: v.strictObject({
    name: v.pipe(v.string(), v.regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "expected a function's name")),
  }),
  path: Path,
  extension: v.optional(v.string(), ""),
});

/**
 * The layers of each instance, lowest first. A broken schema is a fault `invalid-schema`.
 *
 *     variables: [{name: stage, required: true}, {name: app, required: true}]
 *     layers: [{id: base, path: {directory: base}, values: {configMap: {name: config.yaml}}}]
 *     includes: [{function: {name: include}, path: {directory: include}, extension: .yaml}]
 */
export const LayoutSchema = v.pipe(
  v.strictObject({
    variables: v.optional(
      v.array(v.strictObject({ name: v.string(), required: flag, default: v.optional(v.string(), "") })),
      [],
    ),
    layers: v.pipe(v.array(Layer), v.minLength(1, "expected at least one layer")),
    includes: v.optional(v.array(Include), []),
  }),
  v.check(({ layers }) => areDistinct(layers.map(({ id }) => id)), "two layers have one id"),
  v.check(({ variables }) => areDistinct(variables.map(({ name }) => name)), "two variables have one name"),
  v.check(
    ({ includes }) => areDistinct(includes.map((each) => each.function.name)),
    "two includes have one function",
  ),
  v.check(
    ({ layers }) => ordersOf(layers).every(({ layerId }) => layers.some(({ id }) => id === layerId)),
    "`options.order` names a layer that does not exist",
  ),
);

export type LayoutSchema = v.InferOutput<typeof LayoutSchema>;
export type LayerOf = LayoutSchema["layers"][number];
export type IncludeOf = LayoutSchema["includes"][number];
export type VariableOf = LayoutSchema["variables"][number];
export type Order = readonly v.InferOutput<typeof Reference>[];

function ordersOf(layers: readonly v.InferOutput<typeof Layer>[]): Order {
  return layers.flatMap(({ templates }) =>
    [templates.configMap, templates.secret].flatMap(({ values: { merge } }) =>
      merge.strategy === "CustomOrder" ? (merge.options?.order ?? []) : [],
    ),
  );
}

function areDistinct(names: readonly string[]): boolean {
  return new Set(names).size === names.length;
}

export type SchemaSource = { readonly file: string } | { readonly schema: LayoutSchema };

/** A schema's text, as a file holds it. @param text what it is, for messages */
export function readSchemaText(
  bytes: Uint8Array,
  text: string,
  report: Report,
): { readonly schema: LayoutSchema } | undefined {
  const doc = readDocument(bytes);
  const fault = isFault(doc) ? doc : farAliases(new Node(doc));
  const faults = fault === undefined ? [] : [unread(fault, bytes, text)];
  if (!isFault(doc) && fault === undefined)
    for (const one of twiceFaults(new Node(doc), text, "invalid-schema")) faults.push(one);
  report.all(faults);
  if (isFault(doc) || faults.length > 0) return undefined;
  return readSchema(new Node(doc).plain(undefined), { kind: text, root: "", report });
}

function unread({ message, offset = 0 }: ReadFault, bytes: Uint8Array, text: string): Diagnostic {
  const at = { text, ...lineAndColumn(bytes, offset) };
  return errorAt("invalid-schema", at, message, "correct the YAML of the schema");
}

export function readSchema(
  plain: unknown,
  where: SettingsPlace,
): { readonly schema: LayoutSchema } | undefined {
  const schema = checked(LayoutSchema, plain, where, "invalid-schema");
  return schema === undefined ? undefined : { schema };
}
