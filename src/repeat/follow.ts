// Paths through YAML: from a node to what its steps name, as far as that is there.
import {
  childrenOf,
  entriesOf,
  isMapping,
  isScalar,
  isSequence,
  keyText,
  type Node,
  scalarText,
  type Step,
  valueOf,
} from "../core/index.ts";

/** The last node on a path that is there, and the steps that lead on from it. */
export function follow(
  root: Node,
  steps: readonly Step[],
): { readonly node: Node; readonly left: readonly Step[] } {
  let node = root;
  for (const [index, step] of steps.entries()) {
    const next = stepInto(valueOf(node), step);
    if (next === undefined) return { node, left: steps.slice(index) };
    node = next;
  }
  return { node, left: [] };
}

function stepInto(node: Node, step: Step): Node | undefined {
  if ("key" in step && isMapping(node)) return entriesOf(node).get(step.key) ?? spelled(node, step.key);
  if (!("inList" in step) || !isSequence(node)) return undefined;
  const index = indexOf(node, step.inList);
  return index === undefined ? undefined : childrenOf(node)[index];
}

/** A plain `on` is found by that name, too. */
function spelled(mapping: Node, key: string): Node | undefined {
  return childrenOf(mapping).findLast((child) => keyText(child) === key);
}

/** Index of an element by its index, or by the value of one of its keys: `name=tpl`. */
export function indexOf(list: Node, element: string): number | undefined {
  if (/^\d+$/.test(element)) return Number(element);
  const [, key = "", text = ""] = /^([^=]*)=([^]*)$/.exec(element) ?? [];
  const found = childrenOf(list).findIndex((child) => {
    const value = valueOf(child);
    const entry = isMapping(value) ? childrenOf(value).find((each) => keyText(each) === key) : undefined;
    return entry !== undefined && isScalar(valueOf(entry)) && scalarText(valueOf(entry)) === text;
  });
  return found < 0 ? undefined : found;
}

export function keyOf(step: Step | undefined): string | undefined {
  return step !== undefined && "key" in step ? step.key : undefined;
}
