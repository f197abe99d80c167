// Splices into an item's own text: remove an entry, replace a value, add one, set a list. Works in block and in bracket
// style; everything else stays byte for byte.
import { extentOf, textOf, Kind, type Node, doubleQuote, quote, quoteReadably } from "../yaml/index.ts";
import type { TextEdit } from "./splice.ts";
import { spanOf } from "./scan.ts";

/** Keys and scalars of a new mapping, the scalars quoted already. */
export type NewFields = readonly (readonly [key: string, value: string])[];

/** Replaces a scalar by text, quoted as its surroundings (JSON, perhaps) need it. */
export function replaceText(node: Node, text: string): TextEdit {
  const parent = node.parent;
  const inBrackets = parent !== undefined && parent.isFlow;
  return replaceScalar(node, inBrackets ? doubleQuote(text) : quoteReadably(text));
}

/** Replaces a value by a scalar on the same line. */
export function replaceScalar(node: Node, text: string): TextEdit {
  const { start, end } = spanOf(node);
  const absent = node.kind === Kind.empty && start === end;
  // A block scalar takes the line feed after its text along.
  const isEnded =
    [Kind.literal, Kind.folded].some((kind) => kind === node.kind) && node.doc.bytes[end - 1] === 0x0a;
  return { start, end, text: `${absent ? " " : ""}${text}${isEnded ? "\n" : ""}` };
}

/** Replaces a value by another on the same line: a scalar, or a collection with what it holds. */
export function replaceValue(node: Node, text: string): TextEdit {
  if (node.isScalar) return replaceScalar(node, text);
  const end = node.end;
  if (node.isFlow) return { start: node.body, end, text };
  const hasKey = node.keyStart >= 0;
  const start = hasKey ? node.keyEnd : node.entryStart + 1;
  const newline = node.doc.bytes[end - 1] === 0x0a ? "\n" : "";
  return { start, end, text: `${hasKey ? ":" : ""} ${text}${newline}` };
}

/** Removes entries from one mapping; an emptied mapping is removed as a whole, up to `stop`. */
export function removeEntries(entries: readonly Node[], stop: Node): TextEdit[] {
  const [first] = entries;
  const parent = first?.parent;
  if (parent === undefined) return [];
  const kept = parent.children().filter((child) => !entries.some(({ row }) => row === child.row));
  if (kept.length === 0 && parent.row !== stop.row) return removeEntries([parent], stop);
  if (parent.isFlow) return cutsInBrackets(parent.children(), entries);
  return entries.map((entry) => {
    const { comments, end } = extentOf(entry);
    return { start: comments, end, text: "" };
  });
}

/** Adds a mapping, or a scalar, under a new key at the end of a mapping. */
export function addEntry(
  mapping: Node,
  key: string,
  value: string | NewFields | { readonly [key: string]: NewFields },
): TextEdit {
  return addText(mapping, key, blockText(value), flowText(value));
}

/** A scalar: on one line, or a header and the lines below it. */
export interface NewScalar {
  readonly line: string;
  readonly lines: readonly string[];
  /** The same in double quotes. */
  readonly quoted: string;
}

type Scalars = readonly (readonly [key: string, scalar: NewScalar])[];

/** Adds a mapping of scalars under a new key at the end of a mapping. */
export function addScalars(mapping: Node, key: string, scalars: Scalars): TextEdit {
  return addText(mapping, key, { lines: linesOf(scalars), step: 2 }, scalarsInBrackets(scalars));
}

/** Adds scalars under new keys at the end of a mapping. */
export function addScalarsTo(mapping: Node, scalars: Scalars): TextEdit {
  return addLines(mapping, linesOf(scalars), entriesInBrackets(scalars));
}

/** Adds entries at the end of a mapping: lines at column 0, or what is between its brackets. */
export function addLines(mapping: Node, lines: readonly string[], inBrackets: string): TextEdit {
  const last = mapping.children().at(-1);
  if (mapping.isFlow || last === undefined) return addInBrackets(mapping, inBrackets);
  const { at, glue } = endOf(mapping, last);
  const pad = " ".repeat(last.column);
  return { start: at, end: at, text: glue + lines.map((line) => indented(line, pad, 0)).join("") };
}

/** Replaces all entries of a mapping by scalars. */
export function setScalars(mapping: Node, scalars: Scalars): TextEdit {
  return setBody(mapping, scalarsInBrackets(scalars), (column) => scalarLines(scalars, column));
}

/** Replaces all entries of a mapping by one mapping with its key. */
export function setFields(mapping: Node, key: string, fields: NewFields): TextEdit {
  return setBody(mapping, `{${doubleQuote(key)}: ${flowText(fields)}}`, (column) => {
    const pad = " ".repeat(column);
    const lines = fields.map(([name, value]) => indented(`${quote(name)}: ${value}`, pad, 2));
    return `${pad}${quote(key)}:\n${lines.join("")}`;
  });
}

/** Replaces the whole content of a mapping by text: brackets included, or the lines of its entries. */
function setBody(mapping: Node, inBrackets: string, linesAt: (column: number) => string): TextEdit {
  const present = mapping.children();
  const [first] = present;
  if (mapping.isFlow || first === undefined)
    return { start: mapping.body, end: mapping.end, text: inBrackets };
  return { ...bodyLines(present), text: linesAt(first.column) };
}

