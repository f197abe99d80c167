// How a field is written: in the place of another value, or as a new key, in the style of its surroundings. Scalars keep
// their spelling where these allow it, and what has entries is written in brackets on one line.
import {
  addText,
  bracketed,
  childrenOf,
  doubleQuote,
  type Edit,
  Field,
  field,
  isFlow,
  isMapping,
  isScalar,
  keyText,
  Kind,
  kindOf,
  type Node,
  parentOf,
  quote,
  quoteReadably,
  replaceKeyText,
  replaceScalar,
  replaceText,
  resolveScalar,
  scalarText,
  type Step,
  valueOf,
} from "../core/index.ts";
import { fail, type Failure, type RepeatPlace } from "./faults.ts";
import type { Content } from "./model.ts";

/** The edits of one field: of a value that exists, or of keys that are added to a mapping first. */
export interface FieldChange {
  readonly edits: readonly Edit[];
  readonly adds: boolean;
  /** True where only the place is made, for text that is written line by line. */
  readonly needsText?: boolean;
}

/** New keys at the end of a mapping, nested as far as is needed. */
export function added(
  mapping: Node,
  steps: readonly Step[],
  content: Content,
  where: RepeatPlace,
): FieldChange | Failure {
  const keys = keysIn(steps, where);
  if ("fault" in keys) return keys;
  const [key = "", ...rest] = keys;
  if (isOpenable(mapping)) return opened(mapping, keys, content);
  const setting = settingIn(mapping);
  if (setting !== "block")
    return { edits: [addText(mapping, key, "", nested(rest, content, setting))], adds: true };
  const lines = rest.map((each, index) => `${"  ".repeat(index)}${quote(each)}:`);
  const needsText = isLong(content);
  const value = needsText ? '""' : textOf(content, "block");
  if (rest.length === 0)
    return { edits: [addText(mapping, key, value, nested([], content, "brackets"))], adds: true, needsText };
  const block = { lines: [...lines.slice(0, -1), `${lines.at(-1)} ${value}`], step: 2 };
  return { edits: [addText(mapping, key, block, nested(rest, content, "brackets"))], adds: true, needsText };
}

/** `{}` after the key of a block. */
function isOpenable(mapping: Node): boolean {
  const parent = parentOf(mapping);
  const isEmptyFlow =
    isFlow(mapping) &&
    childrenOf(mapping).length === 0 &&
    field(mapping, Field.start) === field(mapping, Field.body);
  return (
    isEmptyFlow &&
    parent !== undefined &&
    isMapping(parent) &&
    !isFlow(parent) &&
    field(mapping, Field.keyKind) !== Kind.empty
  );
}

/** Brackets with nothing in them become lines. */
function opened(mapping: Node, keys: readonly string[], content: Content): FieldChange {
  const column = field(mapping, Field.column) + 2;
  const needsText = isLong(content);
  const value = needsText ? '""' : textOf(content, "block");
  const lines = keys.map((each, index) => `${" ".repeat(column + 2 * index)}${quote(each)}:`);
  const [start, end] = [field(mapping, Field.keyEnd), field(mapping, Field.end)];
  return { edits: [{ start, end, text: `:\n${lines.join("\n")} ${value}` }], adds: true, needsText };
}

function isLong(content: Content): boolean {
  return wholeText(content)?.includes("\n") === true;
}

/** A value that is nothing yet becomes a mapping. */
export function filledUp(
  node: Node,
  steps: readonly Step[],
  content: Content,
  where: RepeatPlace,
): FieldChange | Failure {
  const keys = keysIn(steps, where);
  if ("fault" in keys) return keys;
  const parent = parentOf(node);
  const setting = parent === undefined ? "brackets" : settingIn(parent);
  return {
    edits: [replaceScalar(node, nested(keys, content, setting === "json" ? "json" : "brackets"))],
    adds: true,
  };
}

function keysIn(steps: readonly Step[], where: RepeatPlace): readonly string[] | Failure {
  const keys = steps.flatMap((step) => ("key" in step ? [step.key] : []));
  if (keys.length === steps.length) return keys;
  return fail(where, "the path has a list that the template does not have", "add the list to the template");
}

