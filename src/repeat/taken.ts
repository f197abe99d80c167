// Names of clones that something else has.
import type { Diagnostic } from "../diagnostic.ts";
import type { Item } from "../wire/item.ts";
import type { Decision } from "./decision.ts";
import { readCloneRecord } from "./record.ts";
import { told } from "./faults.ts";
import type { ResourceEntry } from "./model.ts";
import { identityOf } from "./names.ts";

/** What the clones of one template come to. */
export interface Row {
  readonly template: Item;
  readonly entry: ResourceEntry;
  readonly decisions: readonly Decision[];
}

export function takenNames(
  rows: readonly Row[],
  gone: ReadonlySet<Item>,
  items: readonly Item[],
): Diagnostic[] {
  const made = rows.flatMap(({ decisions }) => decisions);
  const replaced = new Set(made.flatMap(({ present }) => present?.item ?? []));
  const owners = new Map<string, Owner>();
  for (const item of items)
    if (!gone.has(item) && !replaced.has(item)) owners.set(identityOf(item), ownerOf(item));
  return made.flatMap(({ named, wanted: { entry, scope } }) => {
    const key = identityOf(named);
    const owner = owners.get(key);
    const own = `the clone for instance \`${scope.instance.name}\``;
    if (owner === undefined) owners.set(key, { who: own });
    if (owner === undefined) return [];
    const where = { repeat: entry.repeat, ...entry.as };
    return [
      told(
        "name-taken",
        where,
        `${own} would be \`${named.kind}/${named.name}\`, a name that ${owner.who} has`,
        owner.cure ?? `choose another with \`as\`, e.g. \`${entry.name}-{name}\``,
      ).fault,
    ];
  });
}

interface Owner {
  readonly who: string;
  readonly cure?: string;
}

function ownerOf(item: Item): Owner {
  const who = `\`${item.kind}/${item.name}\` of the list`;
  const record = readCloneRecord(item);
  if (record === undefined) return { who };
  return {
    who,
    cure: `it was cloned by \`Repeat/${record.repeat}\` from \`${record.template}\`: delete it, or call Repeat and template as they were`,
  };
}
