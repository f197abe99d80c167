// The target of a folded item: the one that references it now, or that its record names.
import type { Reference, Target } from "../model.ts";
import { allNamesOf, hasName, type NameIndex } from "../select/names.ts";
import { Mark } from "../wire/annotation-names.ts";
import type { Item } from "../wire/item.ts";
import type { FoldRecord } from "./record.ts";

/** A target with its references in the input. */
export interface Holder {
  readonly target: Target;
  readonly references: readonly Reference[];
  /** True if it is not folded now: items folded for it earlier stay as they are. */
  readonly leftAlone: boolean;
}

export interface Holders {
  /** By the folded items that their references name. */
  readonly holding: ReadonlyMap<Item, readonly Holder[]>;
  /** By the target's kind and name. */
  readonly byName: ReadonlyMap<string, Namesakes>;
}

export function findableHolders(holders: readonly Holder[], names: NameIndex): Holders {
  return { holding: holdersByItem(holders, names), byName: holdersByName(holders) };
}

/** The target that a folded item is for; undefined if it is gone. */
export function holderOf(item: Item, record: FoldRecord, holders: Holders): Holder | undefined {
  return record.alone === true ? aloneHolder(item, record, holders) : userOf(item, record, holders);
}

function holdersByItem(holders: readonly Holder[], names: NameIndex): Map<Item, Holder[]> {
  const found = new Map<Item, Holder[]>();
  for (const holder of holders) {
    for (const item of holder.references.flatMap((reference) => names.find(reference, holder.target))) {
      if (!item.annotations.has(Mark.foldedFrom)) continue;
      const known = found.get(item);
      if (known === undefined) found.set(item, [holder]);
      else known.push(holder);
    }
  }
  return found;
}

/** Targets that share a kind and a name. */
type Namesakes = ReadonlyMap<string | undefined, readonly Holder[]>;

function holdersByName(holders: readonly Holder[]): Map<string, Namesakes> {
  const found = new Map<string, Map<string | undefined, Holder[]>>();
  for (const holder of holders) {
    const { kind, namespace } = holder.target;
    for (const name of allNamesOf(holder.target)) {
      const key = `${kind}/${name}`;
      let known = found.get(key);
      if (known === undefined) found.set(key, (known = new Map()));
      const there = known.get(namespace);
      if (there === undefined) known.set(namespace, [holder]);
      else there.push(holder);
    }
  }
  return found;
}

/** No known target references an item without a target (`alone`), so its record names the target. */
function aloneHolder(item: Item, record: FoldRecord, { byName }: Holders): Holder | undefined {
  const { kind, name } = targetIn(record);
  return byName.get(`${kind}/${name}`)?.get(item.namespace)?.[0];
}

/** Kind and name of the target in a record. */
function targetIn({ target }: FoldRecord): { kind: string; name: string } {
  const parts = target.split("/");
  return { kind: parts[0] ?? "", name: parts.at(-1) ?? "" };
}

/** The target that references the item; else the recorded one, if its slot was patched since. */
function userOf(item: Item, record: FoldRecord, { holding, byName }: Holders): Holder | undefined {
  const { kind, name } = targetIn(record);
  const recorded = byName.get(`${kind}/${name}`);
  const direct = holding.get(item) ?? [];
  const own = direct.find(({ target }) => target.kind === kind && hasName(target, name));
  if (own !== undefined) return own;
  // A target may have been renamed since; one of another kind, or in addition to the recorded one, only uses the item.
  const renamed = direct.find(({ target }) => target.kind === kind);
  if (recorded === undefined && renamed !== undefined) return renamed;
  // Only slots outside a list: in a list a patched entry looks like any other.
  const slots = record.layers.flatMap(({ slot }) => slot ?? []);
  const isPatched = ({ references }: Holder): boolean =>
    references.some(
      ({ index, slot, kind: used }) => index === undefined && slots.includes(slot) && used === item.kind,
    );
  return recorded?.get(item.namespace)?.find(isPatched);
}
