// In which lists elements are to be cloned, and for whom: those of items, and those of clones, each for its own instance.
import { NameIndex } from "../select/names.ts";
import { describe, type Item } from "../wire/item.ts";
import type { Node } from "../yaml/tape.ts";
import { type Clone, clonesOf } from "./clones.ts";
import { elementContent } from "./content.ts";
import { isTold, told, type Told } from "./faults.ts";
import { scopesOf } from "./scopes.ts";
import { isList, isResource, type ListEntry, type Repeat, type Scope, whereIs } from "./model.ts";
import { findItem } from "./templates.ts";
import type { Round } from "./wanted.ts";

/** What is to be cloned in the lists of one item. */
export interface Task {
  readonly entry: ListEntry;
  readonly scopes: readonly Scope[];
}

export function templatesOf(
  { envelope: { items }, repeats }: Round,
  names: NameIndex,
): ReadonlyMap<Item, Repeat> {
  const templates = new Map<Item, Repeat>();
  for (const repeat of repeats)
    for (const entry of repeat.entries.filter(isResource)) {
      const template = findItem(entry, names, items);
      if (!isTold(template)) templates.set(template, repeat);
    }
  return templates;
}

export function* allTasks(
  { envelope: { items }, repeats }: Round,
  names: NameIndex,
  templates: ReadonlyMap<Item, Repeat>,
): Generator<(Task & { readonly item: Item }) | Told> {
  const clones = clonesOf(
    repeats.map(({ item }) => item),
    items,
  );
  for (const repeat of repeats)
    for (const entry of repeat.entries.filter(isList)) {
      const item = findItem(entry, names, items);
      const scopes = isTold(item) ? item : scopesOf(entry, repeat.instances);
      if (isTold(item)) yield item;
      else if (isTold(scopes)) yield scopes;
      else if (!templates.has(item)) yield { item, entry, scopes };
      else if (templates.get(item) !== repeat) yield foreign(entry, item, templates.get(item) as Repeat);
      else yield* inClones({ entry, scopes }, repeat, clones.get(repeat.item) ?? []);
    }
}

/** The same inside each clone of a template, for what that clone was made for. */
function* inClones(
  { entry, scopes }: Task,
  repeat: Repeat,
  clones: readonly Clone[],
): Generator<Task & { readonly item: Item }> {
  const isAlike = isSameEach(entry, repeat);
  for (const { item, record } of clones) {
    if (record.template !== `${entry.kind}/${entry.name}` || record.part !== undefined) continue;
    const isOwn = ({ instance, item: own }: Scope): boolean =>
      instance.name === record.instance &&
      (record.item === undefined || !isAlike || own?.name === record.item);
    yield { item, entry, scopes: scopes.filter(isOwn) };
  }
}

/** True if a list entry runs over the same items as the clones of its item. */
function isSameEach(entry: ListEntry, { entries }: Repeat): boolean {
  const whole = entries.find((one) => isResource(one) && one.kind === entry.kind && one.name === entry.name);
  return (
    whole?.each !== undefined &&
    entry.each !== undefined &&
    eachText(whole.each.node) === eachText(entry.each.node)
  );
}

function eachText({ doc, row }: Node): string {
  return JSON.stringify(elementContent({ doc, row }));
}

function foreign(entry: ListEntry, item: Item, { item: other }: Repeat): Told {
  return told(
    "repeat-target",
    whereIs(entry),
    `\`${describe(item)}\` is a template of \`${describe(other)}\``,
    "say this entry there: an entry repeats inside of the clones of its own Repeat",
    [item],
  );
}
