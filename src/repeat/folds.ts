// Folded items of clones that go, or are made anew: the fold makes them again. One that somebody edited stays, and the
// fold tells of it.
import { isLayerItem, isText } from "../layer/held.ts";
import { Holdings } from "../layer/holdings.ts";
import type { RecordedLayer } from "../model.ts";
import { type FoldRecord, readRecord } from "../refold/record.ts";
import { hasName } from "../select/names.ts";
import { annotate } from "../wire/annotate.ts";
import { Mark } from "../wire/annotation-names.ts";
import { withoutComments } from "../wire/comments.ts";
import type { Edit } from "../wire/envelope.ts";
import type { Item } from "../wire/item.ts";

/** Layers that go with their instance leave the records of what was folded from them: nobody but us took them out. */
export function withoutLayers(gone: ReadonlySet<Item>, items: readonly Item[]): Edit[] {
  const layers = [...gone].filter(isLayerItem);
  if (layers.length === 0) return [];
  return items.flatMap((item) => {
    const record = item.annotations.has(Mark.foldedFrom) && !gone.has(item) ? readRecord(item) : undefined;
    if (record === undefined) return [];
    const isGone = ({ kind, name, namespace, slot }: RecordedLayer): boolean =>
      slot === undefined &&
      layers.some((each) => each.kind === kind && hasName(each, name) && each.namespace === namespace);
    if (!record.layers.some(isGone)) return [];
    const written = JSON.parse(item.annotations.get(Mark.foldedFrom) ?? "") as FoldRecord;
    const left = { ...written, layers: written.layers.filter((layer) => !isGone(layer)) };
    return withoutComments(item, annotate(item, Mark.foldedFrom, JSON.stringify(left)));
  });
}

/** @param targets as records name them: `Kind/[namespace/]name` */
export function foldsOf(targets: ReadonlySet<string>, items: readonly Item[]): readonly Item[] {
  if (targets.size === 0) return [];
  const holdings = new Holdings();
  return items.filter((item) => {
    const record = item.annotations.has(Mark.foldedFrom) ? readRecord(item) : undefined;
    if (record === undefined || !targets.has(record.target)) return false;
    return holdings.keysOf(item).every((key) => {
      const text = holdings.textOf(item, key);
      return !isText(text) || text.digest() === record.digest || record.inputs !== undefined;
    });
  });
}
