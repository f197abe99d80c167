// Values as a tree of which each leaf knows its document: what Helm's merging is computed on.
import type { Node } from "../../yaml/index.ts";
import { type ChainValue, oneLine, type StackDocument } from "../../explain/index.ts";

export type ValueTree = Map<string, ValueTree | ValueLeaf>;

/** A scalar, or a list. */
export interface ValueLeaf {
  /** The number of its document. */
  readonly document: number;
  /** Where it is in that document. */
  readonly value: ChainValue;
  readonly isNull: boolean;
  /** Absent for what is no boolean. */
  readonly isTrue?: boolean;
}

export function isTree(member: ValueTree | ValueLeaf | undefined): member is ValueTree {
  return member instanceof Map;
}

export function isNullLeaf(member: ValueTree | ValueLeaf | undefined): boolean {
  return member !== undefined && !isTree(member) && member.isNull;
}

/** @param start where the document's values are in the whole */
export function treeOf(document: StackDocument, number: number, start: readonly string[] = []): ValueTree {
  return document.root === undefined ? new Map() : treeAt(document.root, start, { document, number });
}

function treeAt(
  node: Node,
  path: readonly string[],
  of: { readonly document: StackDocument; readonly number: number },
): ValueTree {
  const tree: ValueTree = new Map();
  for (const [key, entry] of node.value.entries()) {
    const value = entry.value;
    const own = [...path, key];
    tree.set(key, value.isMapping ? treeAt(entry, own, of) : leafAt(entry, own, of));
  }
  if (tree.size === 0)
    empty.set(tree, { path, text: "{}", at: of.document.placeOf(node, path) ?? { of: "text" } });
  return tree;
}

/** Mappings that are written as empty ones. */
const empty = new WeakMap<ValueTree, ChainValue>();

function leafAt(
  node: Node,
  path: readonly string[],
  { document, number }: { readonly document: StackDocument; readonly number: number },
): ValueLeaf {
  const value = node.value;
  const { type, text } = value.isScalar ? value.resolved() : { type: "list", text: "" };
  const variables = document.variablesOf?.(node) ?? [];
  return {
    document: number,
    value: {
      path,
      text: oneLine(node),
      at: document.placeOf(node, path) ?? { of: "text" },
      ...(variables.length === 0 ? {} : { variables }),
    },
    isNull: type === "null",
    ...(type === "bool" ? { isTrue: text === "true" } : {}),
  };
}

function writtenAs(tree: ValueTree, written: ChainValue | undefined): ValueTree {
  if (written !== undefined) empty.set(tree, written);
  return tree;
}

/** What is at a path; undefined for nothing. */
export function memberAt(tree: ValueTree, path: readonly string[]): ValueTree | ValueLeaf | undefined {
  return path.reduce<ValueTree | ValueLeaf | undefined>(
    (at, key) => (isTree(at) ? at.get(key) : undefined),
    tree,
  );
}

/** The same, or a leaf above it. */
export function nearestAt(tree: ValueTree, path: readonly string[]): ValueTree | ValueLeaf | undefined {
  return path.reduce<ValueTree | ValueLeaf | undefined>((at, key) => (isTree(at) ? at.get(key) : at), tree);
}

interface FoundLeaf {
  readonly path: readonly string[];
  readonly leaf: ValueLeaf | undefined;
  /** An empty mapping, where it is written as one. */
  readonly written?: ChainValue | undefined;
}

/** All leaves, and mappings without members, with their paths. */
export function leavesIn(tree: ValueTree, path: readonly string[] = []): readonly FoundLeaf[] {
  const found: FoundLeaf[] = [];
  addLeaves(tree, path, found);
  return found;
}

function addLeaves(tree: ValueTree, path: readonly string[], found: FoundLeaf[]): void {
  for (const [key, each] of tree) {
    const own = [...path, key];
    if (!isTree(each)) found.push({ path: own, leaf: each });
    else if (each.size === 0) found.push({ path: own, leaf: undefined, written: empty.get(each) });
    else addLeaves(each, own, found);
  }
}

/** Over a lower tree, as `helm -f` merges files: nulls stay. */
export function overlaid(lower: ValueTree, upper: ValueTree): ValueTree {
  const result = new Map(lower);
  for (const [key, each] of upper) {
    const below = result.get(key);
    result.set(key, isTree(each) && isTree(below) ? overlaid(below, each) : each);
  }
  return writtenAs(result, empty.get(upper) ?? empty.get(lower));
}

/** Below some keys. */
export function under(path: readonly string[], tree: ValueTree): ValueTree {
  return path.reduceRight<ValueTree>((inner, key) => new Map([[key, inner]]), tree);
}
