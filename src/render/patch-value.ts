// Values while a patch works on them. What no operation touches stays the tree it was; a mapping or list on the way of one
// is opened.
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

/** A mapping or list as one that can be worked on; undefined for anything else. */
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

/** What a leaf stands for, its alias followed. */
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
