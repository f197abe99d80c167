// Values while a patch works on them. A value that no operation touches stays the tree it was; a mapping or list on the
// path of one is opened. Operations are bounded: each may look at a whole document, and there may be thousands.
import {
  childrenOf,
  headOfTree,
  isMapping,
  isSequence,
  leafOf,
  type Members,
  membersOf,
  type Node,
  resolveScalar,
  scalarText,
  textOfKey,
  type Tree,
  valueOf,
} from "../core/index.ts";
import { jsonNumber } from "./json-values.ts";

export type Value =
  | { readonly type: "tree"; readonly tree: Tree }
  | { readonly type: "null" }
  | OpenMapping
  | OpenList;

export interface OpenMapping {
  readonly type: "mapping";
  /** What it was opened from, and held. */
  readonly from: Tree;
  readonly before: Members;
  readonly members: Map<string, Value>;
}

export interface OpenList {
  readonly type: "list";
  readonly from: Tree;
  readonly items: Value[];
}

export const nothing: Value = { type: "null" };

export function valueOfTree(tree: Tree): Value {
  return { type: "tree", tree };
}

/** A mapping or list in the form that operations change; undefined for other values. */
export function opened(value: Value): OpenMapping | OpenList | undefined {
  if (value.type !== "tree") return value.type === "null" ? undefined : value;
  const { tree } = value;
  const members = membersOf(tree);
  if (members !== undefined) {
    const entries = members.values().map((each) => [textOfKey(headOfTree(each)), valueOfTree(each)] as const);
    return { type: "mapping", from: tree, before: members, members: new Map(entries) };
  }
  const node = nodeOf(tree);
  if (!isSequence(node)) return undefined;
  return { type: "list", from: tree, items: childrenOf(node).map((item) => valueOfTree(leafOf(item))) };
}

/** The node of a leaf, or the one that its alias names. */
export function nodeOf(tree: Tree): Node {
  return valueOf(headOfTree(tree));
}

/** A copy of its own: what is done to one leaves the other alone. Trees are never changed, so they may be shared. */
export function copied(value: Value): Value {
  switch (value.type) {
    case "tree":
    case "null":
      return value;
    case "mapping":
      return {
        ...value,
        members: new Map([...value.members].map(([key, inner]) => [key, copied(inner)])),
      };
    case "list":
      return { ...value, items: value.items.map(copied) };
  }
}

/** One text for equal values: keys in order, numbers by what they are. */
export function canonical(value: Value): string {
  const open = opened(value);
  if (open?.type === "mapping") {
    const entries = [...open.members].toSorted(([a], [b]) => (a < b ? -1 : 1));
    return `{${entries.map(([key, inner]) => `${JSON.stringify(key)}:${canonical(inner)}`).join(",")}}`;
  }
  if (open?.type === "list") return `[${open.items.map(canonical).join(",")}]`;
  return value.type === "tree" ? scalarOf(nodeOf(value.tree)) : "null";
}

function scalarOf(node: Node): string {
  if (isMapping(node) || isSequence(node)) throw new Error("a collection is no scalar");
  const { type, text } = resolveScalar(node);
  if (type === "null") return "null";
  if (type === "bool") return text;
  if (type === "string" || type === "merge") return JSON.stringify(scalarText(node));
  return jsonNumber(node) ?? scalarText(node);
}

export function childOf(holder: OpenMapping | OpenList, key: string): Value | undefined {
  if (holder.type === "mapping") return holder.members.get(key);
  const index = indexIn(key, holder.items.length);
  return index === undefined ? undefined : holder.items[index];
}

export function put(holder: OpenMapping | OpenList, key: string, value: Value): void {
  if (holder.type === "mapping") holder.members.set(key, value);
  else holder.items[indexIn(key, holder.items.length) ?? 0] = value;
}

/** From the end where it is negative, as the library counts. */
export function indexIn(key: string, length: number): number | undefined {
  if (!/^[-+]?\d+$/.test(key)) return undefined;
  const index = Number(key);
  const at = index < 0 ? index + length : index;
  return at < 0 || at >= length ? undefined : at;
}

/** How many values there are in a value, itself included, and how deep its mappings and lists are nested. */
export interface Extent {
  readonly size: number;
  readonly depth: number;
}

/** Values looked at by all operations of a patch: above it a patch is a mistake or an attack. */
const mostLooked = 10_000_000;

/** How many places of a list are moved in the time of one look. */
const placesPerLook = 32;

export class Extents {
  private readonly known = new WeakMap<Tree, Extent>();
  private looked = 0;

  /** What no operation has touched is measured once. */
  of(value: Value): Extent {
    const tree = value.type === "tree" ? value.tree : undefined;
    const known = tree === undefined ? undefined : this.known.get(tree);
    this.looked++;
    const extent = known ?? this.measured(value);
    if (tree !== undefined) this.known.set(tree, extent);
    return extent;
  }

  /** Counts that a value is read as a whole. */
  read(value: Value): void {
    this.looked += this.of(value).size;
  }

  /** Counts that elements of a list change their places. */
  shift(length: number): void {
    this.looked += length / placesPerLook;
  }

  /** Undefined as long as operations may go on. */
  get excess(): { readonly failed: string; readonly cure: string } | undefined {
    if (this.looked <= mostLooked) return undefined;
    const failed = `the operations so far look at more than ${mostLooked} values in all`;
    return { failed, cure: "move and test less at a time: name what is meant by its whole path" };
  }

  private measured(value: Value): Extent {
    const open = opened(value);
    if (open === undefined) return { size: 1, depth: 0 };
    let [size, depth] = [1, 0];
    for (const inner of open.type === "mapping" ? open.members.values() : open.items) {
      const extent = this.of(inner);
      size += extent.size;
      depth = Math.max(depth, extent.depth);
    }
    return { size, depth: depth + 1 };
  }
}
