// Mappings made of entries of several layers, or of some entries of one layer.
import type { Node } from "../yaml/index.ts";
import { type Branch, headOfTree, Members, membersOf, type Tree } from "./tree.ts";

interface BranchPlace {
  readonly home: Node | undefined;
  readonly isRoot: boolean;
}

/** A root has no header line; its head and foot are the lowest layer's in any style. */
export function branchOf(
  base: Node,
  override: Node,
  members: Members,
  { home, isRoot }: BranchPlace,
): Branch {
  const head = base.value.isFlow && !isRoot ? override : base;
  return { type: "branch", home, head, step: stepOf(base) ?? stepOf(override) ?? 2, members };
}

/** A mapping with other members. If it was merged before, its style stays. */
export function withMembers(tree: Tree, trees: readonly Tree[]): Branch {
  const members = new Members([...trees]);
  if (tree.type === "branch") return { ...tree, members };
  const head = headOfTree(tree);
  return { type: "branch", home: tree.home, head, step: stepOf(head) ?? 2, members };
}

/** A mapping less the entry of one key. */
export function withoutKey(tree: Tree, key: string): Tree {
  const members = membersOf(tree)?.values();
  return members === undefined
    ? tree
    : withMembers(
        tree,
        members.filter((member) => headOfTree(member).key !== key),
      );
}

/** How much deeper a block mapping's children are than its key; undefined for flow style. */
export function stepOf(tree: Node): number | undefined {
  const mapping = tree.value;
  const child = mapping.first;
  if (mapping.isFlow || child === undefined || mapping.entryStart < 0) return undefined;
  return Math.max(1, child.column - mapping.column);
}

/** How much deeper a block sequence's dashes are than its key: 0 in compact style; undefined for flow style. */
export function stepOfList(entry: Node): number | undefined {
  const sequence = entry.value;
  const child = sequence.first;
  if (sequence.isFlow || child === undefined || sequence.entryStart < 0) return undefined;
  return Math.max(0, child.column - sequence.column);
}
