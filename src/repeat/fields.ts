// Fields set by path: a scalar in the place of another keeps its surroundings; what is not there is added, a list
// element never is.
import {
  childrenOf,
  isMapping,
  isScalar,
  isSequence,
  keyText,
  Kind,
  kindOf,
  type Node,
  resolveScalar,
  scalarText,
  type Step,
  valueOf,
} from "../core/index.ts";
import { fail, type Failure, type RepeatPlace } from "./faults.ts";
import { kindName, type Content } from "./model.ts";
import { type FieldChange, added, filledUp, replaceValue } from "./field-text.ts";

/** The edits that set one field. Called with steps of keys, indices and `key=value`. */
export function setField(
  root: Node,
  steps: readonly Step[],
  content: Content,
  where: RepeatPlace,
): FieldChange | Failure {
  let node = root;
  for (const [index, step] of steps.entries()) {
    if (kindOf(node) === Kind.alias) return aliased(where);
    if ("key" in step && isMapping(node)) {
      const next = childrenOf(node).findLast((child) => keyText(child) === step.key);
      if (next === undefined) return added(node, steps.slice(index), content, where);
      node = next;
    } else if ("key" in step && isEmpty(node) && index > 0) {
      return filledUp(node, steps.slice(index), content, where);
    } else {
      const found = elementOf(node, step, where);
      if ("fault" in found) return found;
      node = found;
    }
  }
  if (kindOf(node) === Kind.alias) return aliased(where);
  return { edits: isSame(node, content) ? [] : [replaceValue(node, content)], adds: false };
}

function isEmpty(node: Node): boolean {
  return isScalar(node) && resolveScalar(node).type === "null";
}

/** One element of a list by `[0]` or `[name=x]`. */
function elementOf(list: Node, step: Step, where: RepeatPlace): Node | Failure {
  if (!("inList" in step) || step.inList === "*")
    return fail(
      where,
      `${stepText(step)} leads nowhere in ${kindName(list)}`,
      "name one field: keys, `[0]`, `[name=x]`",
    );
  if (!isSequence(list))
    return fail(
      where,
      `expected a sequence before \`[${step.inList}]\`, got ${kindName(list)}`,
      "correct the path",
    );
  const children = childrenOf(list);
  const index = indexOf(list, step.inList);
  const found = index === undefined ? undefined : children[index];
  if (found !== undefined) return found;
  return fail(
    where,
    `no element \`[${step.inList}]\` in a list of ${children.length}`,
    "correct the path, or add the element that is the template",
  );
}

/** Index of an element by its index, or by the value of one of its keys. */
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

function stepText(step: Step): string {
  if ("key" in step) return `\`${step.key}\``;
  return "any" in step ? "a wildcard" : `\`[${step.inList}]\``;
}

function aliased(where: RepeatPlace): Failure {
  return fail(where, "the element is a YAML alias", "write it out");
}

function isSame(node: Node, content: Content): boolean {
  if (!isScalar(node)) return false;
  const now = resolveScalar(node);
  if ("text" in content) return now.type === "string" && scalarText(node) === content.text;
  const value = valueOf(content.node);
  if (!isScalar(value) || resolveScalar(value).type !== now.type) return false;
  return scalarText(value) === scalarText(node);
}
