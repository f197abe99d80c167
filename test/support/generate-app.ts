// Random Apps with their layers: present, missing, sealed, annotated; and what the cluster may bind later.
import fc from "fast-check";
import { arbitraryText } from "./generate-values.ts";

export type LayerKind = "ConfigMap" | "Secret";

export interface LayerObject {
  readonly kind: LayerKind;
  /** Data key; `values` if absent. */
  readonly key?: string;
  readonly name: string;
  readonly namespace: string;
  readonly text: string;
  /** What the list holds of it; the cluster has it in any case. */
  readonly state: "present" | "missing" | "sealed" | "broken";
  readonly form: "data" | "stringData";
  readonly annotated: number | "default" | undefined;
  readonly local: boolean;
  readonly unsubstituted: boolean;
  readonly label: string;
}

export interface Extra {
  readonly object: LayerObject;
  readonly priority: number | undefined;
}

export interface AppCase {
  readonly catalog: "default" | "giantswarm";
  readonly inCluster: boolean;
  readonly unseen: readonly number[];
  readonly config: readonly LayerObject[];
  readonly userConfig: readonly LayerObject[];
  readonly extras: readonly Extra[];
  readonly annotated: readonly LayerObject[];
  /** Whether a Catalog with values of its own is in the list. */
  readonly catalogLayers: readonly LayerObject[] | undefined;
  /** Texts of what the platform binds, by priority. */
  readonly platform: readonly string[];
  readonly variables: { readonly [name: string]: string };
}

const variables = ["${v1}", "${v2}"];
export const variableValues = ["5", "{x: 1}", "null", "text", "{}", "{a: {b: 2}}"];

export function arbitraryObject(name: string, annotated: boolean): fc.Arbitrary<LayerObject> {
  return fc
    .record({
      kind: fc.constantFrom<LayerKind>("ConfigMap", "ConfigMap", "Secret"),
      namespace: fc.constantFrom("org", "org", "org", "org", "org", "org", "org", "other"),
      text: arbitraryText(variables),
      state: fc.constantFrom<LayerObject["state"]>(...(annotated ? (["present"] as const) : states)),
      form: fc.constantFrom<LayerObject["form"]>("data", "stringData"),
      annotated: annotated
        ? fc.constantFrom<number | "default">(10, 25, 50, 75, 75, 100, 120, "default")
        : fc.constant(undefined),
      local: fc.constantFrom(...Array.from({ length: 15 }, () => false), true),
      unsubstituted: fc.constantFrom(...Array.from({ length: 15 }, () => false), true),
      label: fc.constantFrom("x", "y"),
    })
    .map((object): LayerObject => {
      // A Secret is never annotated into another namespace, and a sealed ConfigMap is as good as a sealed Secret.
      const namespace = annotated && object.kind === "Secret" ? "org" : object.namespace;
      const text = object.state === "broken" ? "a: {b: ${v1}}\n" : object.text;
      const local = object.local && object.state === "present";
      if (object.state !== "broken") return { ...object, name, namespace, text, local };
      // Only Flux can mend it, so Flux must see it as text.
      return { ...object, name, namespace, text, local, form: "stringData", unsubstituted: false };
    });
}

const states = [
  ...Array.from({ length: 22 }, () => "present" as const),
  "missing",
  "missing",
  "sealed",
  "broken",
] as const;

export const arbitraryApp: fc.Arbitrary<AppCase> = fc.record({
  catalog: fc.constantFrom("giantswarm", "giantswarm", "giantswarm", "default"),
  inCluster: fc.boolean(),
  unseen: fc.constantFrom<number[]>([0, 1, 100, 150], [], [], [0], [75], [100]),
  config: slot("config"),
  userConfig: slot("user"),
  extras: fc
    .integer({ min: 0, max: 5 })
    .chain((count) =>
      fc.tuple(...Array.from({ length: count }, (_, index) => arbitraryExtra(`extra${index}`))),
    ),
  annotated: fc
    .integer({ min: 0, max: 3 })
    .chain((count) =>
      fc.tuple(...Array.from({ length: count }, (_, index) => arbitraryObject(`noted${index}`, true))),
    ),
  catalogLayers: fc.option(
    fc.tuple(arbitraryObject("catalog-cm", false), arbitraryObject("catalog-s", false)).map(([a, b]) => [
      { ...a, kind: "ConfigMap" as const, local: false },
      { ...b, kind: "Secret" as const, local: false },
    ]),
    { nil: undefined },
  ),
  platform: fc.array(arbitraryText(), { minLength: 8, maxLength: 8 }),
  variables: fc.record({ v1: fc.constantFrom(...variableValues), v2: fc.constantFrom(...variableValues) }),
});

function slot(name: string): fc.Arbitrary<readonly LayerObject[]> {
  const one = (kind: LayerKind): fc.Arbitrary<LayerObject[]> =>
    fc
      .option(arbitraryObject(`${name}-${kind.toLowerCase()}`, false), { nil: undefined, freq: 2 })
      .map((object) => (object ? [{ ...object, kind }] : []));
  return fc.tuple(one("ConfigMap"), one("Secret")).map((objects) => objects.flat());
}

function arbitraryExtra(name: string): fc.Arbitrary<Extra> {
  return fc.record({
    object: arbitraryObject(name, false),
    priority: fc.constantFrom(1, 10, 25, 25, 50, 60, 75, 75, 100, 110, undefined),
  });
}

export function objectsOf(one: AppCase): LayerObject[] {
  return [
    ...one.config,
    ...one.userConfig,
    ...one.extras.map(({ object }) => object),
    ...one.annotated,
    ...(one.catalogLayers ?? []),
  ];
}
