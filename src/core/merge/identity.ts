// Values as their consumer compares them: `0x10` is 16, `yes` is true, and the order of keys does not matter. For lists
// merged by a rule. The texts made here are compared, and never shown.
import { isKey, textOfKey } from "../yaml/key.ts";
import { resolveScalar } from "../yaml/resolve.ts";
import { type Document, isMapping, isScalar, type Node, valueOf } from "../yaml/tape.ts";
import { entryNodes } from "../yaml/view.ts";
import { headOfTree, itemsOf, membersOf, type Tree } from "./tree.ts";

/** One text for all values that are equal to their consumer. */
export function identityOf(tree: Tree): string {
  const members = membersOf(tree);
  if (members !== undefined) {
    const parts = members
      .values()
      .map((member) => [JSON.stringify(textOfKey(headOfTree(member))), identityOf(member)] as const);
    const sorted = parts.toSorted(([a], [b]) => (a < b ? -1 : 1));
    return `{${sorted.map(([key, value]) => `${key}:${value}`).join(",")}}`;
  }
  const items = itemsOf(tree);
  if (items !== undefined) return `[${items.map(identityOf).join(",")}]`;
  return scalarIdentity(valueOf(headOfTree(tree)));
}

function scalarIdentity(node: Node): string {
  const { type, text } = resolveScalar(node);
  return type === "string" ? JSON.stringify(text) : `${type === "int" ? "float" : type} ${text}`;
}

/** Cached results for leaves, by keys: checking and merging need the same. */
const known = new WeakMap<readonly string[], WeakMap<Document, Map<number, string | undefined>>>();

/** The identity of an element by the keys of its rule; undefined if a key is missing, null, or not a scalar. */
export function keysIn(tree: Tree, keys: readonly string[]): string | undefined {
  if (tree.type !== "leaf") return identityByKeys(tree, keys);
  const { doc, row } = tree.node;
  let byDocument = known.get(keys);
  if (byDocument === undefined) known.set(keys, (byDocument = new WeakMap()));
  let byRow = byDocument.get(doc);
  if (byRow === undefined) byDocument.set(doc, (byRow = new Map()));
  if (byRow.has(row)) return byRow.get(row);
  const identity = identityByKeys(tree, keys);
  byRow.set(row, identity);
  return identity;
}

function identityByKeys(tree: Tree, keys: readonly string[]): string | undefined {
  let identity = "";
  for (const key of keys) {
    const entry = entryOf(tree, key);
    const value = entry === undefined ? undefined : keyValue(valueOf(entry));
    if (value === undefined) return undefined;
    identity += `${value} `;
  }
  return identity;
}

/** Elements have few keys: a linear search costs less than an index. */
function entryOf(tree: Tree, key: string): Node | undefined {
  if (tree.type === "leaf") {
    const value = valueOf(tree.node);
    return isMapping(value) ? entryNodes(value).find((entry) => isKey(entry, key)) : undefined;
  }
  const member = membersOf(tree)?.get(key);
  return member?.type === "leaf" ? member.node : undefined;
}

function keyValue(node: Node): string | undefined {
  if (!isScalar(node)) return undefined;
  return resolveScalar(node).type === "null" ? undefined : scalarIdentity(node);
}
