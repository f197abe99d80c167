// In kustomize a Repeat remembers which clones it made: one that an overlay deleted is told from one that nobody has
// made yet, and never comes back without a word.
import { annotate, unannotate } from "../wire/annotate.ts";
import { Mark } from "../wire/annotation-names.ts";
import type { Edit } from "../wire/envelope.ts";
import { formatItem } from "../diagnostic.ts";
import type { Item } from "../wire/item.ts";
import { isFromKustomize } from "./clones.ts";
import type { Decision } from "./decision.ts";
import { told, type Told } from "./faults.ts";
import { whereIs } from "./model.ts";
import { parsed } from "./record.ts";
import type { Wanted } from "./wanted.ts";

/** Keys of the clones that were there behind the last run; none outside of kustomize. */
export function madeBefore(repeat: Item): ReadonlySet<string> {
  if (!isFromKustomize(repeat)) return new Set();
  const found = parsed(repeat.annotations.get(Mark.repeatedFor));
  return new Set(Array.isArray(found) ? found.map((key) => JSON.stringify(key)) : []);
}

/** @param keys of all clones that are there from now on, each JSON */
export function remembered(repeat: Item, keys: readonly string[]): readonly Edit[] {
  if (!isFromKustomize(repeat)) return [];
  return keys.length === 0
    ? unannotate(repeat, Mark.repeatedFor)
    : annotate(repeat, Mark.repeatedFor, `[${keys.join(",")}]`);
}

/** A clone that somebody took out, though its instance is there. */
export function deleted({ entry, scope }: Wanted, named: Decision["named"]): Told {
  return told(
    "repeat-edited",
    whereIs(entry),
    `\`${formatItem(named)}\`, made for instance \`${scope.instance.name}\`, was deleted since`,
    `take the instance out of the Repeat; or delete the item in an overlay above, which does not run the function`,
  );
}
