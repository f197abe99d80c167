// The merge of values: merge(base, override), the rule shared by app-operator (mergo), `helm -f a -f b`
// and Flux valuesFrom. This header is its specification; test/merge holds the same triples.
//
//   base               override             result
//   mapping            mapping              keys united, the same rule per key; base order, new keys after
//   mapping            {}                   base unchanged
//   anything           null                 null, kept: Helm drops a chart default by it
//   anything           scalar or sequence   override, whole: also false, 0, "", []
//   scalar, sequence,  mapping              override
//     or null
//   any document       empty document       base unchanged (the caller leaves empty documents out)
//
// Folding is from the left only: where an atom is overridden by a mapping, merging is not associative
// (see stack/splits.ts). Nothing is copied: a subtree that one layer touches stays a leaf of that layer, so it
// keeps its bytes and its origin; a Branch exists only where two layers meet. Documents are never changed.
import { Field, field, firstChildOf, isFlow, isMapping, type Node, valueOf } from "../yaml/tape.ts";
import { entryNodes } from "../yaml/view.ts";
import { type Branch, leafOf, isMappingTree, type Members, membersOf, type Tree } from "./tree.ts";

/** The keys down to a mapping, the lowest one first; undefined for the top. */
export interface Way {
  readonly entry: Node;
  readonly above: Way | undefined;
}

/** Told of an entry that meets another, and of the way to the mapping they stand in. */
export type OnMeet = (base: Tree, override: Node, way: Way | undefined) => void;

/** Visits every place at which both sides hold something, parents first. */
export function meet(base: Tree, override: Node, onMeet: OnMeet): void {
  onMeet(base, override, undefined);
  meetInside(base, override, undefined, onMeet);
}

function meetInside(base: Tree, override: Node, way: Way | undefined, onMeet: OnMeet): void {
  const value = valueOf(override);
  const members = isMapping(value) ? membersOf(base) : undefined;
  if (members === undefined || members.size === 0) return;
  for (const entry of entryNodes(value)) {
    const known = members.find(entry);
    if (known === undefined) continue;
    onMeet(known, entry, way);
    if (isMappingTree(known) && isMapping(valueOf(entry)))
      meetInside(known, entry, { entry, above: way }, onMeet);
  }
}

/** The keys of a way and of the entry at its end, from the top. */
export function pathTo(way: Way | undefined, entry: Node, textOf: (entry: Node) => string): string[] {
  const path = [textOf(entry)];
  for (let at = way; at !== undefined; at = at.above) path.push(textOf(at.entry));
  return path.toReversed();
}

/** What a merge came by. */
export interface Found {
  /** True if somewhere a mapping overrode what is none: then merging is not associative. */
  overAtom: boolean;
}

/** Merges a document over merged values. Uses the base up: a Branch in it may be extended. Never throws. */
export function merge(base: Tree, override: Node, found: Found = { overAtom: false }): Tree {
  return mergeAt(base, override, found, true);
}

function mergeAt(base: Tree, override: Node, found: Found, isRoot: boolean): Tree {
  const { home } = base;
  const value = valueOf(override);
  const isOver = isMapping(value);
  const members = isOver ? membersOf(base) : undefined;
  if (isOver && members === undefined) found.overAtom = true;
  if (members === undefined) return { type: "leaf", home, node: override };
  const entries = entryNodes(value);
  if (entries.length === 0) return base;
  if (members.size === 0) return { type: "leaf", home, node: override };
  for (const entry of entries) {
    const index = members.indexOf(entry);
    if (index < 0) members.add(leafOf(entry));
    else members.replace(index, mergeAt(members.at(index), entry, found, false));
  }
  return base.type === "branch" ? base : branchOf(base.node, override, members, { home, isRoot });
}

interface Standing {
  readonly home: Node | undefined;
  readonly isRoot: boolean;
}

/** A root has no header line; its head and foot are the lowest layer's in any style. */
function branchOf(base: Node, override: Node, members: Members, { home, isRoot }: Standing): Branch {
  const head = isFlow(valueOf(base)) && !isRoot ? override : base;
  return { type: "branch", home, head, step: stepOf(base) ?? stepOf(override) ?? 2, members };
}

/** How deep a block mapping's children stand below its key; undefined for flow, which says nothing. */
export function stepOf(tree: Node): number | undefined {
  const mapping = valueOf(tree);
  const child = firstChildOf(mapping);
  if (isFlow(mapping) || child === undefined || field(mapping, Field.entry) < 0) return undefined;
  return Math.max(1, field(child, Field.column) - field(mapping, Field.column));
}
