// Elements of a list that a rule puts together (setting `merge`): who says something of each, in the order of the list.
import {
  deletedValue,
  Elements,
  hasMarkers,
  headOfTree,
  identityOf,
  isNullNode,
  isSequence,
  keyOfLabel,
  keysIn,
  leafOf,
  membersOf,
  type Node,
  patchOf,
  type Rules,
  scalarText,
  valueOf,
  writtenIn,
} from "../core/index.ts";

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
export function elementsOf(group: readonly Said[], { list }: Rules): readonly Element[] {
  const lists = group.map(({ layer, node }) =>
    writtenIn(valueOf(node)).elements.map((element): Said => ({ layer, node: element })),
  );
  if (list === "prepend") return lists.toReversed().flat().map(alone);
  if (list === "append" || list === undefined) return lists.flat().map(alone);
  const firstIdentity = ({ said: [first] }: Element): string =>
    first === undefined ? "" : (identityIn(first.node, list) ?? "");
  const [lowest = [], ...others] = lists;
  // A list that nobody adds to stays as it is, duplicates included.
  const isPlain = group[0] !== undefined && !hasMarkers(valueOf(group[0].node));
  const elements = new Elements<Element>(isPlain ? lowest.map(alone) : [], firstIdentity);
  for (const said of isPlain ? others.flat() : lists.flat()) add(elements, said, list);
  return elements.values();
}

function alone(said: Said): Element {
  return { said: [said], over: [] };
}

function add(elements: Elements<Element>, said: Said, list: "set" | readonly string[]): void {
  const deleted = list === "set" ? deletedValue(said.node) : undefined;
  const identity = identityIn(deleted ?? said.node, list) ?? "";
  const known = elements.find(identity);
  const patch = list === "set" ? undefined : patchOf(said.node);
  if (deleted !== undefined || patch === "delete") elements.remove(identity);
  else if (known === undefined) elements.add(alone(said));
  else if (patch === "replace")
    elements.replace(identity, { said: [said], over: [...known.over, ...known.said] });
  else if (list !== "set") elements.replace(identity, { ...known, said: [...known.said, said] });
}

function identityIn(node: Node, list: "set" | readonly string[]): string | undefined {
  return list === "set" ? identityOf(leafOf(node)) : keysIn(leafOf(node), list);
}

/**
 * How paths name elements: by their keys, or by their place where they have none to tell them apart, and where nobody may
 * learn them.
 */
export function stepsOf(
  elements: readonly Element[],
  { list }: Rules,
  isSecret: (said: Said) => boolean,
): string[] {
  const labels = elements.map((element) => labelOf(element, list, isSecret));
  const counts = new Map<string | undefined, number>();
  for (const label of labels) counts.set(label, (counts.get(label) ?? 0) + 1);
  return labels.map((label, index) =>
    label === undefined || counts.get(label) !== 1 ? `[${index}]` : label,
  );
}

function labelOf(
  { said }: Element,
  list: Rules["list"],
  isSecret: (said: Said) => boolean,
): string | undefined {
  const [first] = said;
  if (first === undefined || typeof list !== "object" || said.some(isSecret)) return undefined;
  const members = membersOf(leafOf(first.node));
  const parts = list.map((key) => {
    const member = members?.get(key);
    return `${key}=${member === undefined ? "" : scalarText(valueOf(headOfTree(member)))}`;
  });
  const label = `[${parts.join(",")}]`;
  return keyOfLabel(label) === undefined ? undefined : label;
}
