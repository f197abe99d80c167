// Where the template of a list entry is, or under kpt its clones, which are found by their content. Elements that are not
// clones are never written over or taken out.
import {
  childrenOf,
  describe,
  type Document,
  Field,
  field,
  type Item,
  Kind,
  kindOf,
  Mark,
  type Node,
} from "../core/index.ts";
import { elementContent, type ListRecord } from "./record.ts";
import { isFailure, fail, type Failure, type RepeatPlace } from "./faults.ts";
import { indexOf } from "./fields.ts";
import { elementText } from "./list-edits.ts";
import { listAt, type PlacedRecord, shiftBefore } from "./list-places.ts";
import { type ListEntry, entryPlace } from "./model.ts";

/** Elements of a list that are clones of one entry. */
export interface Span {
  readonly list: Node;
  readonly from: number;
  readonly to: number;
}

const known = new WeakMap<Document, Map<number, readonly string[]>>();

/** The digest of each element of a list: made once for all entries that clone in it. */
export function digestsIn(list: Node): readonly string[] {
  const own = known.get(list.doc) ?? new Map<number, readonly string[]>();
  known.set(list.doc, own);
  const digests = own.get(list.row) ?? childrenOf(list).map(elementContent);
  own.set(list.row, digests);
  return digests;
}

/** Index of the first clone; a fault where they are not together as they were made. @param spans which it joins */
export function placeOfClones(
  place: PlacedRecord,
  item: Item,
  where: RepeatPlace,
  { spans, claims }: { readonly spans: Span[]; readonly claims: readonly Claim[] },
): number | Failure {
  const { record, list, at } = place;
  if (record.clones.length === 0) return placeOfNone(place, item, where, claims);
  const digests = digestsIn(list);
  const count = record.clones.length;
  const isFree = (from: number): boolean =>
    !spans.some((one) => one.list.row === list.row && from < one.to && one.from < from + count);
  const isAt = (from: number): boolean => areAt(from, record, digests) && isFree(from);
  const found = isAt(at) ? at : digests.findIndex((_, from) => isAt(from));
  if (found < 0) return editedElements(place, item, where);
  spans.push({ list, from: found, to: found + count });
  return found;
}

function areAt(from: number, { clones }: ListRecord, digests: readonly string[]): boolean {
  return clones.every(([, digest], index) => digests[from + index] === digest);
}

/** The clones of a record as elements that are taken, wherever they are now. */
export function claimOfClones({ record, list, at }: PlacedRecord): Claim {
  const digests = digestsIn(list);
  const now = areAt(at, record, digests) ? at : digests.findIndex((_, from) => areAt(from, record, digests));
  return claimOf({ record, list, at: now < 0 ? at : now }, record.clones.length);
}

/** The element that clones would follow, and that is not a clone itself: by it their place is found again. */
export function elementBefore({ list, at }: PlacedRecord, claims: readonly Claim[]): string | null {
  const children = childrenOf(list);
  // Users may have taken elements out: the list may be shorter than it was.
  for (let before = Math.min(at, children.length) - 1; before >= 0; before--)
    if (claimOn(children[before], claims) === undefined) return digestsIn(list)[before] ?? null;
  return null;
}

/** The place of the next clone in a list that has no clone of the record. */
function placeOfNone(
  place: PlacedRecord,
  item: Item,
  where: RepeatPlace,
  claims: readonly Claim[],
): number | Failure {
  const { record, list, at } = place;
  if (record.follows === undefined || elementBefore(place, claims) === record.follows) return at;
  const children = childrenOf(list);
  const found = digestsIn(list).flatMap((digest, index) =>
    digest === record.follows && claimOn(children[index], claims) === undefined ? [index] : [],
  );
  const [only = -1, second] = found;
  if (second !== undefined || (record.follows !== null && only < 0))
    return editedElements(place, item, where);
  let next = only + 1;
  while ((claimOn(children[next], claims)?.record.index ?? Infinity) < record.index) next++;
  return next;
}

