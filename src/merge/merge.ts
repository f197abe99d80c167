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
// (see runs.ts). Nothing is copied: a subtree that one layer touches stays a node of that layer, so it
// keeps its bytes and its origin; a Branch exists only where two layers meet. Inputs are never changed.
import { childrenOf, Field, field, isFlow, isMapping, type Node, valueOf } from "../yaml/tape.ts";
import { entriesOf } from "../yaml/view.ts";

/** Merged values: a node of one layer, or a mapping in which several layers meet. */
export type Tree = Node | Branch;

export interface Branch {
  /** The entry (or root) whose header line, comments and foot the mapping keeps. */
  readonly head: Node;
  /** Columns between the mapping's key and its children. */
  readonly step: number;
  readonly slots: ReadonlyMap<string, Slot>;
}

export interface Slot {
  /** The entry whose place this is; absent for a key that an override brought in. */
  readonly home: Node | undefined;
  readonly tree: Tree;
}

export type Path = readonly string[];

/** Told of every path at which both sides hold something, parents first. */
export type OnMeet = (path: Path, base: Tree, override: Node) => void;

export function isBranch(tree: Tree): tree is Branch {
  return "slots" in tree;
}

export function merge(base: Tree, override: Node, onMeet: OnMeet = () => undefined): Tree {
  return mergeAt([], base, override, onMeet);
}

function mergeAt(path: Path, base: Tree, override: Node, onMeet: OnMeet): Tree {
  onMeet(path, base, override);
  const slots = slotsOf(base);
  if (slots === undefined || !isMapping(valueOf(override))) return override;
  const entries = entriesOf(valueOf(override));
  if (entries.size === 0) return base;
  if (slots.size === 0) return override;
  const united = new Map(slots);
  for (const [key, entry] of entries) {
    const slot = slots.get(key);
    if (slot === undefined) united.set(key, { home: undefined, tree: entry });
    else united.set(key, { home: slot.home, tree: mergeAt([...path, key], slot.tree, entry, onMeet) });
  }
  if (isBranch(base)) return { ...base, slots: united };
  // A root has no header line; its head and foot are the lowest layer's in any style.
  const head = isFlow(valueOf(base)) && path.length > 0 ? override : base;
  return { head, step: stepOf(base) ?? stepOf(override) ?? 2, slots: united };
}

/** The places of a mapping; undefined for anything else. */
export function slotsOf(tree: Tree): ReadonlyMap<string, Slot> | undefined {
  if (isBranch(tree)) return tree.slots;
  const value = valueOf(tree);
  if (!isMapping(value)) return undefined;
  return new Map([...entriesOf(value)].map(([key, entry]) => [key, { home: entry, tree: entry }]));
}

/** How deep a block mapping's children stand below its key; undefined for flow, which says nothing. */
export function stepOf(tree: Node): number | undefined {
  const mapping = valueOf(tree);
  const [child] = childrenOf(mapping);
  if (isFlow(mapping) || child === undefined || field(mapping, Field.entry) < 0) return undefined;
  return Math.max(1, field(child, Field.column) - field(mapping, Field.column));
}
