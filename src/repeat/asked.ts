// Which clones of whole items a Repeat asks for, and of which templates.
import type { Diagnostic } from "../diagnostic.ts";
import { NameIndex } from "../select/names.ts";
import type { Item } from "../wire/item.ts";
import { keyOf } from "./clones.ts";
import { isTold, type Told, told } from "./faults.ts";
import { scopesOf } from "./scopes.ts";
import { isResource, type Repeat, type ResourceEntry, whereIs } from "./model.ts";
import { nameOf } from "./names.ts";
import { findItem } from "./templates.ts";
import { identity, type Wanted } from "./wanted.ts";

/** What a Repeat asks for. */
export interface Asked {
  readonly templates: ReadonlyMap<Item, ResourceEntry>;
  readonly wanted: readonly Wanted[];
  readonly faults: readonly Diagnostic[];
}

/** All clones of a Repeat, template by template. */
export function wantedBy(repeat: Repeat, names: NameIndex, items: readonly Item[]): Asked {
  const wanted: Wanted[] = [];
  const faults: Diagnostic[] = [];
  const templates = new Map<Item, ResourceEntry>();
  for (const entry of repeat.entries.filter(isResource)) {
    const template = findItem(entry, names, items);
    const own = isTold(template)
      ? template
      : (clonedTwice(entry, templates.get(template)) ?? wantedOf(entry, template, repeat));
    if (isTold(template) || "fault" in own) {
      faults.push((own as Told).fault);
      continue;
    }
    templates.set(template, entry);
    for (const each of own) wanted.push(each);
  }
  return { templates, wanted, faults };
}

function clonedTwice(entry: ResourceEntry, other: ResourceEntry | undefined): Told | undefined {
  if (other === undefined) return undefined;
  return told(
    "repeat-target",
    whereIs(entry),
    `\`${other.field}\` clones \`${entry.kind}/${entry.name}\` already`,
    "clone it once here; another Repeat may clone it as well",
  );
}

function wantedOf(entry: ResourceEntry, template: Item, { instances }: Repeat): readonly Wanted[] | Told {
  const scopes = scopesOf(entry, instances);
  if (isTold(scopes)) return scopes;
  const wanted: Wanted[] = [];
  for (const scope of scopes) {
    const name = nameOf(entry, scope, template);
    if (isTold(name)) return name;
    wanted.push({ entry, scope, template, ...name, key: keyOf(identity(entry, scope)) });
  }
  return wanted;
}
