// A key and, beside it, the same key with two letters swapped. Among the keys of public charts there is no such pair that is meant,
// so one of the two is a slip, whatever the chart reads. Keys of Secrets are not looked at.
import { type Diagnostic, formatPosition, isSwapped } from "../../diagnostic.ts";
import { grouped } from "../../grouped.ts";
import { pathText } from "../../merge/index.ts";
import { Node } from "../../yaml/index.ts";
import type { StackDocument } from "../document.ts";
import { about, positionOf, textOf } from "./layers.ts";

/** A mapping, or an entry of one, in a document. */
interface HeldNode {
  readonly document: StackDocument;
  readonly node: Node;
}

/** Of all documents of a stack, lowest first. */
export function swappedKeys(documents: readonly StackDocument[]): readonly Diagnostic[] {
  const roots = documents.flatMap((document): HeldNode[] =>
    document.isSecret || document.root === undefined ? [] : [{ document, node: document.root }],
  );
  return haveSameLetters(roots) ? swappedIn(roots, []) : [];
}

/** True where two keys, wherever they are, have the same letters in another order: in most stacks there are none. */
function haveSameLetters(roots: readonly HeldNode[]): boolean {
  const orders = new Map<number, number>();
  return roots.some(({ node: { doc, row, nextRow } }) => {
    for (let at = row + 1; at < nextRow; at++) {
      const { keyStart, keyEnd } = new Node(doc, at);
      if (keyStart < 0 || keyEnd - keyStart < shortest) continue;
      const [letters, order] = hashesOf(doc.bytes, keyStart, keyEnd) ?? [];
      if (letters === undefined || order === undefined) continue;
      const known = orders.get(letters);
      if (known === undefined) orders.set(letters, order);
      else if (known !== order) return true;
    }
    return false;
  });
}

/** Of the letters in any order, and in theirs; undefined for other bytes. */
function hashesOf(bytes: Uint8Array, start: number, end: number): readonly [number, number] | undefined {
  let letters = 0;
  let order = 0;
  for (let at = start; at < end; at++) {
    const byte = bytes[at] as number;
    const small = byte | 0x20;
    if (small < 0x61 || small > 0x7a) return undefined;
    letters += byte * byte * byte;
    order = (order * 31 + byte) | 0;
  }
  return [letters, order];
}

/** Aliases are not followed: what they lead to is looked at where it is written. */
function swappedIn(mappings: readonly HeldNode[], path: readonly string[]): readonly Diagnostic[] {
  const keys = keysOf(mappings);
  const found = pairsIn([...keys.keys()]).map(([name, other]) =>
    swapped(
      { path: [...path, name], holder: keys.get(name)?.[0] as HeldNode },
      { path: [...path, other], holder: keys.get(other)?.[0] as HeldNode },
    ),
  );
  for (const [key, entries] of keys) {
    const below = entries.filter(({ node }) => node.isMapping);
    if (below.length > 0) found.push(...swappedIn(below, [...path, key]));
  }
  return found;
}

/** Those that a lower document has, or that are written first, are first. */
function keysOf(mappings: readonly HeldNode[]): ReadonlyMap<string, readonly HeldNode[]> {
  const all = mappings.flatMap(({ document, node }) =>
    node.children().map((each) => ({ document, node: each })),
  );
  return grouped(all, ({ node }) => node.key);
}

/** Each with the one that is before it. */
function pairsIn(keys: readonly string[]): readonly (readonly [string, string])[] {
  const known = grouped(keys, (key) => Array.from(key).toSorted().join(""));
  return [...known.values()].flatMap((same) =>
    same.flatMap((key, index) => {
      const other = same.slice(0, index).find((each) => isSlip(each, key));
      return other === undefined ? [] : [[key, other] as const];
    }),
  );
}

/** Names that users give, such as those of hosts, have other characters. */
function isSlip(one: string, other: string): boolean {
  return one.length >= shortest && /^[A-Za-z]+$/.test(one) && isSwapped(one, other);
}

const shortest = 5;

interface KeyPlace {
  readonly path: readonly string[];
  readonly holder: HeldNode;
}

function swapped(upper: KeyPlace, lower: KeyPlace): Diagnostic {
  const [at, other] = [placeOf(upper), placeOf(lower)];
  return {
    code: "unknown-key",
    severity: "warning",
    message: `\`${pathText(upper.path)}\` and \`${pathText(lower.path)}\` are both set`,
    reason: "one of them is misspelt: two letters are swapped",
    hint: "correct it",
    ...about(upper.holder.document.facts),
    at,
    // Of what a build made the lines are not known.
    ...(formatPosition(at) === formatPosition(other) ? {} : { also: [other] }),
  };
}

function placeOf({ path, holder: { document, node } }: KeyPlace): NonNullable<Diagnostic["at"]> {
  return positionOf(textOf(document.facts), document.placeOf(node, path));
}
