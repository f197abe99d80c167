// Whether a merge changed anything: a file whose layers say what it says already stays byte for byte, however
// they spell it around their values.
import { headOfTree, leafOf, type Members, membersOf, type Tree } from "./tree.ts";
import { haveSameKey } from "../yaml/key.ts";
import { tagOf } from "../yaml/resolve.ts";
import { scalarText } from "../yaml/scalar.ts";
import { childrenOf, isScalar, isSequence, Kind, kindOf, type Node, valueOf } from "../yaml/tape.ts";

/** True if merged values are what the base alone holds: the same keys in the same order, scalars of one spelling. */
export function isUnchanged(merged: Tree | undefined, base: Tree | undefined): boolean {
  if (merged === undefined || base === undefined) return merged === base;
  const [ours, theirs] = [membersOf(merged), membersOf(base)];
  if (ours !== undefined && theirs !== undefined) return areUnchanged(ours, theirs);
  return (
    ours === theirs &&
    merged.type === "leaf" &&
    base.type === "leaf" &&
    isSame(valueOf(merged.node), valueOf(base.node))
  );
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

function isSame(a: Node, b: Node): boolean {
  if (a.doc === b.doc && a.row === b.row) return true;
  if (isSequence(a) && isSequence(b)) {
    const [left, right] = [childrenOf(a), childrenOf(b)];
    return (
      left.length === right.length &&
      left.every((item, index) => isUnchanged(leafOf(item), leafOf(right[index] as Node)))
    );
  }
  return (
    isScalar(a) &&
    isScalar(b) &&
    isPlain(a) === isPlain(b) &&
    tagOf(a) === tagOf(b) &&
    scalarText(a) === scalarText(b)
  );
}

/** Plain text may be more than text; what is quoted or in a block is not. */
function isPlain(node: Node): boolean {
  return kindOf(node) === Kind.plain || kindOf(node) === Kind.empty;
}
