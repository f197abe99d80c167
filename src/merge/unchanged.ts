// Whether a merge changed anything: a file stays byte for byte if its layers set the values that it already has, however
// they spell the text around them.
import { headOfTree, itemsOf, type Members, membersOf, type Tree } from "./tree.ts";
import { haveSameKey, Kind, type Node } from "../yaml/index.ts";

/** True if the merged values equal those of the base alone: the same keys in the same order, scalars of one spelling. */
export function isUnchanged(merged: Tree | undefined, base: Tree | undefined): boolean {
  if (merged === undefined || base === undefined) return merged === base;
  if (merged.type === "leaf" && base.type === "leaf" && isOneNode(merged.node, base.node)) return true;
  const [ours, theirs] = [membersOf(merged), membersOf(base)];
  if (ours !== undefined && theirs !== undefined) return areUnchanged(ours, theirs);
  if (ours !== theirs) return false;
  const [items, others] = [itemsOf(merged), itemsOf(base)];
  if (items !== undefined && others !== undefined)
    return items.length === others.length && items.every((item, index) => isUnchanged(item, others[index]));
  return merged.type === "leaf" && base.type === "leaf" && isSame(merged.node.value, base.node.value);
}

function areUnchanged(ours: Members, theirs: Members): boolean {
  return (
    ours.size === theirs.size &&
    ours.values().every((tree, index) => {
      const other = theirs.at(index);
      return haveSameKey(headOfTree(tree), headOfTree(other)) && isUnchanged(tree, other);
    })
  );
}

function isOneNode(a: Node, b: Node): boolean {
  return a.doc === b.doc && a.row === b.row;
}

function isSame(a: Node, b: Node): boolean {
  return a.isScalar && b.isScalar && isPlain(a) === isPlain(b) && a.tag === b.tag && a.text === b.text;
}

/** Plain text may be more than text; quoted and block text is not. */
function isPlain(node: Node): boolean {
  return node.kind === Kind.plain || node.kind === Kind.empty;
}
