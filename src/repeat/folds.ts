// Folded items of clones that go, or are made anew: the fold makes them again. One that somebody edited stays, and the
// fold tells of it.
import { isLayerItem, isText } from "../layer/held.ts";
import { Holdings } from "../layer/holdings.ts";
import type { RecordedLayer } from "../model.ts";
import { type FoldRecord, readRecord } from "../refold/record.ts";
import { allNamesOf, hasName } from "../select/names.ts";
import { annotate } from "../wire/annotate.ts";
import { Mark } from "../wire/annotation-names.ts";
import { withoutComments } from "../wire/comments.ts";
import type { Edit } from "../wire/envelope.ts";
import type { Item, Named } from "../wire/item.ts";

/** Layers that go with their instance leave the records of what was folded from them: nobody but us took them out. */
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
    return withoutComments(item, annotate(item, Mark.foldedFrom, JSON.stringify(left)));
  });
}

/** Whose folded items are asked for: an item, or what one will be called. */
export type Owner = Pick<Named, "kind" | "name" | "namespace"> & {
  readonly annotations?: Named["annotations"];
};

/** A record tells the name that its target had when it was folded. */
export function foldsOf(owners: readonly Owner[], items: readonly Item[]): readonly Item[] {
  if (owners.length === 0) return [];
  const byName = new Map<string, Owner[]>();
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
    return found.some((owner) => isBeside(item, owner)) && isUntouched(item, record, holdings);
  });
}

function namesOf(owner: Owner): readonly string[] {
  const { annotations } = owner;
  return annotations === undefined ? [owner.name] : allNamesOf({ ...owner, annotations, apiVersion: "" });
}

/** True for a folded item in its target's namespace, and of the same copy where kustomize made several. */
function isBeside(item: Item, { namespace, annotations }: Owner): boolean {
  const [own, other] = [item.annotations.get(Mark.prefixes), annotations?.get(Mark.prefixes)];
  return item.namespace === namespace && (annotations === undefined || (own ?? "") === (other ?? ""));
}

function isUntouched(item: Item, { digest, inputs }: FoldRecord, holdings: Holdings): boolean {
  return holdings.keysOf(item).every((key) => {
    const text = holdings.textOf(item, key);
    return !isText(text) || text.digest() === digest || inputs !== undefined;
  });
}
