// Instances that depend on clones would change with every run: clones fold after the Repeats that read instances.
import { describe, grouped, hasName, type Item, Mark, type NameIndex } from "../core/index.ts";
import { isClone } from "./clones.ts";
import { isFailure, fail, type Failure } from "./faults.ts";
import { sourcesOf } from "./instances.ts";
import { fieldValues, keysOf } from "./setting.ts";
import { isResource, type Repeat, type ResourceEntry } from "./model.ts";
import type { Spec } from "./read.ts";
import { scopesOf } from "./scopes.ts";
import { findItem } from "./planned-clones.ts";

interface Around {
  readonly items: readonly Item[];
  /** Items that are not clones, by name. */
  readonly names: NameIndex;
  readonly repeats: readonly Repeat[];
}

/** A fault if clones would fold into the source of a Repeat's instances, directly or through other layers. */
export function dependence(
  repeat: Item,
  { plain: { from } }: Spec,
  { items, names, repeats }: Around,
): Failure | undefined {
  if (from === undefined) return undefined;
  const layersOf = grouped(targetsIn(items, names), ({ target }) => target);
  const sources = sourcesOf(from, repeat, names);
  const feeding = new Set<Item>(sources);
  for (const target of feeding) for (const { layer } of layersOf.get(target) ?? []) feeding.add(layer);
  const entries = repeats.flatMap((one) => one.entries.filter(isResource).map((entry) => ({ one, entry })));
  const own = entries.map(({ entry }) => entry);
  const cloned = [...feeding].find((item) => !sources.includes(item) && isCloned(item, own));
  const source = `${from.kind}/${from.name}`;
  if (cloned !== undefined)
    return fail(
      "repeat-target",
      { repeat, field: "spec.from" },
      `\`${describe(cloned)}\`, a layer of \`${source}\`, is a template or a clone: instances would depend on clones`,
      "keep the instances in an item that no clone folds into",
      [cloned],
    );
  for (const { one, entry } of entries) {
    const template = findItem(entry, names, items);
    const fault = isFailure(template) ? undefined : madeLayer(entry, one, template, feeding, source);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** Each layer with each item that its annotation names. */
function targetsIn(items: readonly Item[], names: NameIndex): { layer: Item; target: Item }[] {
  return items.flatMap((layer) =>
    wishesIn(layer.annotations.get(Mark.into)).flatMap((wish) =>
      names.find<string>(wish, layer).map((target) => ({ layer, target })),
    ),
  );
}

function isCloned(item: Item, entries: readonly ResourceEntry[]): boolean {
  return isClone(item) || entries.some(({ kind, name }) => kind === item.kind && hasName(item, name));
}

/** An entry that makes layers of its clones by `set`. */
function madeLayer(
  entry: ResourceEntry,
  { instances }: Repeat,
  template: Item,
  feeding: ReadonlySet<Item>,
  source: string,
): Failure | undefined {
  if (!entry.sets.some(({ steps }) => keysOf(steps).startsWith("metadata/annotations/"))) return undefined;
  const scopes = scopesOf(entry, instances);
  for (const scope of isFailure(scopes) ? [] : scopes) {
    const fields = fieldValues(entry, scope, template);
    for (const { set, steps, content } of isFailure(fields) ? [] : fields) {
      if (keysOf(steps) !== `metadata/annotations/${Mark.into}` || !("text" in content)) continue;
      const isMeant = wishesIn(content.text).some((wish) =>
        [...feeding].some((item) => item.kind === wish.kind && hasName(item, wish.name)),
      );
      if (isMeant)
        return fail(
          "repeat-target",
          { repeat: entry.repeat, ...set.value },
          `it makes layers of clones that reach \`${source}\`, which instances are read from`,
          "keep the instances in an item that no clone folds into",
        );
    }
  }
  return undefined;
}

/** The items that the annotation `into` names, as they are written. */
function wishesIn(text: string | undefined): { kind: string; namespace: string | undefined; name: string }[] {
  if (text === undefined) return [];
  return text.split(",").map((each) => {
    const [kind = "", ...rest] = each.trim().split("/");
    return { kind, namespace: rest.length > 1 ? rest[0] : undefined, name: rest.at(-1) ?? "" };
  });
}
