// One pass over the bytes of a list or stream: where its items are. It understands only the plain block form that
// orchestrators write; for anything else the answer is undefined and the library reads.
// Sound because a non-blank line at column 0 is always structure in valid YAML, and because inside a
// block list only an item starts with a dash at the list's own column.

import type { Node } from "../yaml/index.ts";
import { firstOf, isContent, lineEnd, pastDeeper } from "./lines.ts";
import { type ItemHead, peek } from "./peek.ts";

/** A part of the input. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The content of a node. */
export function spanOf(node: Node): Span {
  return { start: node.start, end: node.end };
}

interface TopEntry extends Span {
  readonly key: string;
  /** Offset after the colon. */
  readonly value: number;
}

interface ScannedItem extends Span {
  /** Column of its keys: after the dash, or on a line of their own. */
  readonly column: number;
  /** The result of a peek, if it is plain. */
  readonly head: ItemHead | undefined;
}

export interface ListScan {
  readonly entries: readonly TopEntry[];
  /** Each from its dash to the next item or the end of the list. */
  readonly items: readonly ScannedItem[];
  /** Column of the dashes. */
  readonly column: number;
}

const lineFeed = 0x0a;
const dash = 0x2d;
const space = 0x20;

/** Finds the top-level entries of a plain block mapping and the items of its `items`. */
export function scanList(bytes: Buffer, span: Span): ListScan | undefined {
  const scan = new ListScanner(bytes, span.end);
  let at = span.start;
  while (at < span.end) {
    const end = lineEnd(bytes, at, span.end);
    scan.next = end;
    if (!scan.takeLine(at, end)) return undefined;
    // Most lines are deep inside an item and need no look.
    at = scan.isOpen ? pastDeeper(bytes, scan.next, span.end, scan.column) : end;
  }
  return scan.finish();
}

type Mutable<Entry> = { -readonly [key in keyof Entry]: Entry[key] };

class ListScanner {
  private readonly entries: Mutable<TopEntry>[] = [];
  private readonly items: Mutable<ScannedItem>[] = [];
  private readonly keys = new Set<string>();
  column = -1;
  /** Where to continue: after the line, or after the item that it begins. */
  next = 0;
  /** True after an item, until the next key of the list. */
  isOpen = false;
  private readonly bytes: Buffer;
  private readonly limit: number;

  constructor(bytes: Buffer, limit: number) {
    this.bytes = bytes;
    this.limit = limit;
  }

  /** False if the line is not of the plain form. Blank and comment lines belong to the entry above them. */
  takeLine(at: number, end: number): boolean {
    const { bytes, column } = this;
    const first = firstOf(bytes, at, end);
    const indent = first - at;
    if (bytes[first] === 0x09 && indent <= Math.max(column, 0)) return false;
    if (!isContent(bytes, first, end)) return true;
    const isDash =
      bytes[first] === dash &&
      (first + 1 === end || bytes[first + 1] === space || bytes[first + 1] === lineFeed);
    const inItems = this.entries[this.entries.length - 1]?.key === "items";
    if (isDash && inItems && (column < 0 || indent === column)) return this.takeItem(first, indent);
    if (indent === 0 && !isDash) return this.takeEntry(at, end);
    return this.entries.length > 0 && (!inItems || (this.items.length > 0 && indent > column));
  }

  /** Every span ends where the next one starts. */
  finish(): ListScan {
    const { entries, items, column } = this;
    for (const spans of [entries, items]) {
      spans.forEach((span, index) => (span.end = spans[index + 1]?.start ?? span.end));
    }
    const list = entries.find(({ key }) => key === "items");
    const last = items[items.length - 1];
    if (list !== undefined && last !== undefined) last.end = list.end;
    if (column > 0) for (const item of items.slice(0, -1)) item.end -= column;
    return { entries, items, column };
  }

  /** A peek at an item finds its end as well, so that each byte is read once. */
  private takeItem(start: number, indent: number): boolean {
    const { bytes, limit: end } = this;
    this.column = indent;
    this.isOpen = true;
    const column = itemColumn(bytes, { start, end }, indent);
    const peeked = peek(bytes, { start: start - indent, end, blank: indent + 1 }, column, indent);
    if (peeked !== undefined) this.next = peeked.end;
    this.items.push({ start, end, column, head: peeked?.head });
    return true;
  }

  private takeEntry(at: number, end: number): boolean {
    const line = Buffer.from(this.bytes.buffer, this.bytes.byteOffset + at, end - at).toString("latin1");
    const [, key, inline] = /^([A-Za-z][A-Za-z0-9]*):(?=[ \n]|$)( *[^ #\n])?/.exec(line) ?? [];
    if (key === undefined || line.includes("\r") || this.keys.has(key)) return false;
    if (key === "items" && inline !== undefined) return false;
    this.isOpen = false;
    this.keys.add(key);
    this.entries.push({ key, start: at, value: at + key.length + 1, end: this.limit });
    return true;
  }
}

/** Column of an item's keys: after the dash, or on a line of their own. */
function itemColumn(bytes: Buffer, { start, end }: Span, column: number): number {
  let at = start + 1;
  while (at < end && bytes[at] === 0x20) at++;
  const alone = bytes[at] === 0x0a || bytes[at] === 0x23;
  return alone ? column + 2 : column + (at - start);
}

export interface StreamDocument extends Span {
  /** True if it starts after `---` on the same line. */
  readonly inline: boolean;
  /** Column of its first key. */
  readonly column: number;
  /** Where the `---` before it starts; its own start if there is none. */
  readonly separator: number;
}

/** Splits a stream at its `---` and `...` lines; documents without content are left out. */
export function splitStream(bytes: Buffer): StreamDocument[] {
  const documents: StreamDocument[] = [];
  let start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  let inline = false;
  let separator = start;
  const close = (end: number): void => {
    const column = contentColumn(bytes, start, end);
    if (column !== undefined) documents.push({ start, end, inline, column, separator });
  };
  for (const at of markersIn(bytes, start)) {
    close(at);
    const end = lineEnd(bytes, at, bytes.length);
    inline = isContent(bytes, firstOf(bytes, at + 3, end), end);
    start = inline ? at + 3 : end;
    separator = at;
  }
  close(bytes.length);
  return documents;
}

/** Where marker lines start, in order. */
function markersIn(bytes: Buffer, from: number): number[] {
  const found = isMarker(bytes, from) ? [from] : [];
  for (const mark of ["\n---", "\n..."])
    for (let at = bytes.indexOf(mark, from); at >= 0; at = bytes.indexOf(mark, at + 1))
      if (isMarker(bytes, at + 1)) found.push(at + 1);
  return found.toSorted((a, b) => a - b);
}

function isMarker(bytes: Buffer, at: number): boolean {
  const mark = bytes[at];
  if ((mark !== dash && mark !== 0x2e) || bytes[at + 1] !== mark || bytes[at + 2] !== mark) return false;
  const next = bytes[at + 3];
  return next === undefined || next === space || next === lineFeed || next === 0x0d || next === 0x09;
}

/** Column of the first line that is neither blank, comment nor directive. */
function contentColumn(bytes: Buffer, start: number, end: number): number | undefined {
  for (let at = start; at < end; at = lineEnd(bytes, at, end)) {
    const stop = lineEnd(bytes, at, end);
    const first = firstOf(bytes, at, stop);
    if (isContent(bytes, first, stop) && bytes[at] !== 0x25) return first - at;
  }
  return undefined;
}
