// Mappings made of entries of several layers, or of some entries of one layer.
import { textOfKey } from "../yaml/key.ts";
import { Field, field, firstChildOf, isFlow, type Node, valueOf } from "../yaml/tape.ts";
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
  const head = isFlow(valueOf(base)) && !isRoot ? override : base;
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
        members.filter((member) => textOfKey(headOfTree(member)) !== key),
      );
}

/** How much deeper a block mapping's children are than its key; undefined for flow style. */
export function stepOf(tree: Node): number | undefined {
  const mapping = valueOf(tree);
  const child = firstChildOf(mapping);
  if (isFlow(mapping) || child === undefined || field(mapping, Field.entry) < 0) return undefined;
  return Math.max(1, field(child, Field.column) - field(mapping, Field.column));
}

/** How much deeper a block sequence's dashes are than its key: 0 in compact style; undefined for flow style. */
export function stepOfList(entry: Node): number | undefined {
  const sequence = valueOf(entry);
  const child = firstChildOf(sequence);
  if (isFlow(sequence) || child === undefined || field(sequence, Field.entry) < 0) return undefined;
  return Math.max(0, field(child, Field.column) - field(sequence, Field.column));
}
