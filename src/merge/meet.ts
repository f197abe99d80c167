// The places that both a document and the layers below it set, for checks that run before the merge.
import type { Node } from "../yaml/index.ts";
import { keysIn } from "./identity.ts";
import { isUnderListRule } from "./kinds.ts";
import { patchOf } from "./markers.ts";
import type { Rules } from "./rules.ts";
import { isMappingTree, itemsOf, leafOf, membersOf, type Tree } from "./tree.ts";

/** The keys down to a mapping, the lowest one first; undefined for the top. */
export interface EntryPath {
  readonly entry: Node;
  readonly above: EntryPath | undefined;
  /** True in the elements of a list, at any depth: values below the list do not show through there. */
  readonly inElement: boolean;
}

/** Called with an entry that meets another, the entries above it, and the rules for them. */
export type OnMeet = (
  base: Tree,
  override: Node,
  above: EntryPath | undefined,
  rules: Rules | undefined,
) => void;

/** Visits every place that both sides set, parents first. */
export function meet(base: Tree, override: Node, onMeet: OnMeet, rules?: Rules): void {
  onMeet(base, override, undefined, rules);
  meetInside(base, override, undefined, rules, onMeet);
}

function meetInside(
  base: Tree,
  override: Node,
  above: EntryPath | undefined,
  rules: Rules | undefined,
  onMeet: OnMeet,
): void {
  const value = override.value;
  const members = value.isMapping ? membersOf(base) : undefined;
  if (members === undefined || members.size === 0) return;
  for (const entry of value.members()) {
    const known = members.find(entry);
    if (known === undefined) continue;
    const inner = rules?.at(entry);
    onMeet(known, entry, above, inner);
    const below = { entry, above, inElement: above?.inElement ?? false };
    if (inner !== undefined && isUnderListRule(known, entry.value, inner))
      meetInElements(known, entry, below, inner, onMeet);
    else if (inner?.replacesMappings !== true && isMappingTree(known) && entry.value.isMapping)
      meetInside(known, entry, below, inner, onMeet);
  }
}

/** Elements meet if a key identifies them. */
function meetInElements(base: Tree, override: Node, above: EntryPath, rules: Rules, onMeet: OnMeet): void {
  const keys = rules.list;
  if (typeof keys !== "object") return;
  const lower = new Map(itemsOf(base)?.map((item) => [keysIn(item, keys), item]));
  for (const element of override.value.children()) {
    const identity = patchOf(element) === undefined ? keysIn(leafOf(element), keys) : undefined;
    const known = identity === undefined ? undefined : lower.get(identity);
    const below = { entry: element, above, inElement: true };
    if (known !== undefined) meetInside(known, element, below, rules.inElements, onMeet);
  }
}

/** The keys of the entries above one and its own, from the top. */
export function pathTo(above: EntryPath | undefined, entry: Node, textOf: (entry: Node) => string): string[] {
  const path = [textOf(entry)];
  for (let at = above; at !== undefined; at = at.above)
    path.push(at.entry.keyStart < 0 ? "[*]" : textOf(at.entry));
  return path.toReversed();
}
