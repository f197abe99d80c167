// Values as their consumer tells them apart: `0x10` is 16, `yes` is true, and the order of keys says nothing. For lists
// merged by a rule. Texts made here are compared, and never shown.
import { textOfKey } from "../yaml/key.ts";
import { resolveScalar } from "../yaml/resolve.ts";
import { isScalar, type Node, valueOf } from "../yaml/tape.ts";
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

/** What the keys of a rule tell of an element; undefined if one is missing, nothing, or no scalar. */
export function keysIn(tree: Tree, keys: readonly string[]): string | undefined {
  const members = membersOf(tree);
  const parts = keys.map((key) => {
    const member = members?.get(key);
    return member === undefined || member.type !== "leaf" ? undefined : keyValue(valueOf(member.node));
  });
  return parts.includes(undefined) ? undefined : parts.join(" ");
}

function keyValue(node: Node): string | undefined {
  if (!isScalar(node)) return undefined;
  return resolveScalar(node).type === "null" ? undefined : scalarIdentity(node);
}
