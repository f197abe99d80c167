// A mapping as its consumer sees it: aliases are followed, `<<` is merged in, and the last of duplicate keys wins.
import { hasKey, isWord, markOfText, markShift } from "./key.ts";
import { keyOf } from "./resolve.ts";
import { childrenOf, Field, fieldCount, Flag, hasFlag, isSequence, type Node, valueOf } from "./tape.ts";

/** Key (as the consumer spells it) → the entry that wins, in the order the keys first appear. */
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

/** The entries that win, in order. Call with a mapping of a document that passed `checkDocument`. */
export function entryNodes(mapping: Node): readonly Node[] {
  return hasFlag(mapping, Flag.entangled) ? [...entriesOf(mapping).values()] : childrenOf(mapping);
}

function mergedIn(child: Node): Entries {
  const value = valueOf(child);
  const sources = isSequence(value) ? childrenOf(value).map(valueOf).toReversed() : [value];
  return new Map(sources.flatMap((source) => [...entriesOf(source)]));
}

/**
 * The entry under a key that is a word, in an unchecked document: the last of duplicates wins, and `<<` brings in
 * entries.
 */
export function entryUnder(mapping: Node, key: string): Node | undefined {
  const { doc } = mapping;
  const { rows } = doc;
  const end = rows[mapping.row * fieldCount + Field.next] as number;
  const mark = doc.hasWordKeys === true ? markOfText(key) : 0;
  let found: Node | undefined;
  for (let row = mapping.row + 1; row < end; row = rows[row * fieldCount + Field.next] as number) {
    // Most keys differ in their marks, so their text is not compared.
    if (mark !== 0 && (rows[row * fieldCount + Field.flags] as number) >> markShift !== mark) continue;
    const child = { doc, row };
    if (hasKey(child, key)) found = child;
    else if (doc.hasWordKeys !== true && !isWord(child) && keyOf(child).type === "merge")
      return entriesOf(mapping).get(key);
  }
  return found;
}

export function isEntangled(node: Node): boolean {
  return hasFlag(node, Flag.entangled);
}
