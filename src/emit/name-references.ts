// Fields that the user says name ConfigMaps or Secrets, as kustomize's `nameReference` configuration spells them.
import type { Settings } from "../config/settings.ts";
import type { LayerKind } from "../model.ts";
import type { Item } from "../wire/item.ts";
import type { Place } from "./reference-fields.ts";

interface Rule {
  readonly names: LayerKind;
  readonly kind: string | undefined;
  readonly group: string | undefined;
  readonly keys: readonly string[];
}

export interface NameReferences {
  /** The kinds of object that a place names by these rules. */
  kindsAt(place: Place): readonly LayerKind[];
}

export function nameReferencesOf({ nameReference = [] }: Settings): NameReferences {
  const rules = nameReference.flatMap(({ kind: names, fieldSpecs }) =>
    fieldSpecs.map(({ kind, group, path }): Rule => ({ names, kind, group, keys: keysOf(path) })),
  );
  return {
    kindsAt: ({ item, keys }) =>
      rules.filter((rule) => fits(rule, item) && isSame(rule.keys, keys)).map(({ names }) => names),
  };
}

/** Lists are passed through, marked by `[]` or not; a slash in a key is `\/`. */
function keysOf(path: string): string[] {
  return path.split(/(?<!\\)\//).map((key) => key.replaceAll("\\/", "/").replace(/\[\]$/, ""));
}

function fits({ kind, group }: Rule, { apiVersion, kind: own }: Item): boolean {
  const ownGroup = apiVersion.includes("/") ? apiVersion.split("/")[0] : "";
  return (kind ?? own) === own && (group ?? ownGroup) === ownGroup;
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((key, index) => key === b[index]);
}
