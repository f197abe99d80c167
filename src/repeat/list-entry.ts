// One entry that clones a list element: the clones that the list has now, and those that it gets.
import { childrenOf, type Item, type Node } from "../core/index.ts";
import { elementContent, type ListRecord } from "./record.ts";
import { withEdits } from "./draft.ts";
import { isFailure, type Failure, fail } from "./faults.ts";
import { elementText, type Splice } from "./list-edits.ts";
import { elementIn, type PlacedRecord } from "./list-places.ts";
import { editedElements, type Claim, claimed, type Span, placeOfClones } from "./locate-clones.ts";
import { type ListEntry, type Scope, entryPlace } from "./model.ts";
import { editsOf, fieldValues } from "./setting.ts";

/** One entry, and the instances that it makes clones for. */
export interface ListTask {
  readonly entry: ListEntry;
  readonly scopes: readonly Scope[];
}

/** What is known, and what is done, about the lists of one item. */
export interface ListEditing {
  readonly placed: readonly PlacedRecord[];
  readonly claims: Claim[];
  readonly splices: Splice[];
  readonly spans: Span[];
  /** Where the clones of a record would be that has none. */
  readonly empty: Map<ListRecord, PlacedRecord>;
}

/** Adds the changes of one entry; returns the record of the clones that the list has then. */
export function spliceFor(
  task: ListTask,
  item: Item,
  root: Node,
  editing: ListEditing,
): ListRecord | Failure {
  const { entry } = task;
  const known = editing.placed.find(
    ({ record }) => record.path === entry.path && record.repeat === entry.repeat.name,
  );
  const place = known === undefined ? claimed(entry, item, root, editing) : known;
  if (isFailure(place)) return place;
  const { record, list } = place;
  const made = makeElements(task, record, item);
  if (isFailure(made)) return made;
  const { follows: _, ...kept } = record;
  const after = { ...kept, clones: made.map(({ name, digest }) => [name, digest] as const) };
  // What a user changes in a list stays, as long as the Repeat changes nothing.
  if (known !== undefined && isSameRecord(after, record)) return record;
  const at = known === undefined ? place.at : placeOfClones(place, item, entryPlace(entry), editing);
  if (typeof at !== "number") return at;
  const now = known === undefined ? [] : childrenOf(list).slice(at, at + record.clones.length);
  const wanted = made.map((one) => stayingOr(one, record, now));
  const staying = new Set(wanted.filter((each) => typeof each !== "string"));
  const isEdited = (each: Node, index: number): boolean =>
    elementContent(each) !== record.clones[index]?.[1] && !staying.has(each);
  if (now.some(isEdited)) return editedElements(place, item, entryPlace(entry));
  const isSame =
    known !== undefined && wanted.length === now.length && wanted.every((each, index) => each === now[index]);
  const texts = wanted.map((each) => (typeof each === "string" ? each : elementText(each)));
  const count = known === undefined ? 1 : now.length;
  if (!isSame) editing.splices.push({ list, index: record.index, at, count, texts });
  if (made.length === 0) editing.empty.set(after, { record: after, list, at });
  return after;
}

function isSameRecord({ clones }: ListRecord, before: ListRecord): boolean {
  return JSON.stringify(clones) === JSON.stringify(before.clones);
}

interface MadeElement {
  /** Its instance, and its item under `each`. */
  readonly name: string;
  readonly text: string;
  readonly digest: string;
}

function makeElements(
  { entry, scopes }: ListTask,
  { template }: ListRecord,
  holder: Item,
): readonly MadeElement[] | Failure {
  const made: MadeElement[] = [];
  for (const { instance, item } of scopes) {
    const text = makeElementText(
      entry,
      { instance, ...(item === undefined ? {} : { item }) },
      template,
      holder,
    );
    if (typeof text !== "string") return text;
    const element = elementIn(text);
    const name = item === undefined ? instance.name : `${instance.name}/${item.name}`;
    made.push({ name, text, digest: element === undefined ? "" : elementContent(element) });
  }
  return made;
}

/** An element with the right content stays as it is written. */
function stayingOr(
  { name, text, digest }: MadeElement,
  { clones }: ListRecord,
  now: readonly Node[],
): string | Node {
  const before = clones.findIndex(([own]) => own === name);
  const present = now[before];
  return present !== undefined && elementContent(present) === digest ? present : text;
}

/** The template's text with its fields set for one scope. */
function makeElementText(entry: ListEntry, scope: Scope, template: string, holder: Item): string | Failure {
  const wanted = fieldValues(entry, scope, holder);
  if (isFailure(wanted)) return wanted;
  let text = template;
  for (let left: readonly (typeof wanted)[number][] = wanted; left.length > 0;) {
    const element = elementIn(text);
    if (element === undefined)
      return fail(
        "repeat-path",
        entryPlace(entry),
        "the element that is the template cannot be read by itself",
        "write it out, without anchors",
      );
    const next = editsOf(element, left, entry);
    if (isFailure(next)) return next;
    const { bytes } = element.doc;
    text = withEdits(bytes, 0, bytes.length, next.edits).bytes.toString("utf8");
    left = next.left;
  }
  return text;
}
