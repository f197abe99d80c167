// Values as their consumer compares them: `0x10` is 16, `yes` is true, and the order of keys does not matter. For lists
// merged by a rule. The texts made here are compared, and never shown.
import { isKey, type Document, type Node } from "../yaml/index.ts";
import { headOfTree, itemsOf, membersOf, type Tree } from "./tree.ts";

/** One text for all values that are equal to their consumer. */
export function identityOf(tree: Tree): string {
  const members = membersOf(tree);
  if (members !== undefined) {
    const parts = members
      .values()
      .map((member) => [JSON.stringify(headOfTree(member).key), identityOf(member)] as const);
    const sorted = parts.toSorted(([a], [b]) => (a < b ? -1 : 1));
    return `{${sorted.map(([key, value]) => `${key}:${value}`).join(",")}}`;
  }
  const items = itemsOf(tree);
  if (items !== undefined) return `[${items.map(identityOf).join(",")}]`;
  return scalarIdentity(headOfTree(tree).value);
}

function scalarIdentity(node: Node): string {
  const { type, text } = node.resolved();
  if (type === "string") return JSON.stringify(text);
  if (type !== "int" && type !== "float") return `${type} ${text}`;
  // As a key a number has fewer digits.
  const number = type === "int" ? Number.NaN : Number(node.text.replaceAll("_", ""));
  return `float ${Number.isNaN(number) || number === 0 ? text : number}`;
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
    const value = entry === undefined ? undefined : keyValue(entry.value);
    if (value === undefined) return undefined;
    identity += `${value} `;
  }
  return identity;
}

/** Elements have few keys: a linear search costs less than an index. */
function entryOf(tree: Tree, key: string): Node | undefined {
  if (tree.type === "leaf") {
    const value = tree.node.value;
    return value.isMapping ? value.members().find((entry) => isKey(entry, key)) : undefined;
  }
  const member = membersOf(tree)?.get(key);
  return member?.type === "leaf" ? member.node : undefined;
}

function keyValue(node: Node): string | undefined {
  if (!node.isScalar) return undefined;
  return node.resolved().type === "null" ? undefined : scalarIdentity(node);
}
