// Elements cloned in lists of items: the template's place is taken by one element per instance, and the item remembers
// the template, so that they can be made again.
import type { Diagnostic } from "../diagnostic.ts";
import { NameIndex } from "../select/names.ts";
import { annotate, unannotate } from "../wire/annotate.ts";
import { Mark } from "../wire/annotation-names.ts";
import { withoutComments } from "../wire/comments.ts";
import { describe, isNode, type Item } from "../wire/item.ts";
import { repeatOf } from "./repeat-of.ts";
import { isTold, told, type Told } from "./faults.ts";
import { spliceFor } from "./list-entry.ts";
import { type Claim, claimOf } from "./list-template.ts";
import { type Splice, spliceAll } from "./list-splice.ts";
import { type ListEntry, type Repeat, whereIs } from "./model.ts";
import { type ListRecord, readListRecords, writeRecord } from "./record.ts";
import { type Placed, placedIn } from "./records-in-place.ts";
import { nothingLeft, retired } from "./retire.ts";
import { type Task, templatesOf, allTasks } from "./tasks.ts";
import type { OriginEdit, Outcome, Round } from "./wanted.ts";
import { changedElements, digestsIn, type Span, whereNow } from "./where-now.ts";

/** The edits that bring cloned elements of lists up to date. Runs on a list whose clones of whole items are there. */
export function repeatLists(round: Round): Outcome {
  const tasks = new Map<Item, Task[]>();
  const faults: Diagnostic[] = [];
  const names = new NameIndex(
    round.envelope.items.filter(({ annotations }) => !annotations.has(Mark.repeatedFrom)),
  );
  const templates = templatesOf(round, names);
  for (const task of allTasks(round, names, templates)) {
    if (isTold(task)) faults.push(task.fault);
    else tasks.set(task.item, [...(tasks.get(task.item) ?? []), task]);
  }
  for (const item of round.envelope.items)
    if (item.annotations.has(Mark.repeatedLists) && !tasks.has(item)) tasks.set(item, []);
  const edits: OriginEdit[] = [];
  for (const [item, own] of tasks) {
    const found = editsIn(item, own, round);
    if (isTold(found)) faults.push(found.fault);
    else for (const each of found) edits.push(each);
  }
  if (faults.length > 0) return { edits: [], faults };
  const empty = nothingLeft(templates, round);
  return empty === undefined
    ? { edits: [...edits, ...retired(templates, round)], faults }
    : { edits: [], faults: [empty.fault] };
}

function editsIn(item: Item, tasks: readonly Task[], { repeats }: Round): readonly OriginEdit[] | Told {
  const root = item.read();
  const before = readListRecords(item);
  const [first] = tasks;
  if (!isNode(root)) return [];
  if (before === undefined) return first === undefined ? [] : brokenRecord(first.entry, item);
  const placed = placedIn(root, before);
  const splices: Splice[] = [];
  const records: ListRecord[] = [];
  const spans: Span[] = [];
  const claims: Claim[] = placed.map((one) => claimOf(one));
  for (const task of tasks) {
    const found = spliceFor(task, item, root, { placed, claims, splices, spans });
    if (isTold(found)) return found;
    records.push(found);
  }
  for (const one of placed.filter(
    ({ record }) => !tasks.some((task) => isOf(record, task.entry, item, repeats)),
  )) {
    const repeat = repeatOf(
      item,
      one.record,
      repeats.map((each) => each.item),
    );
    const splice = repeat === undefined ? undefined : released(one, item, repeat, spans);
    if (splice === undefined) records.push(one.record);
    else if (isTold(splice)) return splice;
    else splices.push(splice);
  }
  const ordered = records.toSorted((a, b) =>
    a.path < b.path ? -1 : a.path > b.path ? 1 : a.repeat < b.repeat ? -1 : 1,
  );
  const note =
    ordered.length === 0
      ? unannotate(item, Mark.repeatedLists)
      : annotate(item, Mark.repeatedLists, writeRecord(ordered));
  return withoutComments(item, [...spliceAll(splices), ...note]);
}

/** A template that no entry clones any more takes its place again. */
function released(place: Placed, item: Item, repeat: Item, spans: Span[]): Splice | Told {
  const { list, record } = place;
  const where = { repeat, field: "spec.clone" };
  const at = whereNow(place, item, where, spans);
  if (typeof at !== "number") return at;
  const digests = digestsIn(list);
  if (record.clones.some(([, digest], index) => digests[at + index] !== digest))
    return changedElements(place, item, where);
  return { list, index: record.index, at, count: record.clones.length, texts: [record.template] };
}

function isOf(record: ListRecord, entry: ListEntry, item: Item, repeats: readonly Repeat[]): boolean {
  return (
    record.path === entry.path &&
    repeatOf(
      item,
      record,
      repeats.map((each) => each.item),
    ) === entry.repeat
  );
}

function brokenRecord(entry: ListEntry, item: Item): Told {
  return told(
    "repeat-edited",
    whereIs(entry),
    `the annotation \`${Mark.repeatedLists}\` of \`${describe(item)}\` is not as it was written`,
    "bring it back from version control, or put the templates back in the lists and take it off",
    [item],
  );
}
