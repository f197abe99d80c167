// Random HelmReleases with their layers: kinds mixed, keys named or not, optional, at a target path, twice.
import fc from "fast-check";
import { arbitraryObject, type LayerObject, variableValues } from "./generate-app.ts";
import { arbitraryText } from "./generate-values.ts";

export interface Entry {
  readonly object: LayerObject;
  /** The key the entry names; undefined for `values.yaml`. */
  readonly valuesKey: string | undefined;
  readonly optional: boolean;
  readonly targetPath: string | undefined;
  readonly literal: boolean;
}

export interface HelmCase {
  readonly entries: readonly Entry[];
  readonly annotated: readonly LayerObject[];
  /** Text of `spec.values`; undefined for none. */
  readonly inline: string | undefined;
  /** Text of the chart's values.yaml. */
  readonly defaults: string;
  readonly variables: { readonly [name: string]: string };
}

const targetPaths = ["a", "a.b", "c", "x-y.a", "c[0]", "d.c"];

function arbitraryEntry(name: string): fc.Arbitrary<Entry> {
  return fc
    .record({
      object: arbitraryObject(name, false),
      valuesKey: fc.constantFrom(undefined, undefined, "prod.yaml"),
      lacksKey: fc.constantFrom(...Array.from({ length: 11 }, () => false), true),
      optional: fc.constantFrom(false, false, true),
      targetPath: fc.constantFrom(...Array.from({ length: 9 }, () => undefined), ...targetPaths.slice(0, 2)),
      path: fc.constantFrom(...targetPaths),
      value: fc.constantFrom("5", "true", "null", "x", "x,inj=1", '"q"', "{a,b}", "007"),
      literal: fc.boolean(),
    })
    .map(({ object, valuesKey, lacksKey, optional, targetPath, path, value, literal }) => {
      const key = lacksKey ? "other.yaml" : (valuesKey ?? "values.yaml");
      const at = targetPath === undefined ? undefined : path;
      // An entry reads its object in the HelmRelease's own namespace only.
      const home = { ...object, namespace: "org", key };
      return {
        object: at === undefined ? home : { ...home, text: value },
        valuesKey,
        optional,
        targetPath: at,
        literal,
      };
    });
}

function arbitraryAnnotated(name: string): fc.Arbitrary<LayerObject> {
  return arbitraryObject(name, true).chain((object) =>
    fc.constantFrom<number | "default">(10, 49, 50, 60, 75, 75, 100, "default").map((annotated) => ({
      ...object,
      annotated,
      key: "values.yaml",
    })),
  );
}

function several<T>(least: number, most: number, one: (index: number) => fc.Arbitrary<T>): fc.Arbitrary<T[]> {
  return fc
    .integer({ min: least, max: most })
    .chain((count) => fc.tuple(...Array.from({ length: count }, (_, index) => one(index))));
}

export const arbitraryHelmRelease: fc.Arbitrary<HelmCase> = fc
  .record({
    entries: several(0, 6, (index) => arbitraryEntry(`layer${index}`)),
    twice: fc.option(fc.nat(5), { nil: undefined, freq: 6 }),
    annotated: several(0, 3, (index) => arbitraryAnnotated(`noted${index}`)),
    inline: fc.option(arbitraryText(), { nil: undefined }),
    defaults: arbitraryText(),
    variables: fc.record({ v1: fc.constantFrom(...variableValues), v2: fc.constantFrom(...variableValues) }),
  })
  .map(({ twice, ...one }) => {
    const again = twice === undefined ? undefined : one.entries[twice];
    return again === undefined ? one : { ...one, entries: [...one.entries, again] };
  });

export function helmObjects({ entries, annotated }: HelmCase): LayerObject[] {
  return [...entries.map(({ object }) => object), ...annotated];
}
