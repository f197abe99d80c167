// Lists with a Repeat, made at random: what is cloned, for whom, and what stands around.
import fc from "fast-check";
import { parse } from "yaml";

export interface RepeatWorld {
  /** Instances by name, with a number each. */
  readonly instances: readonly (readonly [name: string, port: number])[];
  readonly parts: readonly Part[];
  /** Step of lists below their key. */
  readonly step: 0 | 2;
  readonly flow: boolean;
  /** Where the Repeat stands among the items. */
  readonly place: number;
  readonly comments: boolean;
  /** Where instances stand: in the Repeat, under a data key, or under one with a layer that brings the last of them. */
  readonly source?: Source;
  /** Who hands the list over: nobody, or an orchestrator that notes ids on items. */
  readonly host?: "kpt" | "kustomize" | undefined;
  /** True for the setting `layers: prune`. */
  readonly prunes?: boolean;
}

type Source = "inline" | "data" | "layered";

const partNames = [
  "deployment",
  "ports",
  "release",
  "layers",
  "bystander",
  "grouped",
  "nested",
  "followed",
  "texts",
] as const;

type Part = (typeof partNames)[number];

const name = fc.constantFrom("a", "b", "web", "web-2", "x9", "zulu", "on", "no", "1e3", "0x1f", "80");

const arbitraryInstances = fc.uniqueArray(fc.tuple(name, fc.nat(65_535)), {
  maxLength: 5,
  selector: ([own]) => own,
});

export const arbitraryWorld: fc.Arbitrary<RepeatWorld> = fc.record({
  instances: arbitraryInstances,
  parts: fc.uniqueArray(fc.constantFrom(...partNames), { minLength: 1 }),
  step: fc.constantFrom(0, 2),
  flow: fc.boolean(),
  place: fc.nat(5),
  comments: fc.boolean(),
  source: fc.constantFrom<Source>("inline", "data", "layered"),
  host: fc.constantFrom("kpt", "kustomize", undefined),
  prunes: fc.boolean(),
});

const entries: { readonly [part in Part]: readonly string[] } = {
  deployment: [
    '{ kind: Deployment, name: worker, as: "worker-{name}", set: { spec.replicas: "{value.port}", "metadata.labels.of": "{name}" } }',
    '{ kind: Deployment, name: worker, path: "spec.containers[0]", set: { name: "c-{name}" } }',
  ],
  ports: [
    '{ kind: Service, name: proxy, path: "spec.ports[1]", set: { name: "{name}", port: "{value.port}" } }',
    '{ kind: Service, name: proxy, path: "spec.ports[0]", set: { name: "first-{name}" } }',
  ],
  release: ['{ kind: HelmRelease, name: shop, as: "shop-{name}", values: "{value}" }'],
  layers: ['{ kind: ConfigMap, name: layer, as: "layer-{name}" }'],
  bystander: [],
  grouped: [
    '{ kind: ConfigMap, name: group, as: "group-{name}", set: { "data.port": "{value.port}" } }',
    '{ kind: Pod, name: group, as: "group-{name}" }',
  ],
  nested: [
    '{ kind: Topic, name: topic, as: "topic-{name}-{item.name}", each: items, set: { "spec.size": "{item.value}", "spec.of.name": "cluster-{name}" } }',
    '{ kind: Cluster, name: cluster, as: "cluster-{name}" }',
    '{ kind: Cluster, name: cluster, path: "spec.pools[0].nodes[0]", each: items, set: { id: "{item.value}", "labels[\\"a.b/{item.name}\\"]": "{name}" } }',
  ],
  followed: [
    '{ kind: ConfigMap, name: sizes, as: "sizes-{name}", set: { "data[\\"values.yaml\\"]": "size: {value.port}\\nof: {name}\\n" } }',
    '{ kind: HelmRelease, name: sized, as: "sized-{name}" }',
  ],
  texts: [
    '{ kind: Foo, name: texts, path: "spec.args[1]", set: "--{name}={value.port}" }',
    '{ kind: Foo, name: texts, path: "spec.rows[0][0]", set: "{value}" }',
  ],
};

