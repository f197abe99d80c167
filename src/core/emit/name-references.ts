// Fields that name ConfigMaps or Secrets by the user's setting, in the form of kustomize's `nameReference` configuration.
import type { Settings } from "../../settings/index.ts";
import type { LayerKind } from "../../layers/index.ts";
import type { Item } from "../../krm/index.ts";
import type { FieldPlace } from "./reference-fields.ts";

interface NameRule {
  readonly names: LayerKind;
  readonly kind: string | undefined;
  readonly group: string | undefined;
  readonly keys: readonly string[];
}

export interface NameReferences {
  /** The kinds of object that a field names by these rules. */
  kindsAt(place: FieldPlace): readonly LayerKind[];
}

export function nameReferencesOf({ nameReference = [] }: Settings): NameReferences {
  const rules = nameReference.flatMap(({ kind: names, fieldSpecs }) =>
    fieldSpecs.map(({ kind, group, path }): NameRule => ({ names, kind, group, keys: keysOf(path) })),
  );
  return {
    kindsAt: ({ item, keys }) =>
      rules.filter((rule) => fits(rule, item) && isSame(rule.keys, keys)).map(({ names }) => names),
  };
}

/** A path goes through lists, marked by `[]` or not; a slash in a key is `\/`. */
function keysOf(path: string): string[] {
  return path.split(/(?<!\\)\//).map((key) => key.replaceAll("\\/", "/").replace(/\[\]$/, ""));
}

function fits({ kind, group }: NameRule, { apiVersion, kind: own }: Item): boolean {
  const ownGroup = apiVersion.includes("/") ? apiVersion.split("/")[0] : "";
  return (kind ?? own) === own && (group ?? ownGroup) === ownGroup;
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((key, index) => key === b[index]);
}
