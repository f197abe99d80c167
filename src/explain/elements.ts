// Elements of a list that a rule puts together (setting `merge`): who says something of each, in the order of the list.
import { keyOfLabel } from "../merge/path.ts";
import { identityOf, keysIn } from "../merge/identity.ts";
import { isNullNode } from "../merge/kinds.ts";
import { deletedValue, patchOf, writtenIn } from "../merge/markers.ts";
import type { Rules } from "../merge/rules.ts";
import { headOfTree, leafOf, membersOf } from "../merge/tree.ts";
import { scalarText } from "../yaml/scalar.ts";
import { isSequence, type Node, valueOf } from "../yaml/tape.ts";

/** What one layer says at a path. */
export interface Said {
  /** Position of the layer in the stack. */
  readonly layer: number;
  /** Its entry, or its root. */
  readonly node: Node;
}

/** One element, lowest layer first. */
export interface Element {
  readonly said: readonly Said[];
  /** What a directive put it in the place of. */
  readonly over: readonly Said[];
}

/** What is left where a null takes away what lies below it, and goes with it. */
export function withoutNulls(said: readonly Said[]): readonly Said[] {
  return said.slice(said.findLastIndex(({ node }) => isNullNode(node)) + 1);
}

/** The lists that a rule brings together, and what lies below them. */
export function united(said: readonly Said[]): {
  readonly group: readonly Said[];
  readonly below: readonly Said[];
} {
  const starts = ({ node }: Said): boolean => {
    const value = valueOf(node);
    return !isSequence(value) || writtenIn(value).isReset;
  };
  const last = said.findLastIndex(starts);
  const from = last >= 0 && isSequence(valueOf((said[last] as Said).node)) ? last : last + 1;
  return { group: said.slice(from), below: said.slice(0, from) };
}

/** The elements of lists that are brought together, as merging orders them. */
export function elementsOf(group: readonly Said[], rules: Rules): Element[] {
  const lists = group.map(({ layer, node }) =>
    writtenIn(valueOf(node)).elements.map((element): Said => ({ layer, node: element })),
  );
  const { list } = rules;
  if (list === "prepend") return lists.toReversed().flat().map(alone);
  if (list === "append" || list === undefined) return lists.flat().map(alone);
  const elements = new Map<string, Element>();
  for (const said of lists.flat()) add(elements, said, list);
  return [...elements.values()];
}

function alone(said: Said): Element {
  return { said: [said], over: [] };
}

function add(elements: Map<string, Element>, said: Said, list: "set" | readonly string[]): void {
  const deleted = list === "set" ? deletedValue(said.node) : undefined;
  const identity = identityIn(deleted ?? said.node, list) ?? "";
  const known = elements.get(identity);
  const patch = list === "set" ? undefined : patchOf(said.node);
  if (deleted !== undefined || patch === "delete") elements.delete(identity);
  else if (known === undefined) elements.set(identity, alone(said));
  else if (patch === "replace")
    elements.set(identity, { said: [said], over: [...known.over, ...known.said] });
  else if (list !== "set") elements.set(identity, { ...known, said: [...known.said, said] });
  // What one layer alone says twice, it says twice.
  else if (known.said[0]?.layer === said.layer) elements.set(`${identity} ${elements.size}`, alone(said));
}

function identityIn(node: Node, list: "set" | readonly string[]): string | undefined {
  return list === "set" ? identityOf(leafOf(node)) : keysIn(leafOf(node), list);
}

/** How a path names an element: by its keys, or by its place where it has none, and where nobody may learn them. */
export function stepOf(
  { said }: Element,
  index: number,
  { list }: Rules,
  isSecret: (said: Said) => boolean,
): string {
  const [first] = said;
  if (first === undefined || typeof list !== "object" || said.some(isSecret)) return `[${index}]`;
  const members = membersOf(leafOf(first.node));
  const parts = list.map((key) => {
    const member = members?.get(key);
    return `${key}=${member === undefined ? "" : scalarText(valueOf(headOfTree(member)))}`;
  });
  const label = `[${parts.join(",")}]`;
  return keyOfLabel(label) === undefined ? `[${index}]` : label;
}
