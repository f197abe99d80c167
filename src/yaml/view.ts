// A mapping as its consumer sees it: aliases followed, `<<` merged in, of duplicate keys the last.
import { keyOf } from "./resolve.ts";
import { childrenOf, Flag, hasFlag, isSequence, type Node, valueOf } from "./tape.ts";

/** Key (as the consumer spells it) → the entry that counts, in the order the keys first appear. */
export type Entries = ReadonlyMap<string, Node>;

/**
 * go-yaml v2's order: `<<` overrides the keys written before it and yields to those after it;
 * of several sources the earlier one wins. Call with a mapping that passed `checkDocument`.
 */
export function entriesOf(mapping: Node): Entries {
  const entries = new Map<string, Node>();
  for (const child of childrenOf(mapping)) {
    const key = keyOf(child);
    if (key.type !== "merge") entries.set(key.text, child);
    else for (const [name, entry] of mergedIn(child)) entries.set(name, entry);
  }
  return entries;
}

function mergedIn(child: Node): Entries {
  const value = valueOf(child);
  const sources = isSequence(value) ? [...childrenOf(value)].map(valueOf).toReversed() : [value];
  return new Map(sources.flatMap((source) => [...entriesOf(source)]));
}

export function isEntangled(node: Node): boolean {
  return hasFlag(node, Flag.entangled);
}
