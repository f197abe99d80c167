// Merged values → the values to write: without directives, and without nulls that are dropped.
import { withMembers } from "./branch.ts";
import { isNullTree } from "./kinds.ts";
import { type Merging, settledList, withElements } from "./lists.ts";
import type { Remark } from "./merge.ts";
import type { Rules } from "./rules.ts";
import { headOfTree, itemsOf, membersOf, type Tree } from "./tree.ts";

/** Merged values without directives and dropped nulls. Does not change its input. */
export function settled(tree: Tree, rules: Rules, remarks: Remark[] = []): Tree {
  const alone = (below: Rules): Merging => ({
    // Values of one layer never meet.
    element: (base) => base,
    onUnmet: (node) => remarks.push({ node, rules: below }),
  });
  const inside = (at: Tree, below: Rules): Tree => {
    if (below.list !== undefined && itemsOf(at) !== undefined) return settledElements(at, below);
    const trees = membersOf(at)?.values() ?? [];
    const changed = trees.flatMap((each): Tree | readonly Tree[] => {
      const inner = below.at(headOfTree(each));
      if (inner === undefined) return each;
      return inner.dropsNulls && isNullTree(each) ? [] : inside(each, inner);
    });
    return areSame(trees, changed) ? at : withMembers(at, changed);
  };
  const settledElements = (at: Tree, below: Rules): Tree => {
    const list = settledList(at, below, alone(below));
    const inner = below.inElements;
    if (inner === undefined) return list;
    const items = itemsOf(list) ?? [];
    const changed = items.map((item) => inside(item, inner));
    return areSame(items, changed) ? list : withElements(list, changed, below);
  };
  return inside(tree, rules);
}

function areSame(trees: readonly Tree[], others: readonly Tree[]): boolean {
  return trees.length === others.length && trees.every((tree, index) => tree === others[index]);
}