function claimOn(element: Node | undefined, claims: readonly Claim[]): Claim | undefined {
  return claims.find(({ from, to }) => element !== undefined && from <= element.row && element.row < to);
}

/** A user changed elements, and the change would be lost. */
export function editedElements({ record }: PlacedRecord, item: Item, where: RepeatPlace): Failure {
  return fail(
    "repeat-edited",
    where,
    `elements of \`${record.path}\` of \`${describe(item)}\` were edited since they were made`,
    `make the change in the instance or with \`set\`; or put the template back in their place, and take the annotation \`${Mark.repeatedLists}\` off`,
    [item],
  );
}

/** Elements that an entry clones or cloned: rows of the document, from the first on. */
export interface Claim {
  readonly record: ListRecord;
  readonly from: number;
  readonly to: number;
}

function claimOf({ record, list, at }: PlacedRecord, count: number): Claim {
  const children = childrenOf(list);
  const [first, last] = [children[at], children[at + count - 1]];
  if (count === 0 || first === undefined || last === undefined) return { record, from: 0, to: 0 };
  return { record, from: first.row, to: field(last, Field.next) };
}

/** A template that no other entry has claimed; it is claimed from now on. @param placed records of the item's lists */
export function claimed(
  entry: ListEntry,
  item: Item,
  root: Node,
  { placed, claims }: { readonly placed: readonly PlacedRecord[]; readonly claims: Claim[] },
): PlacedRecord | Failure {
  const place = templateIn(entry, item, root, placed);
  if (isFailure(place)) return place;
  const claim = claimOf(place, 1);
  const other = claims.find(({ from, to }) => claim.from < to && from < claim.to);
  if (other !== undefined) return taken(entry, item, other.record);
  claims.push(claim);
  return place;
}

/** The element that becomes the template, and a record of it. */
function templateIn(
  entry: ListEntry,
  item: Item,
  root: Node,
  placed: readonly PlacedRecord[],
): PlacedRecord | Failure {
  const where = { ...entryPlace(entry), field: `${entry.field}.path` };
  const name = describe(item);
  const list = listAt(root, entry.steps, placed);
  if (list === undefined)
    return fail(
      "repeat-path",
      where,
      `\`${entry.path}\` of \`${name}\` leads to no list`,
      "correct the path; a list in it takes an index, and what is cloned itself holds no clones",
      [item],
    );
  const wanted = indexOf(list, entry.element);
  const isIndex = /^\d+$/.test(entry.element);
  const own = placed.filter((one) => one.list.row === list.row);
  const other = own.find(({ record }) => record.index === (isIndex ? wanted : undefined));
  if (other !== undefined) return taken(entry, item, other.record);
  const at = wanted === undefined ? -1 : isIndex ? wanted + shiftBefore(list, wanted, placed) : wanted;
  const element = childrenOf(list)[at];
  if (element === undefined)
    return fail(
      "repeat-path",
      where,
      `\`${entry.path}\` of \`${name}\`: no element \`[${entry.element}]\` in a list of ${childrenOf(list).length}`,
      "correct the path, or add the element that is the template",
      [item],
    );
  if (kindOf(element) === Kind.alias)
    return fail("repeat-path", where, "the element is a YAML alias", "write it out", [item]);
  const index =
    at - own.filter((one) => one.at < at).reduce((sum, { record }) => sum + record.clones.length - 1, 0);
  const template = elementText(element);
  return { record: { repeat: entry.repeat.name, path: entry.path, index, template, clones: [] }, list, at };
}

function taken(entry: ListEntry, item: Item, { repeat, path }: ListRecord): Failure {
  const where = { ...entryPlace(entry), field: `${entry.field}.path` };
  return fail(
    "repeat-path",
    where,
    `\`${entry.path}\` of \`${describe(item)}\` meets \`${path}\`, a template of \`Repeat/${repeat}\``,
    "clone another element, or make both one entry",
    [item],
  );
}
