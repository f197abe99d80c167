// Several documents, or several merged stacks → one tree, as their consumer merges them.
import type { Node } from "../yaml/index.ts";
import { branchOf } from "./branch.ts";
import { merge } from "./merge.ts";
import type { Rules } from "./rules.ts";
import { settled } from "./settle.ts";
import { headOfTree, leafOf, membersOf, type Tree } from "./tree.ts";

/** The documents of one stack, lowest first, merged by its rules; undefined without any. */
export function mergeAll(roots: readonly Node[], rules?: Rules): Tree | undefined {
  let tree: Tree | undefined;
  for (const root of roots) tree = tree === undefined ? leafOf(root) : merge(tree, root, undefined, rules);
  return tree === undefined || rules === undefined ? tree : settled(tree, rules);
}

/**
 * One merged stack over another, as the consumer of an App merges what comes of Secrets over what comes of ConfigMaps.
 * Consumes the base.
 */
export function mergeTrees(base: Tree | undefined, override: Tree | undefined): Tree | undefined {
  if (base === undefined || override === undefined) return override ?? base;
  return mergedAt(base, override, true);
}

function mergedAt(base: Tree, override: Tree, isRoot: boolean): Tree {
  if (override.type === "leaf") return merge(base, override.node);
  const { home } = base;
  const members = override.type === "branch" ? membersOf(base) : undefined;
  if (override.type === "list" || members === undefined || members.size === 0) return { ...override, home };
  for (const member of override.members.values()) {
    const index = members.indexOf(headOfTree(member));
    if (index < 0) members.add({ ...member, home: undefined });
    else members.replace(index, mergedAt(members.at(index), member, false));
  }
  return base.type === "leaf" ? branchOf(base.node, override.head, members, { home, isRoot }) : base;
}
