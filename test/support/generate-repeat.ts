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
}

type Part = "deployment" | "ports" | "release" | "layers" | "bystander" | "grouped";

const name = fc.constantFrom("a", "b", "web", "web-2", "x9", "zulu", "on", "no", "1e3", "0x1f", "80");

export const arbitraryInstances = fc.uniqueArray(fc.tuple(name, fc.nat(65_535)), {
  maxLength: 5,
  selector: ([own]) => own,
});

export const arbitraryWorld: fc.Arbitrary<RepeatWorld> = fc.record({
  instances: arbitraryInstances,
  parts: fc.uniqueArray(
    fc.constantFrom<Part>("deployment", "ports", "release", "layers", "bystander", "grouped"),
    {
      minLength: 1,
    },
  ),
  step: fc.constantFrom(0, 2),
  flow: fc.boolean(),
  place: fc.nat(5),
  comments: fc.boolean(),
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
  };
  const documents = parts.flatMap((part) => items[part]);
  return documents.toSpliced(place, 0, repeatOf(world));
}

export function repeatOf({ instances, parts }: Pick<RepeatWorld, "instances" | "parts">): string {
  const own = instances.map(([key, port]) => `    "${key}": { port: ${port} }\n`).join("");
  const all = parts.flatMap((part) => entries[part]);
  return `apiVersion: valuefold.dev/v1alpha1\nkind: Repeat\nmetadata:\n  name: all\nspec:\n  instances:${own === "" ? " {}\n" : `\n${own}`}  clone:${all.map((each) => `\n    - ${each}`).join("")}\n`;
}

export function asStream(documents: readonly string[]): string {
  return documents.join("---\n");
}

export function asList(documents: readonly string[]): string {
  const items = documents.map((text) => {
    const [lead = "", rest = text] = /^((?:#.*\n)*)([^]*)$/.exec(text)?.slice(1) ?? [];
    return `${lead}- ${rest.trimEnd().replaceAll("\n", "\n  ")}\n`;
  });
  return `apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n${items.join("")}`;
}

export function asJson(documents: readonly string[]): string {
  const items = documents.map((text) => parse(text) as unknown);
  return JSON.stringify({ apiVersion: "config.kubernetes.io/v1", kind: "ResourceList", items });
}
