// Which lines belong to which entry: comments and blank lines, as docs/folding.md (Text of a folded value) shares them out.
// - A comment between two entries belongs to the following one, unless it is indented deeper than that one's key.
// - Comments after the last entry, not deeper than it, are the foot of the collection.
// - Comments before the first key of a document, with a blank line between, are the document's head.
// Texts here are latin1 strings: one character is one byte, so offsets are byte offsets.
import { withoutBlanks } from "./lines.ts";
import type { Document } from "./tape.ts";
import type { Node } from "./node.ts";

/** The lines of one entry of a block collection; offsets into its document. */
export interface Extent {
  /** Start of its leading blank lines. */
  readonly lead: number;
  /** Start of its own comments, or of its line. */
  readonly comments: number;
  /** After its last line, trailing and deeper comments included. */
  readonly end: number;
}

interface Layout {
  readonly extents: ReadonlyMap<number, Extent>;
  /** The lines after the last entry. */
  readonly foot: string;
}

const texts = new WeakMap<Uint8Array, string>();
const layouts = new WeakMap<Document, Map<number, Layout>>();

/** The bytes that contain a document, as latin1 text: one string for all documents in the same bytes. */
export function textOf(doc: Document): string {
  if (doc.latin1 !== undefined) return doc.latin1;
  if (doc.start === 0 && doc.end === doc.bytes.length) return (doc.latin1 = doc.bytes.toString("latin1"));
  let text = texts.get(doc.bytes);
  if (text === undefined) {
    text = doc.bytes.toString("latin1");
    texts.set(doc.bytes, text);
  }
  return (doc.latin1 = text);
}

/** Extent of an entry of a block collection. */
export function extentOf(node: Node): Extent {
  if (node.doc.isTidy === true && !(node.parent ?? node).isFlow) return tidyExtent(node);
  const parent = node.parent;
  const extent = parent === undefined ? undefined : layoutOf(parent).extents.get(node.row);
  if (extent === undefined) throw new Error("only entries of block collections have lines of their own");
  return extent;
}

/** Without comments and blank lines an entry's lines are its own. One that shares its line starts at its own offset. */
function tidyExtent(node: Node): Extent {
  const { bytes } = node.doc;
  const entry = node.entryStart;
  let start = entry - node.column;
  for (let at = start; at < entry; at++) if (bytes[at] !== space) start = entry;
  return { lead: start, comments: start, end: tidyEnd(node) };
}

/** After the last line of an entry of a tidy document. */
export function tidyEnd(node: Node): number {
  const { bytes, end: limit } = node.doc;
  let end = node.end;
  if (bytes[end - 1] === lineFeed) return end;
  while (end < limit && bytes[end] !== lineFeed) end++;
  return end < limit ? end + 1 : limit;
}

const space = 0x20;
const lineFeed = 0x0a;
const siblings = new WeakMap<Document, Map<number, Node>>();

/** The entry before another in the same collection. */
export function previousOf(node: Node): Node | undefined {
  const parent = node.parent;
  let known = siblings.get(node.doc);
  if (known === undefined) siblings.set(node.doc, (known = new Map()));
  if (parent !== undefined && !known.has(node.row)) {
    let before: Node = parent;
    for (const child of parent.children()) {
      known.set(child.row, before);
      before = child;
    }
  }
  const found = known.get(node.row);
  return found === undefined || found.row === parent?.row ? undefined : found;
}

/** Comments and blank lines after the last entry of a block collection, as deep as its entries. */
export function footOf(collection: Node): string {
  if (collection.doc.isTidy === true && !collection.isFlow) return "";
  if (!collection.isFlow) return layoutOf(collection).foot;
  if (collection.entryStart >= 0) return "";
  return textOf(collection.doc)
    .slice(collection.end, collection.doc.end)
    .replace(/^ *\n?/, "");
}

/** The head of a document: comments before its first key with a blank line between, markers left out. */
export function headOf(root: Node): string {
  const { doc } = root;
  return withoutMarkers(doc, doc.start, headEnd(root));
}

