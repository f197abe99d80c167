// Elements cloned in lists of items: one element per instance takes the place of the template. Clones of whole items are in
// the list already. Repeats and templates go.
import type { Diagnostic } from "../diagnostic.ts";
import {
  describe,
  grouped,
  isRepeat,
  type Item,
  NameIndex,
  removeItems,
  scalarText,
  withoutComments,
} from "../core/index.ts";
import type { OriginEdit } from "./draft.ts";
import { claim, type Claim, type ListTask, makeElements } from "./elements.ts";
import { fail, type Failure, isFailure } from "./faults.ts";
import { type Splice, spliceAll } from "./list-edits.ts";
import {
  type Entry,
  entryPlace,
  isList,
  isResource,
  type ListEntry,
  type Repeat,
  type Scope,
} from "./model.ts";
import {
  type ClonesByIdentity,
  type EditsOrFaults,
  findItem,
  identityOf,
  type PlannedClone,
  type RepeatRun,
} from "./planned-clones.ts";
import { scopesOf } from "./scopes.ts";

/** The edits that clone elements, and take out Repeats and templates. @param clones of whole items */
export function repeatLists(run: RepeatRun, clones: ClonesByIdentity): EditsOrFaults {
  const { envelope } = run;
  const tasks = new Map<Item, ListTask[]>();
  const faults: Diagnostic[] = [];
  const names = new NameIndex(envelope.items);
  const templates = templatesOf(run, names);
  for (const task of allTasks(run, names, templates, clones)) {
    if (isFailure(task)) faults.push(task.fault);
    else tasks.set(task.item, [...(tasks.get(task.item) ?? []), task]);
  }
  const edits: OriginEdit[] = [];
  for (const [item, own] of tasks) {
    const found = editsIn(item, own);
    if (isFailure(found)) faults.push(found.fault);
    else for (const each of found) edits.push(each);
  }
  if (faults.length > 0) return { edits: [], faults };
  const gone = new Set([...envelope.items.filter(isRepeat), ...templates.keys()]);
  if (gone.size === envelope.items.length) return { edits: [], faults: nothingLeft(run) };
  return { edits: [...edits, ...removeItems(envelope, gone)], faults };
}

/** A fault for an empty output, which would look like a broken pipe. */
function nothingLeft({ repeats: [repeat] }: RepeatRun): readonly Diagnostic[] {
  if (repeat === undefined) return [];
  const where = { repeat: repeat.item, field: "spec" };
  const message = "there is no instance, and nothing else is in the list, so nothing would come out";
  return [fail(where, message, "add an instance").fault];
}

function editsIn(item: Item, tasks: readonly ListTask[]): readonly OriginEdit[] | Failure {
  const claims: Claim[] = [];
  const splices: Splice[] = [];
  for (const task of tasks) {
    const claimed = claim(task.entry, item, claims);
    if (isFailure(claimed)) return claimed;
    claims.push(claimed);
    const texts = makeElements(task, claimed.text, item);
    if (isFailure(texts)) return texts;
    splices.push({ list: claimed.list, at: claimed.at, texts });
  }
  return withoutComments(item, spliceAll(splices));
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

type ItemTask = ListTask & { readonly item: Item };

function* allTasks(
  { envelope: { items }, repeats }: RepeatRun,
  names: NameIndex,
  templates: ReadonlyMap<Item, Repeat>,
  clones: ClonesByIdentity,
): Generator<ItemTask | Failure> {
  const made = items.flatMap((item) => {
    const planned = clones.get(identityOf(item));
    return planned === undefined ? [] : [{ item, planned }];
  });
  const byEntry = grouped(made, ({ planned }) => planned.entry);
  for (const repeat of repeats)
    for (const entry of repeat.entries.filter(isList)) {
      const item = findItem(entry, names, items);
      const scopes = isFailure(item) ? item : scopesOf(entry, repeat.instances);
      if (isFailure(item)) yield item;
      else if (isFailure(scopes)) yield scopes;
      else if (!templates.has(item)) yield { item, entry, scopes };
      else if (templates.get(item) !== repeat) yield foreign(entry, item, templates.get(item) as Repeat);
      else yield* inClones({ entry, scopes }, repeat, byEntry);
    }
}

/** The same inside each clone of a template, for what that clone was made for. */
function* inClones(
  { entry, scopes }: ListTask,
  repeat: Repeat,
  byEntry: ReadonlyMap<Entry, readonly { readonly item: Item; readonly planned: PlannedClone }[]>,
): Generator<ItemTask> {
  const whole = repeat.entries
    .filter(isResource)
    .find(({ kind, name }) => kind === entry.kind && name === entry.name);
  if (whole === undefined) return;
  const isAlike =
    whole.each !== undefined &&
    entry.each !== undefined &&
    scalarText(whole.each.node) === scalarText(entry.each.node);
  for (const { item, planned } of byEntry.get(whole) ?? []) {
    const { instance: its, item: part } = planned.scope;
    const isOwn = ({ instance, item: own }: Scope): boolean =>
      instance.name === its.name && (part === undefined || !isAlike || own?.name === part.name);
    yield { item, entry, scopes: scopes.filter(isOwn) };
  }
}

function foreign(entry: ListEntry, item: Item, { item: other }: Repeat): Failure {
  return fail(
    entryPlace(entry),
    `\`${describe(item)}\` is a template of \`${describe(other)}\``,
    "write this entry there: an entry repeats inside of the clones of its own Repeat",
    [item],
  );
}
