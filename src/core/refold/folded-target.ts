// The target of a folded item: the one that references it now, or the one that its record names.
import type { Reference, Target } from "../../layers/index.ts";
import { allNamesOf, isRecordedTarget, type NameIndex } from "../select/names.ts";
import { Mark, type Item } from "../../krm/index.ts";
import type { FoldRecord } from "./record.ts";
import { parseObject, objectText } from "../../object-id.ts";

/** A target with its references in the input. */
export interface TargetReferences {
  readonly target: Target;
  readonly references: readonly Reference[];
  /** True if it is not folded now: items folded for it earlier stay as they are. */
  readonly leftAlone: boolean;
}

export interface TargetLookup {
  /** By the folded items that their references name. */
  readonly byItem: ReadonlyMap<Item, readonly TargetReferences[]>;
  /** By the target's kind and name. */
  readonly byName: ReadonlyMap<string, TargetNamesakes>;
}

export function lookUpTargets(all: readonly TargetReferences[], names: NameIndex): TargetLookup {
  return { byItem: targetsByItem(all, names), byName: targetsByName(all) };
}

/** The target that a folded item is for; undefined if it is gone. */
export function targetOfFold(
  item: Item,
  record: FoldRecord,
  lookup: TargetLookup,
): TargetReferences | undefined {
  return record.alone === true ? recordedTarget(item, record, lookup) : usingTarget(item, record, lookup);
}

function targetsByItem(all: readonly TargetReferences[], names: NameIndex): Map<Item, TargetReferences[]> {
  const found = new Map<Item, TargetReferences[]>();
  for (const one of all) {
    for (const item of one.references.flatMap((reference) => names.find(reference, one.target))) {
      if (!item.annotations.has(Mark.foldedFrom)) continue;
      const known = found.get(item);
      if (known === undefined) found.set(item, [one]);
      else known.push(one);
    }
  }
  return found;
}

/** Targets that share a kind and a name. */
type TargetNamesakes = ReadonlyMap<string | undefined, readonly TargetReferences[]>;

function targetsByName(all: readonly TargetReferences[]): Map<string, TargetNamesakes> {
  const found = new Map<string, Map<string | undefined, TargetReferences[]>>();
  for (const one of all) {
    const { kind, namespace } = one.target;
    for (const name of allNamesOf(one.target)) {
      const key = objectText({ kind, name });
      let known = found.get(key);
      if (known === undefined) found.set(key, (known = new Map()));
      const there = known.get(namespace);
      if (there === undefined) known.set(namespace, [one]);
      else there.push(one);
    }
  }
  return found;
}

function namesakesOf({ target }: FoldRecord, byName: TargetLookup["byName"]): TargetNamesakes | undefined {
  const { kind, name } = parseObject(target);
  return byName.get(objectText({ kind, name }));
}

/** No known target references an item without a target (`alone`), so its record names the target. */
function recordedTarget(
  item: Item,
  record: FoldRecord,
  { byName }: TargetLookup,
): TargetReferences | undefined {
  return namesakesOf(record, byName)?.get(item.namespace)?.[0];
}

/** The target that references the item; else the recorded one, if its slot was patched since. */
function usingTarget(
  item: Item,
  record: FoldRecord,
  { byItem, byName }: TargetLookup,
): TargetReferences | undefined {
  const { kind } = parseObject(record.target);
  const recorded = namesakesOf(record, byName);
  const direct = byItem.get(item) ?? [];
  const own = direct.find(({ target }) => isRecordedTarget(target, record));
  if (own !== undefined) return own;
  // A target may have been renamed since; one of another kind, or in addition to the recorded one, only uses the item.
  const renamed = direct.find(({ target }) => target.kind === kind);
  if (recorded === undefined && renamed !== undefined) return renamed;
  // Only slots outside a list: in a list a patched entry looks like any other.
  const slots = record.layers.flatMap(({ slot }) => slot ?? []);
  const isPatched = ({ references }: TargetReferences): boolean =>
    references.some(
      ({ index, slot, kind: used }) => index === undefined && slots.includes(slot) && used === item.kind,
    );
  return recorded?.get(item.namespace)?.find(isPatched);
}