function nested(keys: readonly string[], content: Content, setting: Setting): string {
  const value = textOf(content, setting);
  return keys.reduceRight((inner, key) => `{${doubleQuote(key)}: ${inner}}`, value);
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

export function replaceValue(node: Node, content: Content): Edit {
  const parent = parentOf(node);
  const setting = parent === undefined ? "block" : settingIn(parent);
  const kind = kindOf(node);
  const isBlockText = kind === Kind.literal || kind === Kind.folded;
  const long = wholeText(content);
  if (
    setting === "block" &&
    long !== undefined &&
    (isBlockText || isLong(content)) &&
    parent !== undefined &&
    isMapping(parent)
  ) {
    const edit = replaceKeyText(node, long);
    // Text in bytes is content, and no comments are taken out of it.
    return { ...edit, text: Buffer.from(String(edit.text), "utf8") };
  }
  if (isScalar(node) && !isBlockText)
    return "text" in content
      ? replaceText(node, content.text)
      : replaceScalar(node, spelled(content.node, setting));
  if (isFlow(node))
    return { start: field(node, Field.start), end: field(node, Field.end), text: textOf(content, setting) };
  const hasKey = field(node, Field.keyStart) >= 0;
  const start = hasKey ? field(node, Field.keyEnd) : field(node, Field.entry) + 1;
  const end = field(node, Field.end);
  const newline = node.doc.bytes[end - 1] === 0x0a ? "\n" : "";
  return { start, end, text: `${hasKey ? ":" : ""} ${textOf(content, setting)}${newline}` };
}

/** Text that is written line by line, if it is text at all. */
function wholeText(content: Content): string | undefined {
  if ("text" in content) return content.text;
  const value = valueOf(content.node);
  return isScalar(value) && resolveScalar(value).type === "string" ? scalarText(value) : undefined;
}

/** Where a value is written: in a block, between YAML's brackets, or in JSON. */
export type Setting = "block" | "brackets" | "json";

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/;
const plainInBrackets = /^(?=.*[A-Za-z0-9])[A-Za-z0-9_+.\-/]+$/;

export function spelled(node: Node, setting: Setting): string {
  const value = valueOf(node);
  if (isScalar(value)) return spelledScalar(value, setting);
  const inner = setting === "block" ? "brackets" : setting;
  return bracketed(value, {
    key: (entry) => spelledKey(entry, inner),
    scalar: (scalar) => spelledScalar(scalar, inner),
  });
}

function spelledKey(entry: Node, setting: Setting): string {
  const source = entry.doc.bytes.toString("utf8", field(entry, Field.keyStart), field(entry, Field.keyEnd));
  const isVerbatim = field(entry, Field.keyKind) === Kind.plain && plainInBrackets.test(source);
  return isVerbatim && setting !== "json" ? source : doubleQuote(keyText(entry));
}

function spelledScalar(value: Node, setting: Setting): string {
  const source = value.doc.bytes.toString("utf8", field(value, Field.body), field(value, Field.end));
  const isTagged = field(value, Field.start) < field(value, Field.body);
  const kind = kindOf(value);
  const isOneLine = !source.includes("\n") && !isTagged;
  const { type, text } = resolveScalar(value);
  if (kind === Kind.double && isOneLine) return source;
  if (type === "string" || type === "merge")
    return kind === Kind.single && isOneLine && setting !== "json" ? source : textAs(value, source, setting);
  if (type === "null") return "null";
  if (type === "bool") return setting === "json" || !isOneLine ? text : source;
  if (setting !== "json" && isOneLine && plainInBrackets.test(source)) return source;
  return jsonNumber.test(source) ? source : jsonNumber.test(text) ? text : jsonText(text);
}

/** Plain text stays plain in a block. */
function textAs(value: Node, source: string, setting: Setting): string {
  const isPlain = kindOf(value) === Kind.plain && setting === "block" && !source.includes("\n");
  return isPlain && field(value, Field.start) === field(value, Field.body)
    ? source
    : doubleQuote(scalarText(value));
}

function jsonText(text: string): string {
  const number = Number(text);
  return Number.isFinite(number) ? String(number) : doubleQuote(text);
}
