// Whether a peer did the same work: for every target the same values and the same spec, as plain values.
import { readFileSync } from "node:fs";
import yaml from "js-yaml";
import { parse } from "yaml";

interface Reference {
  readonly name: string;
}

interface Item {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly data?: Readonly<Record<string, string>>;
  readonly spec?: {
    readonly config?: object;
    readonly extraConfigs?: readonly object[];
    readonly userConfig?: { readonly configMap: Reference };
    readonly valuesFrom?: readonly Reference[];
  };
}

/** What a program made of a list, target by target. */
export type Outcome = ReadonlyMap<string, { readonly values: string; readonly spec: string }>;

/** The list is read with js-yaml, which does 50 MB in a second; values with `yaml`, which is exact. */
export function outcomeOf(path: string): Outcome {
  const { items } = yaml.safeLoad(readFileSync(path, "utf8")) as { items: readonly Item[] };
  const idOf = (namespace: string | undefined, name: string): string => `${namespace ?? ""}/${name}`;
  const maps = new Map(
    items
      .filter(({ kind }) => kind === "ConfigMap")
      .map(({ metadata: { namespace, name }, data }) => [idOf(namespace, name), Object.values(data ?? {})]),
  );
  const targets = items.filter(({ kind }) => kind === "App" || kind === "HelmRelease");
  return new Map(
    targets.map((target) => {
      const { kind, metadata, spec } = target;
      const texts = maps.get(idOf(metadata.namespace, onlyLayerOf(target)));
      if (texts === undefined) throw new Error(`${kind} ${metadata.name} names a layer that is not there`);
      const values = canonical(parse(texts.join("\n")));
      return [`${kind}/${metadata.name}`, { values, spec: canonical(spec) }];
    }),
  );
}

function onlyLayerOf({ kind, metadata, spec }: Item): string {
  const references = kind === "App" ? [spec?.userConfig?.configMap] : (spec?.valuesFrom ?? []);
  const [only] = references;
  const others = [spec?.config, ...(spec?.extraConfigs ?? []), ...references.slice(1)];
  if (only !== undefined && others.every((each) => each === undefined)) return only.name;
  throw new Error(`${kind} ${metadata.name} was not folded into one layer`);
}

/** The first difference, if there is one. */
export function differenceOf(ours: Outcome, theirs: Outcome): string | undefined {
  if (ours.size !== theirs.size) return `${ours.size} targets, the peer has ${theirs.size}`;
  for (const [target, { values, spec }] of ours) {
    const other = theirs.get(target);
    if (other?.values !== values) return `values of ${target} differ`;
    if (other.spec !== spec) return `spec of ${target} differs`;
  }
  return undefined;
}

/** Values alone, as a program printed them. */
export function valuesIn(path: string): string {
  return canonical(parse(readFileSync(path, "utf8")));
}

/** Equal for what is equal as plain values, whatever the order of keys. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
