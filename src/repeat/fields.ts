// Fields set by path: a scalar in the place of another keeps its surroundings; what is not there is added in the style of its
// surroundings, a list element never is.
import {
  addLines,
  type TextEdit,
  replaceKeyText,
  replaceScalar,
  replaceValue,
  type NewScalar,
  scalarOf,
} from "../krm/index.ts";
import { doubleQuote, Kind, type Node, quote, quoteReadably } from "../yaml/index.ts";
import type { Step } from "../merge/index.ts";
import { refusal, type Refused, type RepeatPlace } from "./faults.ts";
import { follow } from "./follow.ts";
import { type FieldContent, kindName } from "./model.ts";
import { type FieldSetting, spelled } from "./spelling.ts";

/** The edits of one field: of a value that exists, or of keys that are added to a mapping first. */
export interface FieldChange {
  readonly edits: readonly TextEdit[];
  readonly adds: boolean;
}

/** The edits that set one field. Called with steps of keys, indices and `key=value`. */
export function setField(
  root: Node,
  steps: readonly Step[],
  content: FieldContent,
  where: RepeatPlace,
): FieldChange {
  const { node, left } = follow(root, steps);
  if (left.length === 0)
    return { edits: isSame(node, content) ? [] : [replaced(node, content)], adds: false };
  const [first] = left;
  const isNothing = node.isScalar && node.resolved().type === "null" && node !== root;
  if (first === undefined || !("key" in first) || (!node.isMapping && !isNothing))
    throw notThere(node, first, where);
  const keys = left.flatMap((step) => ("key" in step ? [step.key] : []));
  if (keys.length < left.length)
    throw refusal(
      where,
      "the path has a list that the template does not have",
      "add the list to the template",
    );
  return { edits: [isNothing ? filledUp(node, keys, content) : added(node, keys, content)], adds: true };
}

function notThere(node: Node, step: Step | undefined, where: RepeatPlace): Refused {
  if (step === undefined || !("inList" in step)) {
    const name = step !== undefined && "key" in step ? `\`${step.key}\`` : "a wildcard";
    const message = `${name} leads nowhere in ${kindName(node)}`;
    return refusal(where, message, "name one field: keys, `[0]`, `[name=x]`");
  }
  const element = `\`[${step.inList}]\``;
  if (!node.isSequence)
    return refusal(where, `expected a sequence before ${element}, got ${kindName(node)}`, "correct the path");
  const message = `no element ${element} in a list of ${node.children().length}`;
  return refusal(where, message, "correct the path, or add the element that is the template");
}

function isSame(node: Node, content: FieldContent): boolean {
  if (!node.isScalar) return false;
  const now = node.resolved();
  if ("text" in content) return now.type === "string" && node.text === content.text;
  const value = content.node.value;
  if (!value.isScalar || value.resolved().type !== now.type) return false;
  return value.text === node.text;
}

/** New keys at the end of a mapping, nested as far as is needed. */
function added(mapping: Node, keys: readonly string[], content: FieldContent): TextEdit {
  const [key = "", ...rest] = keys;
  const inBrackets = `${doubleQuote(key)}: ${nested(rest, content, settingIn(mapping))}`;
  const lines = linesOf(keys, content);
  if (!isOpenable(mapping)) return addLines(mapping, lines, inBrackets);
  const pad = " ".repeat(mapping.column + 2);
  const text = lines.map((line) => (line === "" ? "\n" : `\n${pad}${line}`)).join("");
  return { start: mapping.keyEnd, end: mapping.end, text: `:${text}` };
}

/** True for `{}` after the key of a block: it becomes lines. */
function isOpenable(mapping: Node): boolean {
  const parent = mapping.parent;
  const isEmpty = mapping.isFlow && mapping.children().length === 0;
  if (!isEmpty || mapping.start !== mapping.body) return false;
  const isAfterKey = mapping.keyKind !== Kind.empty;
  return parent !== undefined && parent.isMapping && !parent.isFlow && isAfterKey;
}

/** A value that is nothing yet becomes a mapping. */
function filledUp(node: Node, keys: readonly string[], content: FieldContent): TextEdit {
  const parent = node.parent;
  const isJson = parent !== undefined && settingIn(parent) === "json";
  return replaceScalar(node, nested(keys, content, isJson ? "json" : "brackets"));
}

function nested(keys: readonly string[], content: FieldContent, setting: FieldSetting): string {
  const value = textOf(content, setting === "block" ? "brackets" : setting);
  return keys.reduceRight((inner, key) => `{${doubleQuote(key)}: ${inner}}`, value);
}

function linesOf([key = "", ...rest]: readonly string[], content: FieldContent): readonly string[] {
  if (rest.length > 0)
    return [`${quote(key)}:`, ...linesOf(rest, content).map((line) => (line === "" ? "" : `  ${line}`))];
  const { line, lines } = scalarIn(content);
  return [`${quote(key)}: ${line}`, ...lines];
}

/** In a block: text of several lines as lines. */
function scalarIn(content: FieldContent): Pick<NewScalar, "line" | "lines"> {
  const text = wholeText(content);
  return text?.includes("\n") === true ? scalarOf(text, 2) : { line: textOf(content, "block"), lines: [] };
}

function textOf(content: FieldContent, setting: FieldSetting): string {
  if ("node" in content) return spelled(content.node, setting);
  return setting === "block" ? quoteReadably(content.text) : doubleQuote(content.text);
}

/** JSON, if the keys next to it are in double quotes. */
function settingIn(parent: Node): FieldSetting {
  if (!parent.isFlow) return "block";
  const [first] = parent.children();
  const isJson = first === undefined || !parent.isMapping || first.keyKind === Kind.double;
  return isJson ? "json" : "brackets";
}

/** Another value in the place of one that is there. */
export function replaced(node: Node, content: FieldContent): TextEdit {
  const parent = node.parent;
  const setting = parent === undefined ? "block" : settingIn(parent);
  const text = wholeText(content);
  const isBlockText = node.kind === Kind.literal || node.kind === Kind.folded;
  const isLong = text !== undefined && (isBlockText || text.includes("\n"));
  if (isLong && setting === "block" && parent !== undefined && parent.isMapping)
    return replaceKeyText(node, text);
  return replaceValue(node, textOf(content, setting));
}

/** Text that is written line by line, if it is text at all. */
function wholeText(content: FieldContent): string | undefined {
  if ("text" in content) return content.text;
  const value = content.node.value;
  return value.isScalar && value.resolved().type === "string" ? value.text : undefined;
}