/** Text of the first document between two offsets, without directives and `---`. */
export function withoutMarkers(doc: Document, from: number, to: number): string {
  const text = textOf(doc);
  let kept = "";
  let at = from;
  for (const [start, end] of doc.markers) {
    if (start < at || start >= to) continue;
    kept += text.slice(at, start);
    at = end + (/^[ \t]*\n?/.exec(text.slice(end, to))?.[0].length ?? 0);
  }
  return kept + text.slice(at, to);
}

function layoutOf(collection: Node): Layout {
  let known = layouts.get(collection.doc);
  if (known === undefined) layouts.set(collection.doc, (known = new Map()));
  let layout = known.get(collection.row);
  if (layout === undefined) known.set(collection.row, (layout = computeLayout(collection)));
  return layout;
}

function computeLayout(collection: Node): Layout {
  const text = textOf(collection.doc);
  const children = collection.children();
  const to = regionEnd(collection);
  const extents = new Map<number, Extent>();
  let lead = firstLead(collection, children[0]);
  children.forEach((child, index) => {
    const next = children[index + 1];
    const after = Math.min(afterContent(text, child.end), to);
    const until = next === undefined ? to : lineStart(text, next.entryStart);
    const end = afterDeeperComments(text, after, until, (next ?? child).column);
    extents.set(child.row, { lead, comments: skipBlank(text, lead, child.entryStart), end });
    lead = end;
  });
  return { extents, foot: withoutBlanks(text.slice(lead, to)) };
}

/** Where the lines that can belong to the last child end: with the lines of the collection itself. */
function regionEnd(collection: Node): number {
  if (collection.entryStart < 0) return collection.doc.end;
  return extentOf(collection).end;
}

function firstLead(collection: Node, first: Node | undefined): number {
  const start = collection.start;
  if (first === undefined) return start;
  const entry = first.entryStart;
  if (collection.entryStart < 0 && start >= entry) return headEnd(collection);
  return commentLinesAbove(
    textOf(collection.doc),
    entry,
    Math.max(collection.keyEnd, collection.doc.start),
    true,
  );
}

function headEnd(root: Node): number {
  const first = root.first;
  const entry = first === undefined || root.isFlow ? root.start : first.entryStart;
  return commentLinesAbove(textOf(root.doc), Math.min(entry, root.start), root.doc.start, false);
}

/** Start of the unbroken comment (and, if wanted, blank) lines right above an entry; the entry if it shares its line. */
function commentLinesAbove(text: string, entry: number, limit: number, blankToo: boolean): number {
  let at = lineStart(text, entry);
  if (text.slice(at, entry).trim() !== "") return entry;
  const wanted = blankToo ? /^ *(#.*)?\n$/ : /^ *#.*\n$/;
  while (at > limit) {
    const above = lineStart(text, at - 1);
    if (above < limit || !wanted.test(text.slice(above, at))) break;
    at = above;
  }
  return at;
}

function afterDeeperComments(text: string, from: number, to: number, column: number): number {
  let end = from;
  for (let at = from; at < to; at = lineEnd(text, at)) {
    const [, spaces = "", mark = ""] = /^( *)(#?)/.exec(text.slice(at, lineEnd(text, at))) ?? [];
    if (mark === "#" && spaces.length <= column) break;
    if (mark === "#") end = Math.min(lineEnd(text, at), to);
  }
  return end;
}

function skipBlank(text: string, from: number, to: number): number {
  let at = from;
  for (
    let next = lineEnd(text, at);
    next <= to && text.slice(at, next).trim() === "";
    next = lineEnd(text, at)
  )
    at = next;
  return at;
}

function lineStart(text: string, offset: number): number {
  return offset <= 0 ? 0 : text.lastIndexOf("\n", offset - 1) + 1;
}

/** Offset after the newline that ends the line. */
export function lineEnd(text: string, offset: number): number {
  const newline = text.indexOf("\n", offset);
  return newline < 0 ? text.length : newline + 1;
}

/** Offset after the line on which content ends; block scalars end after their newline already. */
export function afterContent(text: string, end: number): number {
  return text[end - 1] === "\n" ? end : lineEnd(text, end);
}