/** The items as documents, and the Repeat among them. */
export function documentsOf(world: RepeatWorld): string[] {
  const { step, flow, comments, parts, place } = world;
  const pad = " ".repeat(2 + step);
  const note = comments ? "# kept\n" : "";
  const items: { readonly [part in Part]: readonly string[] } = {
    deployment: [
      `${note}apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: worker\nspec:\n  replicas: 0755${comments ? " # octal" : ""}\n  containers:\n${pad}- name: tpl\n${pad}  image: "a"\n`,
    ],
    ports: [
      flow
        ? "apiVersion: v1\nkind: Service\nmetadata: {name: proxy}\nspec: {ports: [{name: head, port: 9}, {name: tpl, port: 1}]}\n"
        : `apiVersion: v1\nkind: Service\nmetadata:\n  name: proxy\nspec:\n  ports:\n${pad}- name: head\n${pad}  port: 9\n${comments ? `${pad}# of the template\n` : ""}${pad}- name: tpl\n${pad}  port: 1\n${comments ? `\n${pad}- name: keep\n${pad}  port: 3\n` : ""}  type: ClusterIP\n`,
    ],
    release: [
      "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: shop-base\ndata:\n  values.yaml: |\n    port: 1\n    keep: 0755\n",
      "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata:\n  name: shop\nspec:\n  valuesFrom:\n  - kind: ConfigMap\n    name: shop-base\n",
    ],
    layers: [
      "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata:\n  name: base\nspec:\n  valuesFrom: []\n",
      "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: layer\n  annotations:\n    valuefold.dev/into: HelmRelease/base\ndata:\n  values.yaml: |\n    a: 1 # one\n",
    ],
    bystander: [
      `${note}apiVersion: v1\nkind: ConfigMap\nmetadata: {name: by}\ndata: {a: 'b', c: |-\n    x}\n`.replace(
        "|-\n    x",
        "x",
      ),
    ],
    grouped: [
      'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: group\ndata:\n  port: "0"\n',
      "apiVersion: v1\nkind: Pod\nmetadata:\n  name: group\nspec:\n  volumes:\n  - name: v\n    configMap:\n      name: group\n",
    ],
    nested: [
      `apiVersion: a/v1\nkind: Cluster\nmetadata:\n  name: cluster\nspec:\n  pools:\n${pad}- nodes:\n${pad}  ${pad.slice(2)}- id: 0\n${pad}  ${pad.slice(2)}  labels: {}\n`,
      "apiVersion: a/v1\nkind: Topic\nmetadata:\n  name: topic\nspec:\n  size: 0\n  of: {kind: Cluster, name: cluster}\n",
    ],
    followed: [
      "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata:\n  name: sized\nspec:\n  values: {a: 1}\n",
      "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: sizes\n  annotations:\n    valuefold.dev/into: HelmRelease/sized\ndata: {}\n",
    ],
    texts: [
      `apiVersion: a/v1\nkind: Foo\nmetadata:\n  name: texts\nspec:\n  rows:${flow ? " [[a, b], [c]]" : `\n${pad}- - a\n${pad}  - b\n${pad}-\n${pad}  - c`}\n  args: # all\n${pad}- first\n${pad}- --tpl # of the template\n${comments ? `${pad}# keeps its lines\n${pad}- |+\n${pad}  last\n\n` : ""}  last: x\n`,
    ],
  };
  const documents = [...parts.flatMap((part) => items[part]), ...sourcesOf(world)];
  return documents.toSpliced(place, 0, repeatOf(world)).map((text) => noted(text, world));
}

/** As an orchestrator hands it over. */
function noted(text: string, { host }: RepeatWorld): string {
  if (host === undefined) return text;
  const note = host === "kpt" ? "internal.config.kubernetes.io/id" : "kustomize.config.k8s.io/id";
  if (text.includes("  annotations:\n"))
    return text.replace("  annotations:\n", `  annotations:\n    ${note}: '1'\n`);
  if (text.includes("metadata: {"))
    return text.replace("metadata: {", `metadata: {annotations: {${note}: '1'}, `);
  return text.replace("metadata:\n", `metadata:\n  annotations:\n    ${note}: '1'\n`);
}

/** Instances as lines of a mapping. */
function linesOf(instances: RepeatWorld["instances"]): string {
  return instances
    .map(([key, port]) => {
      const items = Array.from({ length: port % 3 }, (_, index) => `i${index}: ${port + index}`);
      return `"${key}": { port: ${port}, items: {${items.join(", ")}} }\n`;
    })
    .join("");
}

function sourcesOf({ source = "inline", instances }: RepeatWorld): string[] {
  if (source === "inline") return [];
  const item = (lead: string, some: RepeatWorld["instances"]): string =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata:\n${lead}data:\n  i.yaml: |\n    # instances\n${linesOf(some).replaceAll(/^/gm, "    ").trimEnd()}\n`;
  const itself = "  name: instances\n";
  if (source === "data" || instances.length === 0) return [item(itself, instances)];
  // Under kpt a base that is no layer itself would be lost.
  const into = (own: string, priority: number): string =>
    `  name: ${own}\n  annotations:\n    valuefold.dev/into: ConfigMap/instances\n    valuefold.dev/priority: "${priority}"\n`;
  return [
    `apiVersion: v1\nkind: ConfigMap\nmetadata:\n${itself}data: {}\n`,
    item(into("first", 10), instances.slice(0, -1)),
    item(into("more", 20), instances.slice(-1)),
  ];
}

function repeatOf({ instances, parts, source = "inline", host }: RepeatWorld): string {
  const own = linesOf(instances).replaceAll(/^(?=.)/gm, "    ");
  const inline = `instances:${own === "" ? " {}\n" : `\n${own}`}`;
  const all = parts.flatMap((part) => entries[part]);
  const where = source === "inline" ? inline : "from: { kind: ConfigMap, name: instances }\n";
  const once = host === "kpt" ? "  once: true\n" : "";
  return `apiVersion: valuefold.dev/v1alpha1\nkind: Repeat\nmetadata:\n  name: all\nspec:\n${once}  ${where}  clone:${all.map((each) => `\n    - ${each}`).join("")}\n`;
}

export function asStream(documents: readonly string[]): string {
  return documents.join("---\n");
}

/** Settings as a function is handed them. */
const pruning = {
  apiVersion: "valuefold.dev/v1alpha1",
  kind: "ValueFold",
  metadata: { name: "f" },
  spec: { layers: "prune" },
};

export function asList(documents: readonly string[], prunes = false): string {
  const items = documents.map((text) => {
    const [lead = "", rest = text] = /^((?:#.*\n)*)([^]*)$/.exec(text)?.slice(1) ?? [];
    return `${lead}- ${rest.trimEnd().replaceAll("\n", "\n  ")}\n`;
  });
  const settings = prunes ? `functionConfig: ${JSON.stringify(pruning)}\n` : "";
  return `apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n${settings}items:\n${items.join("")}`;
}

export function asJson(documents: readonly string[], prunes = false): string {
  const items = documents.map((text) => parse(text) as unknown);
  const settings = prunes ? { functionConfig: pruning } : {};
  return JSON.stringify({
    apiVersion: "config.kubernetes.io/v1",
    kind: "ResourceList",
    ...settings,
    items,
  });
}
