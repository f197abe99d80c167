// Fields set by path: a scalar in the place of another keeps its surroundings; what is not there is added in the style of its
// surroundings, a list element never is.
import {
  addLines,
  childrenOf,
  doubleQuote,
  type Edit,
  Field,
  field,
  isFlow,
  isMapping,
  isScalar,
  isSequence,
  Kind,
  kindOf,
  type Node,
  parentOf,
  quote,
  quoteReadably,
  replaceKeyText,
  replaceScalar,
  replaceValue,
  resolveScalar,
  type Scalar,
  scalarOf,
  scalarText,
  type Step,
  valueOf,
} from "../core/index.ts";
import { refusal, type Refused, type RepeatPlace } from "./faults.ts";
import { follow } from "./follow.ts";
import { type Content, kindName } from "./model.ts";
import { type Setting, spelled } from "./spelling.ts";

/** The edits of one field: of a value that exists, or of keys that are added to a mapping first. */
export interface FieldChange {
  readonly edits: readonly Edit[];
  readonly adds: boolean;
}

/** The edits that set one field. Called with steps of keys, indices and `key=value`. */
export function setField(
  root: Node,
  steps: readonly Step[],
  content: Content,
  where: RepeatPlace,
): FieldChange {
  const { node, left } = follow(root, steps);
  if (left.length === 0)
    return { edits: isSame(node, content) ? [] : [replaced(node, content)], adds: false };
  const [first] = left;
  const isNothing = isScalar(node) && resolveScalar(node).type === "null" && node !== root;
  if (first === undefined || !("key" in first) || (!isMapping(node) && !isNothing))
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
  if (!isSequence(node))
    return refusal(where, `expected a sequence before ${element}, got ${kindName(node)}`, "correct the path");
  const message = `no element ${element} in a list of ${childrenOf(node).length}`;
  return refusal(where, message, "correct the path, or add the element that is the template");
}

function isSame(node: Node, content: Content): boolean {
  if (!isScalar(node)) return false;
  const now = resolveScalar(node);
  if ("text" in content) return now.type === "string" && scalarText(node) === content.text;
  const value = valueOf(content.node);
  if (!isScalar(value) || resolveScalar(value).type !== now.type) return false;
  return scalarText(value) === scalarText(node);
}

/** New keys at the end of a mapping, nested as far as is needed. */
function added(mapping: Node, keys: readonly string[], content: Content): Edit {
  const [key = "", ...rest] = keys;
  const inBrackets = `${doubleQuote(key)}: ${nested(rest, content, settingIn(mapping))}`;
  const lines = linesOf(keys, content);
  if (!isOpenable(mapping)) return addLines(mapping, lines, inBrackets);
  const pad = " ".repeat(field(mapping, Field.column) + 2);
  const text = lines.map((line) => (line === "" ? "\n" : `\n${pad}${line}`)).join("");
  return { start: field(mapping, Field.keyEnd), end: field(mapping, Field.end), text: `:${text}` };
}

/** True for `{}` after the key of a block: it becomes lines. */
function isOpenable(mapping: Node): boolean {
  const parent = parentOf(mapping);
  const isEmpty = isFlow(mapping) && childrenOf(mapping).length === 0;
  if (!isEmpty || field(mapping, Field.start) !== field(mapping, Field.body)) return false;
  const isAfterKey = field(mapping, Field.keyKind) !== Kind.empty;
  return parent !== undefined && isMapping(parent) && !isFlow(parent) && isAfterKey;
}

/** A value that is nothing yet becomes a mapping. */
function filledUp(node: Node, keys: readonly string[], content: Content): Edit {
  const parent = parentOf(node);
  const isJson = parent !== undefined && settingIn(parent) === "json";
  return replaceScalar(node, nested(keys, content, isJson ? "json" : "brackets"));
}

function nested(keys: readonly string[], content: Content, setting: Setting): string {
  const value = textOf(content, setting === "block" ? "brackets" : setting);
  return keys.reduceRight((inner, key) => `{${doubleQuote(key)}: ${inner}}`, value);
}

function linesOf([key = "", ...rest]: readonly string[], content: Content): readonly string[] {
  if (rest.length > 0)
    return [`${quote(key)}:`, ...linesOf(rest, content).map((line) => (line === "" ? "" : `  ${line}`))];
  const { line, lines } = scalarIn(content);
  return [`${quote(key)}: ${line}`, ...lines];
}

/** In a block: text of several lines as lines. */
function scalarIn(content: Content): Pick<Scalar, "line" | "lines"> {
  const text = wholeText(content);
  return text?.includes("\n") === true ? scalarOf(text, 2) : { line: textOf(content, "block"), lines: [] };
}

function textOf(content: Content, setting: Setting): string {
  if ("node" in content) return spelled(content.node, setting);
  return setting === "block" ? quoteReadably(content.text) : doubleQuote(content.text);
}

/** JSON, if the keys next to it are in double quotes. */
function settingIn(parent: Node): Setting {
  if (!isFlow(parent)) return "block";
  const [first] = childrenOf(parent);
  const isJson = first === undefined || !isMapping(parent) || field(first, Field.keyKind) === Kind.double;
  return isJson ? "json" : "brackets";
}

/** Another value in the place of one that is there. */
export function replaced(node: Node, content: Content): Edit {
  const parent = parentOf(node);
  const setting = parent === undefined ? "block" : settingIn(parent);
  const text = wholeText(content);
  const isBlockText = kindOf(node) === Kind.literal || kindOf(node) === Kind.folded;
  const isLong = text !== undefined && (isBlockText || text.includes("\n"));
  if (isLong && setting === "block" && parent !== undefined && isMapping(parent))
    return replaceKeyText(node, text);
  return replaceValue(node, textOf(content, setting));
}

/** Text that is written line by line, if it is text at all. */
function wholeText(content: Content): string | undefined {
  if ("text" in content) return content.text;
  const value = valueOf(content.node);
  return isScalar(value) && resolveScalar(value).type === "string" ? scalarText(value) : undefined;
}
