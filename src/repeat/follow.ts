// Paths through YAML: from a node to what its steps name, as far as that is there.
import type { Node } from "../yaml/index.ts";
import type { Step } from "../merge/index.ts";

/** The last node on a path that is there, and the steps that lead on from it. */
export function follow(
  root: Node,
  steps: readonly Step[],
): { readonly node: Node; readonly left: readonly Step[] } {
  let node = root;
  for (const [index, step] of steps.entries()) {
    const next = stepInto(node.value, step);
    if (next === undefined) return { node, left: steps.slice(index) };
    node = next;
  }
  return { node, left: [] };
}

function stepInto(node: Node, step: Step): Node | undefined {
  if ("key" in step && node.isMapping) return node.entries().get(step.key) ?? spelled(node, step.key);
  if (!("inList" in step) || !node.isSequence) return undefined;
  const index = indexOf(node, step.inList);
  return index === undefined ? undefined : node.children()[index];
}

/** A plain `on` is found by that name, too. */
function spelled(mapping: Node, key: string): Node | undefined {
  return mapping.children().findLast((child) => child.keyText === key);
}

/** Index of an element by its index, or by the value of one of its keys: `name=tpl`. */
export function indexOf(list: Node, element: string): number | undefined {
  if (/^\d+$/.test(element)) return Number(element);
  const [, key = "", text = ""] = /^([^=]*)=([^]*)$/.exec(element) ?? [];
  const found = list.children().findIndex((child) => {
    const value = child.value;
    const entry = value.isMapping ? value.children().find((each) => each.keyText === key) : undefined;
    return entry !== undefined && entry.value.isScalar && entry.value.text === text;
  });
  return found < 0 ? undefined : found;
}

export function keyOf(step: Step | undefined): string | undefined {
  return step !== undefined && "key" in step ? step.key : undefined;
}
