// The text of one data key of a ConfigMap or Secret: replaced or added. The key's line keeps its comment, the text its
// column; everything else stays byte for byte.
import {
  lineEnd,
  textOf,
  doubleQuote,
  isLiteralSafe,
  quote,
  resolvePlain,
  contentIndent,
  Kind,
  type Node,
  withoutEnd,
} from "../yaml/index.ts";
import {
  addScalars,
  addScalarsTo,
  removeEntries,
  type NewScalar,
  scalarsInBrackets,
  setScalars,
} from "./edit.ts";
import type { TextEdit } from "./splice.ts";
import { spanOf } from "./scan.ts";

/** Keys and their texts as they are written: base64 where needed. */
type KeyTexts = readonly (readonly [key: string, text: string])[];

/** Sets keys of `data` or `stringData`, and removes others. */
export function setKeyTexts(
  root: Node,
  part: "data" | "stringData",
  texts: KeyTexts,
  gone: readonly string[],
): TextEdit[] {
  const mapping = root.get(part);
  const fresh = texts.map(([key, text]) => [key, scalarOf(text, 2)] as const);
  if (mapping === undefined) return fresh.length === 0 ? [] : [asBytes(addScalars(root, part, fresh))];
  if (!mapping.isMapping)
    return fresh.length === 0 ? [] : [asBytes(replaced(mapping, ` ${scalarsInBrackets(fresh)}`))];
  const present = new Map(mapping.children().map((child) => [child.keyText, child]));
  const removed = gone.flatMap((key) => present.get(key) ?? []);
  const added = fresh.filter(([key]) => !present.has(key));
  if (removed.length === present.size && added.length > 0) return [asBytes(setScalars(mapping, added))];
  const changed = texts.flatMap(([key, text]) => {
    const node = present.get(key);
    return node === undefined ? [] : [asBytes(replaceKeyText(node.value, text))];
  });
  const more = added.length === 0 ? [] : [asBytes(addScalarsTo(mapping, added))];
  return [...removeEntries(removed, root), ...changed, ...more];
}

/** Text as bytes is content, so no comment is looked for in it. */
function asBytes(edit: TextEdit): TextEdit {
  return { ...edit, text: Buffer.from(String(edit.text), "utf8") };
}

/** Replaces the value of a key of a block mapping by text. */
export function replaceKeyText(node: Node, text: string): TextEdit {
  const parent = node.parent;
  if (parent !== undefined && parent.isFlow) return replaced(node, doubleQuote(text));
  const source = textOf(node.doc);
  const { start, end } = spanOf(node);
  const { line, lines } = scalarOf(text, stepOf(node));
  const pad = " ".repeat(node.column);
  const body = lines.map((each) => (each === "" ? "" : pad + each));
  const final = text.endsWith("\n") && lines.length > 0;
  if (isBlock(node)) {
    const comment = /[ \t]#.*/.exec(source.slice(start, lineEnd(source, start)))?.[0] ?? "";
    const newline = source[end - 1] === "\n" || final ? "\n" : "";
    return { start, end, text: [line + utf8(comment), ...body].join("\n") + newline };
  }
  // What follows on the key's line, a comment, stays on it. One on the lines below would become content.
  const until = lineEnd(source, end);
  if (lines.length === 0 || isCommentedBelow(source, until, node.column))
    return replaced(node, lines.length === 0 ? inStyleOf(node, text, line) : doubleQuote(text));
  const rest = source.slice(end, until);
  const newline = rest.endsWith("\n") || final ? "\n" : "";
  const lead = node.kind === Kind.empty && start === end ? " " : "";
  const comment = withoutEnd(rest, " \t\r\n");
  return { start, end: until, text: [lead + line + utf8(comment), ...body].join("\n") + newline };
}

function isCommentedBelow(source: string, from: number, column: number): boolean {
  const [, spaces = "", mark = ""] = /^(?:[ \t]*\r?\n)*( *)(#?)/.exec(source.slice(from)) ?? [];
  return mark === "#" && spaces.length > column;
}

/** Keeps single quotes where possible. */
function inStyleOf(node: Node, text: string, line: string): string {
  const stays = node.kind === Kind.single && isLiteralSafe(text) && !/[\n\t]/.test(text);
  return stays ? `'${text.replaceAll("'", "''")}'` : line;
}

function replaced(node: Node, text: string): TextEdit {
  const { start, end } = spanOf(node);
  const glued = start === end && !text.startsWith(" ");
  // A block scalar takes the line feed after it.
  const final = start < end && node.doc.bytes[end - 1] === 0x0a ? "\n" : "";
  return { start, end, text: (glued ? ` ${text}` : text) + final };
}

function isBlock(node: Node): boolean {
  return node.kind === Kind.literal || node.kind === Kind.folded;
}

/** Columns between a key and its text: as they are, else 2. */
function stepOf(node: Node): number {
  if (!isBlock(node)) return 2;
  const source = node.doc.bytes.toString("latin1", node.body, node.end);
  const step = contentIndent(node, source) - node.column;
  return step > 0 && step < 10 ? step : 2;
}

/**
 * What a literal block would lose, or take from its surroundings: spaces on blank lines at either end, a tab
 * before anything else, blank lines at the end (the blank lines that follow would belong to it, too).
 */
const unfitEnds = /^\n*[ \t]+\n|^\n*\t|\n[ \t]+\n*$|\n\n$/;

/** The text as one line, or as a literal block: its header, and its lines with the step before them. */
export function scalarOf(text: string, step: number): NewScalar {
  const content = withoutEnd(text, "\n");
  const isSingle = !text.includes("\n") || content === "";
  const quoted = doubleQuote(text);
  if (isSingle || !isLiteralSafe(text) || unfitEnds.test(text))
    return { line: isSingle ? oneLine(text) : quoted, lines: [], quoted };
  const [firstLine = ""] = content.split("\n").filter((line) => line.trim() !== "");
  const chomp = text.endsWith("\n") ? "" : "-";
  const lines = text.replace(/\n$/, "").split("\n");
  return {
    line: `|${firstLine.startsWith(" ") ? step : ""}${chomp}`,
    lines: lines.map((line) => (line === "" ? "" : " ".repeat(step) + line)),
    quoted,
  };
}

/** Base64 needs no quotes unless a reader would not take it for text. */
function oneLine(text: string): string {
  const isBase64 = text !== "" && text.length % 4 === 0 && /^[A-Za-z0-9+/]+=*$/.test(text);
  return isBase64 && resolvePlain(text).type === "string" ? text : quote(text);
}

function utf8(latin1: string): string {
  return Buffer.from(latin1, "latin1").toString("utf8");
}
