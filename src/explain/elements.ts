// Elements of a list that a rule merges (setting `merge`): which layers set each of them, in the order of the list.
import {
  deletedValue,
  Elements,
  hasMarkers,
  headOfTree,
  identityOf,
  isNullNode,
  keyOfLabel,
  keysIn,
  leafOf,
  membersOf,
  patchOf,
  type Rules,
  writtenIn,
} from "../merge/index.ts";
import type { Node } from "../yaml/index.ts";

/** What one layer sets at a path. */
export interface LayerNode {
  /** Position of the layer in the stack. */
  readonly layer: number;
  /** Its entry, or its root. */
  readonly node: Node;
}

/** One element, lowest layer first. */
export interface Element {
  readonly nodes: readonly LayerNode[];
  /** What a directive replaced by it. */
  readonly overridden: readonly LayerNode[];
}

/** The nodes above the highest null: a dropped null removes what is below it, and itself. */
export function withoutNulls(nodes: readonly LayerNode[]): readonly LayerNode[] {
  return nodes.slice(nodes.findLastIndex(({ node }) => isNullNode(node)) + 1);
}

/** The lists that a rule merges, and what is below them. */
export function united(nodes: readonly LayerNode[]): {
  readonly group: readonly LayerNode[];
  readonly below: readonly LayerNode[];
} {
  const starts = ({ node }: LayerNode): boolean => {
    const value = node.value;
    return !value.isSequence || writtenIn(value).isReset;
  };
  const last = nodes.findLastIndex(starts);
  const from = last >= 0 && (nodes[last] as LayerNode).node.value.isSequence ? last : last + 1;
  return { group: nodes.slice(from), below: nodes.slice(0, from) };
}

/** The elements of lists that are brought together, as merging orders them. @param below lower layers, lowest first */
export function elementsOf(
  group: readonly LayerNode[],
  below: readonly LayerNode[],
  { list }: Rules,
): readonly Element[] {
  const lists = group.map(({ layer, node }) =>
    writtenIn(node.value).elements.map((element): LayerNode => ({ layer, node: element })),
  );
  if (list === "prepend") return lists.toReversed().flat().map(alone);
  if (list === "append" || list === undefined) return lists.flat().map(alone);
  const firstIdentity = ({ nodes: [first] }: Element): string =>
    first === undefined ? "" : (identityIn(first.node, list) ?? "");
  let elements = new Elements<Element>([], firstIdentity);
  for (const [at, own] of lists.entries()) {
    const isPlain = group[at] !== undefined && !hasMarkers(group[at].node.value);
    // A list over nothing stays as it is, duplicates included. Directives of the lowest list count as elements.
    const isOverNothing = elements.values().length === 0 && !(at === 1 && isDirected(group[0], below.at(-1)));
    if (isPlain && isOverNothing) elements = new Elements(own.map(alone), firstIdentity);
    else for (const node of own) add(elements, node, list);
  }
  return elements.values();
}

/** True for a list with directives that nothing took out: it was merged over no other list. */
function isDirected(lowest: LayerNode | undefined, below: LayerNode | undefined): boolean {
  return lowest !== undefined && hasMarkers(lowest.node.value) && below?.node.value.isSequence !== true;
}

function alone(node: LayerNode): Element {
  return { nodes: [node], overridden: [] };
}

function add(elements: Elements<Element>, node: LayerNode, list: "set" | readonly string[]): void {
  const deleted = list === "set" ? deletedValue(node.node) : undefined;
  const identity = identityIn(deleted ?? node.node, list) ?? "";
  const known = elements.find(identity);
  const patch = list === "set" ? undefined : patchOf(node.node);
  if (deleted !== undefined || patch === "delete") elements.remove(identity);
  else if (known === undefined) elements.add(alone(node));
  else if (patch === "replace")
    elements.replace(identity, { nodes: [node], overridden: [...known.overridden, ...known.nodes] });
  else if (list !== "set") elements.replace(identity, { ...known, nodes: [...known.nodes, node] });
}

function identityIn(node: Node, list: "set" | readonly string[]): string | undefined {
  return list === "set" ? identityOf(leafOf(node)) : keysIn(leafOf(node), list);
}

/**
 * How paths name elements: by their keys, or by their place where no key identifies them, and where keys must
 * not show.
 */
export function stepsOf(
  elements: readonly Element[],
  { list }: Rules,
  isSecret: (node: LayerNode) => boolean,
): string[] {
  const labels = elements.map((element) => labelOf(element, list, isSecret));
  const counts = new Map<string | undefined, number>();
  for (const label of labels) counts.set(label, (counts.get(label) ?? 0) + 1);
  return labels.map((label, index) =>
    label === undefined || counts.get(label) !== 1 ? `[${index}]` : label,
  );
}

function labelOf(
  { nodes }: Element,
  list: Rules["list"],
  isSecret: (node: LayerNode) => boolean,
): string | undefined {
  const [first] = nodes;
  if (first === undefined || typeof list !== "object" || nodes.some(isSecret)) return undefined;
  const members = membersOf(leafOf(first.node));
  const parts = list.map((key) => {
    const member = members?.get(key);
    return `${key}=${member === undefined ? "" : headOfTree(member).value.text}`;
  });
  const label = `[${parts.join(",")}]`;
  return keyOfLabel(label) === undefined ? undefined : label;
}
