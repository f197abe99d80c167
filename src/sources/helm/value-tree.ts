// The values of documents as trees of which each leaf is at its place: what Helm's merging is computed on. A leaf is a scalar, a list, or
// a mapping that is written as an empty one.
import type { Node } from "../../yaml/index.ts";
import type { ChainValue, StackDocument } from "../../explain/index.ts";
import { membersIn, type Placed, type PlacedMembers, scalarIn, valuesIn } from "../placed.ts";
import { remembered } from "../../remembered.ts";

export const emptyTree: Placed = { value: new Map(), at: undefined };

export function isTree(field: Placed | undefined): boolean {
  return field?.value instanceof Map;
}

export function treeOf(document: StackDocument): Placed {
  return document.root === undefined ? emptyTree : treeAt(document.root, [], document);
}

function treeAt(node: Node, path: readonly string[], document: StackDocument): Placed {
  const value = node.value;
  const placeOf = (): Placed["at"] => document.placeOf(node, path) ?? { of: "text" };
  if (!value.isMapping) {
    const variables = document.variablesOf?.(node) ?? [];
    const own = { value: value.isScalar ? scalarIn(value) : [], at: placeOf(), written: value };
    return variables.length === 0 ? own : { ...own, variables };
  }
  const members = new Map<string, Placed>();
  for (const [key, each] of value.entries()) members.set(key, treeAt(each, [...path, key], document));
  return { value: members, at: members.size === 0 ? placeOf() : undefined };
}

/** What is at a path, or a leaf above it. */
export function nearestAt(tree: Placed, path: readonly string[]): Placed | undefined {
  return path.reduce<Placed | undefined>((at, key) => (isTree(at) ? membersIn(at).get(key) : at), tree);
}

export interface FoundLeaf {
  readonly path: readonly string[];
  readonly leaf: Placed;
}

/** Trees are asked for theirs again and again. */
const knownLeaves = new WeakMap<Placed, readonly FoundLeaf[]>();

/** All leaves, and mappings without members, with their paths. */
export function leavesIn(tree: Placed): readonly FoundLeaf[] {
  return remembered(knownLeaves, tree, () => leavesBelow(tree, []));
}

/** @param path of the mapping */
export function leavesBelow(mapping: Placed, path: readonly string[]): readonly FoundLeaf[] {
  const found: FoundLeaf[] = [];
  addLeaves(membersIn(mapping), path, found);
  return found;
}

function addLeaves(members: PlacedMembers, path: readonly string[], found: FoundLeaf[]): void {
  for (const [key, leaf] of members) {
    const own = [...path, key];
    const inner = membersIn(leaf);
    if (inner.size === 0) found.push({ path: own, leaf });
    else addLeaves(inner, own, found);
  }
}

export function valuesOf(leaves: readonly FoundLeaf[]): readonly ChainValue[] {
  return leaves.flatMap(({ path, leaf }) => valuesIn(leaf, path));
}

/** Over a lower tree, as `helm -f` merges files: nulls stay. */
export function overlaid(lower: Placed, upper: Placed): Placed {
  const members = new Map(membersIn(lower));
  for (const [key, each] of membersIn(upper)) {
    const below = members.get(key);
    members.set(key, below !== undefined && isTree(each) && isTree(below) ? overlaid(below, each) : each);
  }
  return { value: members, at: upper.at ?? lower.at };
}

/** Below some keys. */
export function under(path: readonly string[], tree: Placed): Placed {
  return path.reduceRight<Placed>((inner, key) => ({ value: new Map([[key, inner]]), at: undefined }), tree);
}
