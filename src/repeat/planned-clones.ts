// Which clones of whole items a Repeat makes, of which templates.
import { type Envelope, type Item, NameIndex, type Settings } from "../core/index.ts";
import type { Diagnostic } from "../diagnostic.ts";
import { keyOf } from "./clones.ts";
import type { OriginEdit } from "./draft.ts";
import { isFailure, type Failure, fail } from "./faults.ts";
import { isResource, type Repeat, type ResourceEntry, type Scope, whereIs } from "./model.ts";
import { type CloneName, nameOf } from "./names.ts";
import type { CloneOrigin } from "./record.ts";
import { scopesOf } from "./scopes.ts";
import { findItem } from "./templates.ts";

export interface RepeatRun {
  readonly envelope: Envelope;
  readonly settings: Settings;
  readonly repeats: readonly Repeat[];
  /** True where the output is the next input (kpt): Repeats and templates stay, and clones record what they were. */
  readonly stays: boolean;
}

export interface Outcome {
  readonly edits: readonly OriginEdit[];
  readonly faults: readonly Diagnostic[];
}

/** Clones of whole items, by their identity: what each is made for. */
export type Clones = ReadonlyMap<string, PlannedClone>;

/** One clone that there is to be. */
export interface PlannedClone extends CloneName {
  readonly entry: ResourceEntry;
  readonly scope: Scope;
  readonly template: Item;
  readonly key: string;
}

/** Where a clone comes from, as it says itself. */
export function origin({
  entry,
  scope: { instance, item },
}: Pick<PlannedClone, "entry" | "scope">): CloneOrigin {
  return {
    repeat: entry.repeat.name,
    template: `${entry.kind}/${entry.name}`,
    instance: instance.name,
    ...(item === undefined ? {} : { item: item.name }),
  };
}

/** What a Repeat asks for. */
export interface Plan {
  readonly templates: ReadonlyMap<Item, ResourceEntry>;
  readonly wanted: readonly PlannedClone[];
  readonly faults: readonly Diagnostic[];
}

/** All clones of a Repeat, template by template. */
export function planClones(repeat: Repeat, names: NameIndex, items: readonly Item[]): Plan {
  const wanted: PlannedClone[] = [];
  const faults: Diagnostic[] = [];
  const templates = new Map<Item, ResourceEntry>();
  for (const entry of repeat.entries.filter(isResource)) {
    const template = findItem(entry, names, items);
    const own = isFailure(template)
      ? template
      : (clonedTwice(entry, templates.get(template)) ?? plannedFor(entry, template, repeat));
    if (isFailure(template) || "fault" in own) {
      faults.push((own as Failure).fault);
      continue;
    }
    templates.set(template, entry);
    for (const each of own) wanted.push(each);
  }
  return { templates, wanted, faults };
}

function clonedTwice(entry: ResourceEntry, other: ResourceEntry | undefined): Failure | undefined {
  if (other === undefined) return undefined;
  return fail(
    "repeat-target",
    whereIs(entry),
    `\`${other.field}\` clones \`${entry.kind}/${entry.name}\` already`,
    "clone it once here; another Repeat may clone it as well",
  );
}

function plannedFor(
  entry: ResourceEntry,
  template: Item,
  { instances }: Repeat,
): readonly PlannedClone[] | Failure {
  const scopes = scopesOf(entry, instances);
  if (isFailure(scopes)) return scopes;
  const wanted: PlannedClone[] = [];
  for (const scope of scopes) {
    const name = nameOf(entry, scope, template);
    if (isFailure(name)) return name;
    wanted.push({ entry, scope, template, ...name, key: keyOf(origin({ entry, scope })) });
  }
  return wanted;
}
