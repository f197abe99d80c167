// Elements cloned in lists of items: one element per instance takes the place of the template. Under kpt the item remembers
// the template, so that the elements can be made again.
import type { Diagnostic } from "../diagnostic.ts";
import {
  annotate,
  describe,
  type Edit,
  grouped,
  isNode,
  type Item,
  Mark,
  NameIndex,
  scalarText,
  unannotate,
  withoutComments,
} from "../core/index.ts";
import { isClone } from "./clones.ts";
import type { OriginEdit } from "./draft.ts";
import { isFailure, fail, type Failure } from "./faults.ts";
import { type Splice, spliceAll } from "./list-edits.ts";
import { type ListEditing, spliceFor, type ListTask } from "./list-entry.ts";
import { type PlacedRecord, placedIn } from "./list-places.ts";
import { claimOfClones, digestsIn, editedElements, elementBefore, placeOfClones } from "./locate-clones.ts";
import { isList, isResource, type ListEntry, type Repeat, type Scope, entryPlace } from "./model.ts";
import {
  type ClonesByIdentity,
  findItem,
  identityOf,
  type EditsOrFaults,
  type PlannedClone,
  type RepeatRun,
} from "./planned-clones.ts";
import { type ListRecord, readListRecords, repeatOf, writeRecord } from "./record.ts";
import { nothingLeft, retired } from "./retire.ts";
import { scopesOf } from "./scopes.ts";

/** The edits that bring cloned elements of lists up to date. Clones of whole items are in the list already. */
export function repeatLists(run: RepeatRun, clones: ClonesByIdentity): EditsOrFaults {
  const tasks = new Map<Item, ListTask[]>();
  const faults: Diagnostic[] = [];
  const names = new NameIndex(run.envelope.items.filter((item) => !isClone(item)));
  const templates = templatesOf(run, names);
  for (const task of allTasks(run, names, templates, clones)) {
    if (isFailure(task)) faults.push(task.fault);
    else tasks.set(task.item, [...(tasks.get(task.item) ?? []), task]);
  }
  for (const item of run.envelope.items)
    if (item.annotations.has(Mark.repeatedLists) && !tasks.has(item)) tasks.set(item, []);
  const edits: OriginEdit[] = [];
  for (const [item, own] of tasks) {
    const found = editsIn(item, own, run);
    if (isFailure(found)) faults.push(found.fault);
    else for (const each of found) edits.push(each);
  }
  if (faults.length > 0) return { edits: [], faults };
  const empty = nothingLeft(templates, run);
  return empty === undefined
    ? { edits: [...edits, ...retired(templates, run)], faults }
    : { edits: [], faults: [empty.fault] };
}

function editsIn(
  item: Item,
  tasks: readonly ListTask[],
  { repeats, outputIsNextInput }: RepeatRun,
): readonly OriginEdit[] | Failure {
  const root = item.read();
  const before = readListRecords(item);
  const [first] = tasks;
  if (!isNode(root)) return [];
  if (before === undefined) return first === undefined ? [] : brokenRecord(first.entry, item);
  const placed = placedIn(root, before);
  const editing: ListEditing = {
    placed,
    claims: placed.map(claimOfClones),
    splices: [],
    spans: [],
    empty: new Map(),
  };
  const records: ListRecord[] = [];
  for (const task of tasks) {
    const found = spliceFor(task, item, root, editing);
    if (isFailure(found)) return found;
    records.push(found);
  }
  const items = repeats.map((each) => each.item);
  for (const one of placed) {
    const repeat = repeatOf(item, one.record, items);
    if (tasks.some(({ entry }) => entry.path === one.record.path && entry.repeat === repeat)) continue;
    const splice = repeat === undefined ? undefined : released(one, item, repeat, editing);
    if (splice === undefined) records.push(one.record);
    else if (isFailure(splice)) return splice;
    else editing.splices.push(splice);
  }
  // Without a later run that makes the clones again, nothing is recorded.
  const note = outputIsNextInput || before.length > 0 ? noteOf(records, item, editing) : [];
  return withoutComments(item, [...spliceAll(editing.splices), ...note]);
}

