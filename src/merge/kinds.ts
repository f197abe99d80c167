// The kinds of the two sides of a merge, as rules need them (setting `merge`).
import { Kind, type Node } from "../yaml/index.ts";
import { hasMarkers } from "./markers.ts";
import type { Rules } from "./rules.ts";
import { itemsOf, type Tree } from "./tree.ts";

/** True where a rule defines how two lists merge. */
export function isUnderListRule(base: Tree, override: Node, { list }: Rules): boolean {
  return list !== undefined && override.isSequence && itemsOf(base) !== undefined;
}

/** True where a rule keeps both sides: elements with a key merge one by one, a set has no order, and a dropped null has no effect. */
export function isRuled(base: Tree, override: Node, rules: Rules): boolean {
  if (rules.dropsNulls && (isNullTree(base) || isNullNode(override))) return true;
  if (holdsMarkers(base) || hasMarkers(override.value)) return false;
  const isUnordered = rules.list === "set" || typeof rules.list === "object";
  return isUnordered && isUnderListRule(base, override.value, rules);
}

export function isNullTree(tree: Tree): boolean {
  return tree.type === "leaf" && isNullNode(tree.node);
}

export function isNullNode(entry: Node): boolean {
  return isNullValue(entry.value);
}

export function isNullValue(value: Node): boolean {
  return value.isScalar && value.isNull;
}

function holdsMarkers(tree: Tree): boolean {
  return tree.type === "leaf" && hasMarkers(tree.node.value);
}

/** A plain `${…}` may become anything when Flux substitutes it. */
export function isVariable(value: Node): boolean {
  return value.kind === Kind.plain && value.text.includes("${");
}
