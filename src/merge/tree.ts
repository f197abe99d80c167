// Hot loop: merged values as a tree, and the members of a mapping in it. Few members are found by comparing keys; many are
// looked up by their text.
import { haveSameKey, type Node } from "../yaml/index.ts";

/** Merged values: an entry (or root) of one layer, or a mapping or a list in which several layers meet. */
export type Tree = Leaf | Branch | ListBranch;

export interface Leaf {
  readonly type: "leaf";
  /** The entry that gives the position; absent for a key that an override added, and for a root. */
  readonly home: Node | undefined;
  readonly node: Node;
}

export interface Branch {
  readonly type: "branch";
  readonly home: Node | undefined;
  /** The entry (or root) that gives the mapping its header line, comments and foot. */
  readonly head: Node;
  /** Columns between the mapping's key and its children. */
  readonly step: number;
  readonly members: Members;
}

/** A list merged by a rule (setting `merge`). */
export interface ListBranch {
  readonly type: "list";
  readonly home: Node | undefined;
  /** The entry that gives the list its header line, comments and foot. */
  readonly head: Node;
  /** Columns between the list's key and its dashes. */
  readonly step: number;
  readonly elements: Elements;
}

/** The values of one document. */
export function leafOf(node: Node): Leaf {
  return { type: "leaf", home: undefined, node };
}

/** The entry (or root) that a tree's key, header line and comments come from. */
export function headOfTree(tree: Tree): Node {
  return tree.type === "leaf" ? tree.node : tree.head;
}

export function isMappingTree(tree: Tree): boolean {
  return tree.type === "branch" || (tree.type === "leaf" && tree.node.value.isMapping);
}

/** The elements of a list; undefined for anything else. */
export function itemsOf(tree: Tree): readonly Tree[] | undefined {
  if (tree.type !== "leaf") return tree.type === "list" ? tree.elements.values() : undefined;
  const value = tree.node.value;
  return value.isSequence
    ? value.children().map((node): Tree => ({ type: "leaf", home: node, node }))
    : undefined;
}

/** The members of a mapping; undefined for anything else. Those of a Branch are its own object. */
export function membersOf(tree: Tree): Members | undefined {
  switch (tree.type) {
    case "branch":
      return tree.members;
    case "list":
      return undefined;
    case "leaf": {
      const value = tree.node.value;
      return value.isMapping ? membersOfNode(value) : undefined;
    }
  }
}

/** The members of a mapping of one document, with aliases followed and `<<` merged in. */
export function membersOfNode(mapping: Node): Members {
  return new Members(mapping.members().map(memberOf));
}

function memberOf(entry: Node): Tree {
  return { type: "leaf", home: entry, node: entry };
}

const few = 12;

/** The members of a mapping, in order. */
export class Members {
  private trees: Tree[];
  private byText: Map<string, number> | undefined;

  constructor(trees: Tree[]) {
    this.trees = trees;
  }

  get size(): number {
    return this.trees.length;
  }

  values(): readonly Tree[] {
    return this.trees;
  }

  at(index: number): Tree {
    return this.trees[index] as Tree;
  }

  /**
   * Index of the member with an entry's key; -1 without one.
   * @param near its likely index: layers often write their keys in one order
   */
  indexOf(entry: Node, near = 0): number {
    const { trees } = this;
    const likely = trees[near];
    if (likely !== undefined && haveSameKey(likely.type === "leaf" ? likely.node : likely.head, entry))
      return near;
    if (trees.length > few) return this.index().get(entry.key) ?? -1;
    for (let index = 0; index < trees.length; index++) {
      const tree = trees[index] as Tree;
      if (haveSameKey(tree.type === "leaf" ? tree.node : tree.head, entry)) return index;
    }
    return -1;
  }

  find(entry: Node): Tree | undefined {
    const index = this.indexOf(entry);
    return index < 0 ? undefined : this.at(index);
  }

  /** The member under a key as the consumer spells it. */
  get(key: string): Tree | undefined {
    const index = this.index().get(key);
    return index === undefined ? undefined : this.at(index);
  }

  /** The keys, as the consumer spells them. */
  keys(): string[] {
    return this.trees.map((tree) => headOfTree(tree).key);
  }

  add(tree: Tree): void {
    this.byText?.set(headOfTree(tree).key, this.trees.length);
    this.trees.push(tree);
  }

  /** Replaces a member by another tree with the same key. */
  replace(index: number, tree: Tree): void {
    this.trees[index] = tree;
  }

  /** Removes members by index. */
  drop(places: ReadonlySet<number>): void {
    this.trees = this.trees.filter((_, index) => !places.has(index));
    this.byText = undefined;
  }

  private index(): Map<string, number> {
    if (this.byText !== undefined) return this.byText;
    const byText = new Map<string, number>();
    for (const [index, tree] of this.trees.entries()) byText.set(headOfTree(tree).key, index);
    return (this.byText = byText);
  }
}

/** The elements of a list that a rule merges, in order. Their identities are kept from layer to layer. */
export class Elements<T = Tree> {
  private all: (T | undefined)[];
  private readonly identityOf: (one: T) => string;
  /** For equal elements the first one is merged, and all are removed together. */
  private places: Map<string, number[]> | undefined;

  constructor(all: T[], identityOf: (one: T) => string) {
    this.all = all;
    this.identityOf = identityOf;
  }

  values(): readonly T[] {
    return this.all.filter((one) => one !== undefined);
  }

  find(identity: string): T | undefined {
    const [first] = this.placesOf(identity);
    return first === undefined ? undefined : this.all[first];
  }

  add(one: T): void {
    if (this.places !== undefined) remember(this.places, this.identityOf(one), this.all.length);
    this.all.push(one);
  }

  prepend(others: readonly T[]): void {
    this.places = undefined;
    this.all = [...others, ...this.all];
  }

  /** Replaces an element by another with the same identity. */
  replace(identity: string, one: T): void {
    const [first] = this.placesOf(identity);
    if (first !== undefined) this.all[first] = one;
  }

  remove(identity: string): void {
    for (const place of this.placesOf(identity)) this.all[place] = undefined;
    this.places?.delete(identity);
  }

  private placesOf(identity: string): readonly number[] {
    this.places ??= this.byIdentity();
    return this.places.get(identity) ?? [];
  }

  private byIdentity(): Map<string, number[]> {
    const places = new Map<string, number[]>();
    for (const [place, one] of this.all.entries())
      if (one !== undefined) remember(places, this.identityOf(one), place);
    return places;
  }
}

function remember(places: Map<string, number[]>, identity: string, place: number): void {
  const known = places.get(identity);
  if (known === undefined) places.set(identity, [place]);
  else known.push(place);
}
