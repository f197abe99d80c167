// Values inside of an instance, by their path.
import { nearest } from "../diagnostic.ts";
import type { Step } from "../merge/path.ts";
import { keyText } from "../yaml/scalar.ts";
import { childrenOf, isMapping, isSequence, type Node, valueOf } from "../yaml/tape.ts";
import { entriesOf } from "../yaml/view.ts";
import { told, type Told, type Where } from "./faults.ts";
import type { Filled, Instance } from "./model.ts";

/** A value inside of an instance's own. */
export function within(
  instance: Instance,
  steps: readonly Step[],
  inner: string,
  where: Where,
): Filled | Told {
  let node = valueOf(instance.value);
  for (const step of steps) {
    const next = childAt(node, step);
    if (next === undefined)
      return told(
        "repeat-path",
        where,
        `instance \`${instance.name}\` has nothing at \`${inner}\``,
        hintFor(node, step, instance),
      );
    node = valueOf(next);
  }
  return { node, secret: instance.secret };
}

function childAt(node: Node, step: Step): Node | undefined {
  const key = keyOf(step);
  if (key !== undefined && isMapping(node)) return entriesOf(node).get(key) ?? spelled(node, key);
  if ("inList" in step && /^\d+$/.test(step.inList) && isSequence(node))
    return childrenOf(node)[Number(step.inList)];
  return undefined;
}

function spelled(node: Node, key: string): Node | undefined {
  return childrenOf(node).findLast((child) => keyText(child) === key);
}

/** Keys below an instance of a Secret are not shown. */
function hintFor(node: Node, step: Step, { name, secret }: Instance): string {
  const keys = !secret && isMapping(node) ? [...entriesOf(node).keys()] : [];
  if (name === "from" && keys.includes("kind") && keys.includes("name"))
    return "to read instances from an item, write `from` in place of `instances`";
  const near = nearest(keyOf(step) ?? "", keys);
  if (near !== undefined) return `did you mean \`${near}\`?`;
  return keys.length === 0
    ? `give instance \`${name}\` that value`
    : `it has ${keys.slice(0, 20).join(", ")}`;
}

export function keyOf(step: Step): string | undefined {
  return "key" in step ? step.key : undefined;
}