/** The annotation that remembers the lists of an item. */
function noteOf(records: readonly ListRecord[], item: Item, { empty, claims }: ListEditing): Edit[] {
  if (records.length === 0) return unannotate(item, Mark.repeatedLists);
  const complete = records.map((record) => {
    const place = empty.get(record);
    return place === undefined ? record : { ...record, follows: elementBefore(place, claims) };
  });
  const ordered = complete.toSorted((a, b) =>
    a.path < b.path ? -1 : a.path > b.path ? 1 : a.repeat < b.repeat ? -1 : 1,
  );
  return annotate(item, { [Mark.repeatedLists]: writeRecord(ordered) });
}

/** A template that no entry clones any more takes its place again. */
function released(place: PlacedRecord, item: Item, repeat: Item, editing: ListEditing): Splice | Failure {
  const { list, record } = place;
  const where = { repeat, field: "spec.clone" };
  const at = placeOfClones(place, item, where, editing);
  if (typeof at !== "number") return at;
  const digests = digestsIn(list);
  if (record.clones.some(([, digest], index) => digests[at + index] !== digest))
    return editedElements(place, item, where);
  return { list, index: record.index, at, count: record.clones.length, texts: [record.template] };
}

function brokenRecord(entry: ListEntry, item: Item): Failure {
  return fail(
    "repeat-edited",
    entryPlace(entry),
    `the annotation \`${Mark.repeatedLists}\` of \`${describe(item)}\` is not as it was written`,
    "bring it back from version control, or put the templates back in the lists and take it off",
    [item],
  );
}

function templatesOf(
  { envelope: { items }, repeats }: RepeatRun,
  names: NameIndex,
): ReadonlyMap<Item, Repeat> {
  const templates = new Map<Item, Repeat>();
  for (const repeat of repeats)
    for (const entry of repeat.entries.filter(isResource)) {
      const template = findItem(entry, names, items);
      if (!isFailure(template)) templates.set(template, repeat);
    }
  return templates;
}

/** @param clones of whole items, by their identity */
function* allTasks(
  { envelope: { items }, repeats }: RepeatRun,
  names: NameIndex,
  templates: ReadonlyMap<Item, Repeat>,
  clones: ClonesByIdentity,
): Generator<(ListTask & { readonly item: Item }) | Failure> {
  const made = items.flatMap((item) => {
    const wanted = clones.get(identityOf(item));
    return wanted === undefined ? [] : [{ item, wanted }];
  });
  const byRepeat = grouped(made, ({ wanted }) => wanted.entry.repeat);
  for (const repeat of repeats)
    for (const entry of repeat.entries.filter(isList)) {
      const item = findItem(entry, names, items);
      const scopes = isFailure(item) ? item : scopesOf(entry, repeat.instances);
      if (isFailure(item)) yield item;
      else if (isFailure(scopes)) yield scopes;
      else if (!templates.has(item)) yield { item, entry, scopes };
      else if (templates.get(item) !== repeat) yield foreign(entry, item, templates.get(item) as Repeat);
      else yield* inClones({ entry, scopes }, repeat, byRepeat.get(repeat.item) ?? []);
    }
}

/** The same inside each clone of a template, for what that clone was made for. */
function* inClones(
  { entry, scopes }: ListTask,
  repeat: Repeat,
  clones: readonly { readonly item: Item; readonly wanted: PlannedClone }[],
): Generator<ListTask & { readonly item: Item }> {
  const isAlike = isSameEach(entry, repeat);
  for (const { item, wanted } of clones) {
    if (wanted.entry.kind !== entry.kind || wanted.entry.name !== entry.name) continue;
    const isOwn = ({ instance, item: own }: Scope): boolean =>
      instance.name === wanted.scope.instance.name &&
      (wanted.scope.item === undefined || !isAlike || own?.name === wanted.scope.item.name);
    yield { item, entry, scopes: scopes.filter(isOwn) };
  }
}

/** True if a list entry runs over the same items as the clones of its item. */
function isSameEach({ kind, name, each }: ListEntry, { entries }: Repeat): boolean {
  const whole = entries.find((one) => isResource(one) && one.kind === kind && one.name === name);
  return (
    whole?.each !== undefined && each !== undefined && scalarText(whole.each.node) === scalarText(each.node)
  );
}

function foreign(entry: ListEntry, item: Item, { item: other }: Repeat): Failure {
  return fail(
    "repeat-target",
    entryPlace(entry),
    `\`${describe(item)}\` is a template of \`${describe(other)}\``,
    "write this entry there: an entry repeats inside of the clones of its own Repeat",
    [item],
  );
}
