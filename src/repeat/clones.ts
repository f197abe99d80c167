// Clones that are there already: whose they are, and whether somebody edited them.
import { grouped } from "../grouped.ts";
import { isNode, type Item } from "../wire/item.ts";
import { Mark } from "../wire/annotation-names.ts";
import { type Content, contentOf } from "./content.ts";
import { collapsedIn } from "./records-in-place.ts";
import { holdsAliases } from "./templates.ts";
import { type CloneRecord, readCloneRecord, readListRecords } from "./record.ts";
import { repeatOf } from "./repeat-of.ts";

export interface Clone {
  readonly item: Item;
  readonly record: CloneRecord;
}

/** Clones in a list, by the Repeat that made them. */
export function clonesOf(
  repeats: readonly Item[],
  items: readonly Item[],
): ReadonlyMap<Item, readonly Clone[]> {
  const all = items.flatMap((item) => {
    const record = item.annotations.has(Mark.repeatedFrom) ? readCloneRecord(item) : undefined;
    const repeat = record === undefined ? undefined : repeatOf(item, record, repeats);
    return record === undefined || repeat === undefined ? [] : [{ item, record, repeat }];
  });
  return grouped(all, ({ repeat }) => repeat);
}

/** What a clone says now, elements cloned in its lists aside; undefined where these are not as they were made. */
export function contentNow(item: Item): Content | undefined {
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
