// The pieces of an entry that cannot be copied whole: key, value, comments, blank lines.
import { commentBehind, commentsAbove, commentsAtEnd } from "./bracket-comments.ts";
import {
  afterContent,
  extentOf,
  lineEnd,
  textOf,
  type BracketSpans,
  shiftFlow,
  shiftLead,
  type TextSpan,
  withoutBlanks,
  doubleQuote,
  splitProperties,
  tagIn,
  lastBlockScalar,
  Kind,
  Node,
} from "../yaml/index.ts";

/** Tag and text of a scalar, without its anchor. */
export function scalarSource(node: Node): string {
  const text = textOf(node.doc);
  const [start, body] = [node.start, node.body];
  return tagged(tagIn(text.slice(start, body)), text.slice(body, node.end)).replace(/ $/, "");
}

/** A key deeper than the first column may read `--- a`. At column 0 it would end the document. */
const marker = /^(?:---|\.\.\.)[ \t]/;

/** Tag and text of a key, without its anchor, on one line, as it may be written at a column. */
export function keyOfEntry(node: Node, column: number): string {
  const source = textOf(node.doc).slice(node.keyStart, node.keyEnd);
  if (column === 0 && marker.test(source)) return quotedKey(node);
  const { tag, rest } = /^[!&]/.test(source) ? splitProperties(source) : { tag: undefined, rest: source };
  if (!rest.includes("\n") && (rest !== "" || tag === undefined)) return tagged(tag, rest);
  return tagged(tag, quotedKey(node));
}

function quotedKey(node: Node): string {
  return Buffer.from(doubleQuote(node.keyText), "utf8").toString("latin1");
}

/** Text of an entry from its key on, with a key that may be written at the column. */
export function withSafeKey(entry: Node, text: string, column: number): string {
  if (column > 0 || !marker.test(text)) return text;
  return quotedKey(entry) + text.slice(entry.keyEnd - entry.keyStart);
}

function tagged(tag: string | undefined, text: string): string {
  return tag === undefined ? text : `${tag} ${text}`;
}

/** The comment on the line of an entry's key, with the space before it. */
export function headerComment(entry: Node): string {
  if (entry.doc.plain?.comments === false) return "";
  if ((entry.parent ?? entry).isFlow) return commentBehind(entry);
  const text = textOf(entry.doc);
  const isBlock = entry.kind === Kind.blockMapping || entry.kind === Kind.blockSequence;
  const from = isBlock ? Math.max(entry.keyEnd, entry.entryStart) : entry.end;
  if (text[from - 1] === "\n") return "";
  // Anything after the start of a collection on the same line belongs to its first entry.
  const to = isBlock && entry.start > from ? Math.min(lineEnd(text, from), entry.start) : lineEnd(text, from);
  return /[ \t](#.*)/.exec(text.slice(from, to))?.[0].replace(/^[ \t]+/, " ") ?? "";
}

/** A comment goes after the header of a block scalar, unless one is there. */
export function withComment(text: string, comment: string): string {
  const header = text.slice(0, text.indexOf("\n"));
  return comment === "" || header.includes("#") ? text : text.replace("\n", () => `${comment}\n`);
}

/** The value of an entry between brackets, and the comment after it. */
export function flowValue(node: Node, column: number): string {
  const text = textOf(node.doc).slice(node.start, node.end);
  const value = text === "" ? "" : ` ${shiftFlow(text, column - node.column, column + 1)}`;
  return value + commentBehind(node);
}

/** Where brackets and the quoted texts in them span lines, relative to the start of the entry. */
export function bracketsIn(entry: Node): BracketSpans {
  const { doc, row } = entry;
  const spans: TextSpan[] = [];
  const texts: TextSpan[] = [];
  // The fast reader takes only brackets on one line.
  if (doc.plain !== undefined) return { spans, texts };
  const [from, last] = [entry.entryStart, entry.nextRow];
  for (let at = row; at < last;) {
    const node = new Node(doc, at);
    const [start, end] = [node.body, node.end];
    const isSpanning = (node.isFlow || isQuoted(node)) && doc.bytes.subarray(start, end).includes(0x0a);
    if (isSpanning) (node.isFlow ? spans : texts).push([start - from, end - from]);
    at++;
  }
  return { spans, texts };
}

function isQuoted(node: Node): boolean {
  return node.kind === Kind.double || node.kind === Kind.single;
}

/** An entry's own comments: whole lines. In brackets, those between it and the line of the entry before. */
export function leadOf(node: Node): string {
  if (node.doc.isTidy === true) return "";
  const parent = node.parent;
  if (parent === undefined) return "";
  if (parent.isFlow) return commentsAbove(node, parent);
  const text = textOf(node.doc);
  const { comments } = extentOf(node);
  const start = text.lastIndexOf("\n", node.entryStart - 1) + 1;
  return comments < start ? withoutBlanks(text.slice(comments, start)) : "";
}

/** Comments deeper than the next key, which follow an entry's last line; before them those at the end of open brackets. */
export function tailOf(entry: Node, column: number): string {
  if (entry.doc.isTidy === true) return "";
  const foot = entry.isFlow ? commentsAtEnd(entry, column + 2) : "";
  if (entry.parent?.isFlow !== false) return foot;
  const text = textOf(entry.doc);
  const tail = text.slice(afterContent(text, entry.end), extentOf(entry).end);
  return foot + shiftLead(withoutBlanks(tail), column - entry.column, column);
}

export function blankLinesOf(node: Node): string {
  if (node.doc.isTidy === true) return "";
  if ((node.parent ?? node).isFlow) return "";
  const { lead, comments } = extentOf(node);
  return withoutBlanks(textOf(node.doc).slice(lead, comments));
}

/** True if the node's text ends in a block scalar that keeps its trailing blank lines. */
export function keepsEnd(node: Node): boolean {
  const block = lastBlockScalar(node);
  if (block === undefined) return false;
  const text = textOf(node.doc);
  const nothingBehind = text.slice(block.end, afterContent(text, block.end)).trim() === "";
  return nothingBehind && /^[|>][0-9]*\+/.test(text.slice(block.body, block.body + 3));
}