function scalarLines(scalars: Scalars, column: number): string {
  const pad = " ".repeat(column);
  return linesOf(scalars)
    .map((line) => indented(line, pad, 0))
    .join("");
}

function linesOf(scalars: Scalars): string[] {
  return scalars.flatMap(([key, { line, lines }]) => [`${quote(key)}: ${line}`, ...lines]);
}

export function scalarsInBrackets(scalars: Scalars): string {
  return `{${entriesInBrackets(scalars)}}`;
}

function entriesInBrackets(scalars: Scalars): string {
  return scalars.map(([name, { quoted }]) => `${doubleQuote(name)}: ${quoted}`).join(", ");
}

/** Adds an entry at the end of a mapping, as a block or in brackets. */
export function addText(mapping: Node, key: string, block: BlockText, flow: string): TextEdit {
  const lines =
    typeof block === "string"
      ? [`${quote(key)}: ${block}`]
      : [`${quote(key)}:`, ...block.lines.map((line) => (line === "" ? "" : " ".repeat(block.step) + line))];
  return addLines(mapping, lines, `${doubleQuote(key)}: ${flow}`);
}

/** After the last entry, not before the bracket: the bracket may be on a line of its own. */
function addInBrackets(mapping: Node, entries: string): TextEdit {
  const last = mapping.children().at(-1);
  const at = last === undefined ? mapping.body + 1 : last.end;
  return { start: at, end: at, text: last === undefined ? entries : `, ${entries}` };
}

/** Where more entries go: after the last, unless that is text without a last newline, which would get one. */
function endOf(mapping: Node, last: Node): { at: number; glue: string } {
  const { comments, end } = extentOf(last);
  if (mapping.doc.bytes[end - 1] === 0x0a) return { at: end, glue: "" };
  const leaf = last.deepest;
  const isText = leaf.kind === Kind.literal || leaf.kind === Kind.folded;
  return isText ? { at: aboveText(last, comments), glue: "" } : { at: end, glue: "\n" };
}

/** Above an entry and its comments; below comments that are deeper than it, which a block scalar above would take. */
function aboveText(entry: Node, comments: number): number {
  const [start, column] = [entry.entryStart, entry.column];
  const lead = textOf(entry.doc).slice(comments, start - column);
  const isDeep = lead.split("\n").some((line) => line.search(/#/) > column);
  return isDeep ? start - column : comments;
}

function indented(line: string, pad: string, step: number): string {
  return line === "" ? "\n" : `${pad}${" ".repeat(step)}${line}\n`;
}

/** True if the last thing before an offset is a comma, white space aside. */
export function endsInComma(bytes: Uint8Array, offset: number): boolean {
  let at = offset - 1;
  while (at >= 0 && [0x20, 0x09, 0x0a, 0x0d].includes(bytes[at] as number)) at--;
  return bytes[at] === 0x2c;
}

/** Text in block style: on the key's line, or lines below it. */
type BlockText = string | { readonly lines: readonly string[]; readonly step: number };

function blockText(value: string | NewFields | { readonly [key: string]: NewFields }): BlockText {
  if (typeof value === "string") return value;
  if (isFields(value)) return { lines: value.map(([key, text]) => `${quote(key)}: ${text}`), step: 2 };
  const lines = Object.entries(value).flatMap(([key, fields]) => [
    `${key}:`,
    ...fields.map(([name, text]) => `  ${name}: ${text}`),
  ]);
  return { lines, step: 2 };
}

/** The text in brackets. */
export function flowText(value: string | NewFields | { readonly [key: string]: NewFields }): string {
  if (typeof value === "string") return /^(?:[0-9]+|true|".*")$/.test(value) ? value : `"${value}"`;
  const entries = isFields(value) ? value : Object.entries(value);
  return `{${entries.map(([key, inner]) => `${doubleQuote(key)}: ${flowText(inner)}`).join(", ")}}`;
}

function isFields(value: NewFields | { readonly [key: string]: NewFields }): value is NewFields {
  return Array.isArray(value);
}

/** The lines of all entries of a block collection, with their comments. */
export function bodyLines(children: readonly Node[]): { start: number; end: number } {
  return { start: extentOf(children[0] as Node).comments, end: extentOf(children.at(-1) as Node).end };
}

/** Each entry is removed with the comma before it; leading entries with the comma after them. */
function cutsInBrackets(children: readonly Node[], entries: readonly Node[]): TextEdit[] {
  const isGone = (child: Node | undefined): boolean => entries.some(({ row }) => row === child?.row);
  const firstKept = children.findIndex((child) => !isGone(child));
  return children.flatMap((child, index) => {
    if (!isGone(child)) return [];
    const [before, next] = [children[index - 1], children[index + 1]];
    if (index < firstKept && next !== undefined)
      return [{ start: child.entryStart, end: next.entryStart, text: "" }];
    return [
      {
        start: before === undefined ? child.entryStart : before.end,
        end: child.end,
        text: "",
      },
    ];
  });
}
