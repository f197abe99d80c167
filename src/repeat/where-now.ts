// Where the clones of an entry stand in their list now: told by what each of them says. What is none of them is never
// written over or taken out.
import { Mark } from "../wire/annotation-names.ts";
import { isFromKpt } from "../wire/comments.ts";
import { describe, type Item } from "../wire/item.ts";
import { childrenOf, type Document, type Node } from "../yaml/tape.ts";
import { isFromKustomize } from "./clones.ts";
import { elementContent } from "./content.ts";
import { told, type Told, type Where } from "./faults.ts";
import type { Placed } from "./records-in-place.ts";

/** Elements of a list that are somebody's clones. */
export interface Span {
  readonly list: Node;
  readonly from: number;
  readonly to: number;
}

const known = new WeakMap<Document, Map<number, readonly string[]>>();

/** Of each element of a list: made once for all entries that clone in it. */
export function digestsIn(list: Node): readonly string[] {
  const own = known.get(list.doc) ?? new Map<number, readonly string[]>();
  known.set(list.doc, own);
  const digests = own.get(list.row) ?? childrenOf(list).map(elementContent);
  own.set(list.row, digests);
  return digests;
}

/** Index of the first clone; a fault where they are not together as they were made. @param spans which it joins */
export function whereNow(place: Placed, item: Item, where: Where, spans: Span[]): number | Told {
  const { record, list, at } = place;
  const digests = digestsIn(list);
  const count = record.clones.length;
  const isFree = (from: number): boolean =>
    !spans.some((one) => one.list.row === list.row && from < one.to && one.from < from + count);
  const isAt = (from: number): boolean =>
    record.clones.every(([, digest], index) => digests[from + index] === digest) && isFree(from);
  const found = isAt(at) ? at : count === 0 ? -1 : digests.findIndex((_, from) => isAt(from));
  const from = found < 0 && isFromKustomize(item) ? amongPatched(place, digests, isFree) : found;
  if (from < 0) return changedElements(place, item, where);
  spans.push({ list, from, to: from + count });
  return from;
}

/** An overlay patches clones: those that it left alone say where the others are, if they are still together. */
function amongPatched(
  { record: { clones }, at }: Placed,
  digests: readonly string[],
  isFree: (from: number) => boolean,
): number {
  const places = clones.flatMap(([, digest], index) => {
    const from = digests.indexOf(digest);
    return from < 0 ? [] : [from - index];
  });
  const from = places[0] ?? at;
  const isTogether = places.every((place) => place === from);
  return isTogether && from >= 0 && from + clones.length <= digests.length && isFree(from) ? from : -1;
}

/** Somebody changed elements, and the change would be lost. */
export function changedElements({ record }: Placed, item: Item, where: Where): Told {
  return told(
    "repeat-edited",
    where,
    `elements of \`${record.path}\` of \`${describe(item)}\` were edited since they were made`,
    `make the change in the instance or with \`set\`${isFromKpt(item) ? "" : ", or fold what came before"}; or put the template back in their place, and take the annotation \`${Mark.repeatedLists}\` off`,
    [item],
  );
}
