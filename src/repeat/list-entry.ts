// One entry that clones a list element: what stands there now, and what is to.
import { Mark } from "../wire/annotation-names.ts";
import type { Item } from "../wire/item.ts";
import { childrenOf, type Node } from "../yaml/tape.ts";
import { isFromKustomize } from "./clones.ts";
import { elementContent } from "./content.ts";
import { elementText, madeFor } from "./elements.ts";
import { isTold, type Told } from "./faults.ts";
import type { Splice } from "./list-splice.ts";
import { type Claim, claimed } from "./list-template.ts";
import { type ListEntry, whereIs } from "./model.ts";
import type { ListRecord } from "./record.ts";
import { elementIn, type Placed } from "./records-in-place.ts";
import type { Task } from "./tasks.ts";
import { changedElements, type Span, whereNow } from "./where-now.ts";

interface Editing {
  readonly placed: readonly Placed[];
  readonly claims: Claim[];
  readonly splices: Splice[];
  readonly spans: Span[];
}

/** Adds what changes for one entry; the record of what is there then. */
export function spliceFor(task: Task, item: Item, root: Node, editing: Editing): ListRecord | Told {
  const { entry } = task;
  const known = editing.placed.find(
    ({ record }) =>
      record.path === entry.path && (record.repeat === entry.repeat.name || isRenamed(record, entry)),
  );
  const place = known === undefined ? claimed(entry, item, root, editing) : known;
  if (isTold(place)) return place;
  const { record, list } = place;
  const made = madeForAll(task, record, item);
  if (isTold(made)) return made;
  const after = { ...record, clones: made.map(({ name, digest }) => [name, digest] as const) };
  // What an overlay changes in a list stays, wherever it stands, as long as the Repeat changes nothing.
  if (known !== undefined && isFromKustomize(item) && isSameRecord(after, record)) return after;
  const at = known === undefined ? place.at : whereNow(place, item, whereIs(entry), editing.spans);
  if (typeof at !== "number") return at;
  const now = known === undefined ? [] : childrenOf(list).slice(at, at + record.clones.length);
  const wanted = made.map((one) => keptOr(one, record, now, item));
  const kept = new Set(wanted.filter((each) => typeof each !== "string"));
  const isEdited = (each: Node, index: number): boolean =>
    elementContent(each) !== record.clones[index]?.[1] && !kept.has(each);
  if (now.some(isEdited)) return changedElements(place, item, whereIs(entry));
  const isSame =
    known !== undefined && wanted.length === now.length && wanted.every((each, index) => each === now[index]);
  const texts = wanted.map((each) => (typeof each === "string" ? each : elementText(each)));
  const count = known === undefined ? 1 : now.length;
  if (!isSame) editing.splices.push({ list, index: record.index, at, count, texts });
  return after;
}

function isSameRecord({ clones }: ListRecord, before: ListRecord): boolean {
  return JSON.stringify(clones) === JSON.stringify(before.clones);
}

interface MadeElement {
  /** For whom. */
  readonly name: string;
  readonly text: string;
  readonly digest: string;
}

function madeForAll(
  { entry, scopes }: Task,
  { template }: ListRecord,
  { kind }: Item,
): readonly MadeElement[] | Told {
  const made: MadeElement[] = [];
  for (const { instance, item } of scopes) {
    const text = madeFor(entry, { instance, ...(item === undefined ? {} : { item }) }, template, kind);
    if (typeof text !== "string") return text;
    const element = elementIn(text);
    const name = item === undefined ? instance.name : `${instance.name}/${item.name}`;
    made.push({ name, text, digest: element === undefined ? "" : elementContent(element) });
  }
  return made;
}

/** An element that says what it should stays as it is written; so does one that an overlay patched. */
function keptOr(
  { name, text, digest }: MadeElement,
  { clones }: ListRecord,
  now: readonly Node[],
  item: Item,
): string | Node {
  const before = clones.findIndex(([own]) => own === name);
  const there = now[before];
  if (there === undefined) return text;
  const isPatched = isFromKustomize(item) && clones[before]?.[1] === digest;
  return isPatched || elementContent(there) === digest ? there : text;
}

function isRenamed({ repeat }: ListRecord, entry: ListEntry): boolean {
  return entry.repeat.annotations.get(Mark.previousNames)?.split(",").includes(repeat) === true;
}
