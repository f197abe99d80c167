// Lists merged by a rule (setting `merge`). Elements keep their bytes, comments and origins: only elements that two layers
// set are built again. Never throws; ruled.ts reports elements that do not fit a rule.
//
//   rule       base   override                                result
//   append     A      B                                       A, then B
//   prepend    A      B                                       B, then A
//   set        A      B                                       A, then what A lacks
//   key        A      B                                       elements of one key merge; base order, new ones after
//   any        A      []                                      A
//   any        A      - $patch: replace, then B               B
//   key        A      {key, $patch: delete | replace}         that element goes, or is replaced whole
//   set        A      {$patch: delete, $value: x}             x goes
import type { Node } from "../yaml/index.ts";
import { stepOfList, withoutKey } from "./branch.ts";
import { identityOf, keysIn } from "./identity.ts";
import { deletedValue, hasMarkers, patchOf, type Written, writtenIn } from "./markers.ts";
import type { Rules } from "./rules.ts";
import { Elements, headOfTree, itemsOf, leafOf, type Tree } from "./tree.ts";

/** How elements with one key merge, and the callback for a directive that finds nothing. */
export interface Merging {
  readonly element: (base: Tree, override: Node, rules: Rules | undefined) => Tree;
  readonly onUnmet: (element: Node) => void;
}

/** Merges a list over a list. Consumes the base. */
export function mergeLists(base: Tree, override: Node, rules: Rules, merging: Merging): Tree {
  const written = writtenIn(override.value);
  const isPlain = !hasMarkers(override.value);
  const lower = base.type === "list" ? base : undefined;
  if (isPlain && written.elements.length === 0) return settledList(base, rules, merging);
  const isOverNothing = written.isReset || itemsOf(base)?.length === 0;
  if (isPlain && isOverNothing) return { type: "leaf", home: base.home, node: override };
  if (written.isReset) return settledList({ type: "leaf", home: base.home, node: override }, rules, merging);
  const elements = lower?.elements ?? elementsIn(base, rules, merging);
  combine(elements, written, rules, merging);
  if (lower !== undefined) return lower;
  const own = headOfTree(base);
  const head = own.value.isFlow ? override : own;
  const step = stepOfList(own) ?? stepOfList(override) ?? 2;
  return { type: "list", home: base.home, head, step, elements };
}

/** A list without its directives, each element merged by the list's rule only. */
export function settledList(tree: Tree, rules: Rules, merging: Merging): Tree {
  if (tree.type !== "leaf" || !hasMarkers(tree.node.value)) return tree;
  const { home, node } = tree;
  const step = stepOfList(node) ?? 2;
  return { type: "list", home, head: node, step, elements: elementsIn(tree, rules, merging) };
}

/** A list with its elements replaced. */
export function withElements(tree: Tree, trees: readonly Tree[], rules: Rules): Tree {
  const elements = elementsOf([...trees], rules);
  if (tree.type === "list") return { ...tree, elements };
  const head = headOfTree(tree);
  return { type: "list", home: tree.home, head, step: stepOfList(head) ?? 2, elements };
}

function elementsIn(tree: Tree, rules: Rules, merging: Merging): Elements {
  const sequence = headOfTree(tree).value;
  if (!hasMarkers(sequence)) return elementsOf([...(itemsOf(tree) ?? [])], rules);
  const elements = elementsOf([], rules);
  combine(elements, writtenIn(sequence), rules, merging, true);
  return elements;
}

function elementsOf(trees: Tree[], { list }: Rules): Elements {
  return new Elements(trees, typeof list === "object" ? (tree) => keysIn(tree, list) ?? "" : identityOf);
}

/** @param isOwn true where the elements are already in the list that they go to: they keep the blank lines above them */
function combine(elements: Elements, written: Written, rules: Rules, merging: Merging, isOwn = false): void {
  const treeOf = (node: Node): Tree => (isOwn ? { type: "leaf", home: node, node } : leafOf(node));
  switch (rules.list) {
    case "append":
    case undefined:
      for (const node of written.elements) elements.add(treeOf(node));
      return;
    case "prepend":
      return elements.prepend(written.elements.map(treeOf));
    case "set":
      for (const node of written.elements) addToSet(elements, treeOf(node), merging);
      return;
    default:
      for (const node of written.elements) addByKey(elements, treeOf(node), rules.list, rules, merging);
  }
}

function addToSet(elements: Elements, tree: Tree, { onUnmet }: Merging): void {
  const node = headOfTree(tree);
  const deleted = deletedValue(node);
  const identity = deleted === undefined ? identityOf(tree) : identityOf(leafOf(deleted));
  const isThere = elements.find(identity) !== undefined;
  if (deleted === undefined) {
    if (!isThere) elements.add(tree);
  } else if (isThere) elements.remove(identity);
  else onUnmet(node);
}

function addByKey(
  elements: Elements,
  tree: Tree,
  keys: readonly string[],
  rules: Rules,
  { element, onUnmet }: Merging,
): void {
  const node = headOfTree(tree);
  const identity = keysIn(tree, keys);
  const patch = patchOf(node);
  const lower = identity === undefined ? undefined : elements.find(identity);
  if (patch !== undefined && lower === undefined) onUnmet(node);
  if (identity === undefined || lower === undefined) {
    if (patch !== "delete") elements.add(patch === undefined ? tree : withoutKey(tree, "$patch"));
  } else if (patch === "delete") elements.remove(identity);
  else if (patch === undefined) elements.replace(identity, element(lower, node, rules.inElements));
  else elements.replace(identity, withoutKey({ ...tree, home: lower.home }, "$patch"));
}
