// Clones that an earlier run made under kpt: which Repeat made them, their content now, and what was folded for them. The
// fold makes folded items again if a clone is removed or made again.
import {
  allNamesOf,
  annotate,
  type Edit,
  type FoldRecord,
  grouped,
  hasName,
  Holdings,
  isLayerItem,
  isNode,
  isText,
  type Item,
  Mark,
  type Named,
  readRecord,
  type RecordedLayer,
  withoutComments,
} from "../core/index.ts";
import {
  type CloneRecord,
  type ContentDigests,
  contentOf,
  readCloneRecord,
  readListRecords,
  repeatOf,
} from "./record.ts";
import { collapsedIn } from "./list-places.ts";
import { holdsAliases } from "./model.ts";

export interface Clone {
  readonly item: Item;
  readonly record: CloneRecord;
}

/** True for a clone that a later run remakes; other clones are items like any other. */
export function isClone(item: Item): boolean {
  return item.annotations.has(Mark.repeatedFrom) && readCloneRecord(item) !== undefined;
}

/** Clones in a list, by the Repeat that made them. */
export function clonesOf(
  repeats: readonly Item[],
  items: readonly Item[],
): ReadonlyMap<Item, readonly Clone[]> {
  const all = items.flatMap((item) => {
    const record = isClone(item) ? readCloneRecord(item) : undefined;
    const repeat = record === undefined ? undefined : repeatOf(item, record, repeats);
    return record === undefined || repeat === undefined ? [] : [{ item, record, repeat }];
  });
  return grouped(all, ({ repeat }) => repeat);
}

/** The content of a clone now, without elements cloned in its lists; undefined if these are not as they were made. */
export function contentNow(item: Item): ContentDigests | undefined {
  const root = item.read();
  const records = readListRecords(item);
  if (!isNode(root) || records === undefined || holdsAliases(item)) return undefined;
  const collapsed = records.length === 0 ? new Map<number, readonly string[]>() : collapsedIn(root, records);
  return collapsed === undefined ? undefined : contentOf(root, item.kind, collapsed);
}

/** Which clone it is. */
export function keyOf({
  template,
  instance,
  item,
  part,
}: Pick<CloneRecord, "template" | "instance" | "item" | "part">): string {
  return JSON.stringify([template, instance, item, part]);
}

export function isFromKustomize({ annotations }: Item): boolean {
  return annotations.has(Mark.kustomizeId);
}

/** Layers that go with their instance leave the records of what was folded from them: the user did not delete them. */
export function withoutLayers(gone: ReadonlySet<Item>, items: readonly Item[]): Edit[] {
  const layers = [...gone].filter(isLayerItem);
  if (layers.length === 0) return [];
  return items.flatMap((item) => {
    const record = item.annotations.has(Mark.foldedFrom) && !gone.has(item) ? readRecord(item) : undefined;
    if (record === undefined) return [];
    const isGone = ({ kind, name, namespace, slot }: RecordedLayer): boolean =>
      slot === undefined &&
      layers.some(
        (each) =>
          each.kind === kind && hasName(each, name) && [namespace, item.namespace].includes(each.namespace),
      );
    if (!record.layers.some(isGone)) return [];
    const written = JSON.parse(item.annotations.get(Mark.foldedFrom) ?? "") as FoldRecord;
    const left = { ...written, layers: written.layers.filter((layer) => !isGone(layer)) };
    return withoutComments(item, annotate(item, { [Mark.foldedFrom]: JSON.stringify(left) }));
  });
}

/** An item that folded items belong to, or the name that one will have. */
export type FoldOwner = Pick<Named, "kind" | "name" | "namespace"> & {
  readonly annotations?: Named["annotations"];
};

/** A record has the name that its target had when it was folded. */
export function foldsOf(owners: readonly FoldOwner[], items: readonly Item[]): readonly Item[] {
  if (owners.length === 0) return [];
  const byName = new Map<string, FoldOwner[]>();
  for (const owner of owners)
    for (const name of namesOf(owner)) {
      const key = `${owner.kind}/${name}`;
      byName.set(key, [...(byName.get(key) ?? []), owner]);
    }
  const holdings = new Holdings();
  return items.filter((item) => {
    const record = item.annotations.has(Mark.foldedFrom) ? readRecord(item) : undefined;
    if (record === undefined) return false;
    const parts = record.target.split("/");
    const found = byName.get(`${parts[0]}/${parts.at(-1)}`) ?? [];
    return found.some((owner) => item.namespace === owner.namespace) && isUntouched(item, record, holdings);
  });
}

function namesOf(owner: FoldOwner): readonly string[] {
  const { annotations } = owner;
  return annotations === undefined ? [owner.name] : allNamesOf({ ...owner, annotations, apiVersion: "" });
}

function isUntouched(item: Item, { digest, inputs }: FoldRecord, holdings: Holdings): boolean {
  return holdings.keysOf(item).every((key) => {
    const text = holdings.textOf(item, key);
    return !isText(text) || text.digest() === digest || inputs !== undefined;
  });
}
