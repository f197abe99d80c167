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
// keeps its bytes and its origin; a Branch exists only where two layers meet. Inputs are never changed.
import { firstChildOf, Field, field, isFlow, isMapping, type Node, valueOf } from "../yaml/tape.ts";
import { entriesOf } from "../yaml/view.ts";

/** Merged values: an entry (or root) of one layer, or a mapping in which several layers meet. */
export type Tree = Leaf | Branch;

export interface Leaf {
  readonly type: "leaf";
  /** The entry whose position this is; absent for a key that an override brought in, and for a root. */
  readonly home: Node | undefined;
  readonly node: Node;
}

interface Branch {
  readonly type: "branch";
  readonly home: Node | undefined;
  /** The entry (or root) whose header line, comments and foot the mapping keeps. */
  readonly head: Node;
  /** Columns between the mapping's key and its children. */
  readonly step: number;
  readonly members: Members;
}

/** What a mapping holds, by key as the consumer spells it. */
export type Members = ReadonlyMap<string, Tree>;

export type Path = readonly string[];

/** Told of every path at which both sides hold something, parents first. */
export type OnMeet = (path: Path, base: Tree, override: Node) => void;

/** The values of one document. */
export function leafOf(node: Node): Leaf {
  return { type: "leaf", home: undefined, node };
}

/** The entry (or root) that a tree's key, header line and comments come from. */
export function headOfTree(tree: Tree): Node {
  switch (tree.type) {
    case "leaf":
      return tree.node;
    case "branch":
      return tree.head;
  }
}

/** Merges a document over merged values. Changes neither, copies nothing, never throws. */
export function merge(base: Tree, override: Node, onMeet: OnMeet = () => undefined): Tree {
  return mergeAt([], base, override, onMeet);
}

function mergeAt(path: Path, base: Tree, override: Node, onMeet: OnMeet): Tree {
  onMeet(path, base, override);
  const { home } = base;
  const members = membersOf(base);
  if (members === undefined || !isMapping(valueOf(override))) return { type: "leaf", home, node: override };
  const entries = entriesOf(valueOf(override));
  if (entries.size === 0) return base;
  if (members.size === 0) return { type: "leaf", home, node: override };
  const united = new Map(members);
  for (const [key, entry] of entries) {
    const known = members.get(key);
    if (known === undefined) united.set(key, leafOf(entry));
    else united.set(key, mergeAt([...path, key], known, entry, onMeet));
  }
  return { type: "branch", home, ...headAndStep(path, base, override), members: united };
}

/** A root has no header line; its head and foot are the lowest layer's in any style. */
function headAndStep(path: Path, base: Tree, override: Node): Pick<Branch, "head" | "step"> {
  switch (base.type) {
    case "branch":
      return { head: base.head, step: base.step };
    case "leaf": {
      const head = isFlow(valueOf(base.node)) && path.length > 0 ? override : base.node;
      return { head, step: stepOf(base.node) ?? stepOf(override) ?? 2 };
    }
  }
}

/** What a mapping holds; undefined for anything else. */
export function membersOf(tree: Tree): Members | undefined {
  switch (tree.type) {
    case "branch":
      return tree.members;
    case "leaf": {
      const value = valueOf(tree.node);
      return isMapping(value) ? membersOfNode(value) : undefined;
    }
  }
}

/** What a mapping of one document holds, aliases followed and `<<` merged in. */
export function membersOfNode(mapping: Node): Members {
  const members = new Map<string, Tree>();
  for (const [key, entry] of entriesOf(mapping)) members.set(key, { type: "leaf", home: entry, node: entry });
  return members;
}

/** How deep a block mapping's children stand below its key; undefined for flow, which says nothing. */
export function stepOf(tree: Node): number | undefined {
  const mapping = valueOf(tree);
  const child = firstChildOf(mapping);
  if (isFlow(mapping) || child === undefined || field(mapping, Field.entry) < 0) return undefined;
  return Math.max(1, field(child, Field.column) - field(mapping, Field.column));
}
