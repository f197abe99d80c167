// Hot loop: the state of the fast reader, and how it moves from line to line. One object is reused for all
// documents, so that a document costs no allocation but its own rows; its fields are small integers, and
// loops copy what they need into locals. Reading never calls back into anything that reads.
// Bytes are written as numbers in the files of this reader: once bundled, a name would be a variable to the engine
// and cost a tenth of the speed. 0x09 tab, 0x0a line feed, 0x20 space, 0x22 ", 0x23 #, 0x27 ', 0x2c comma, 0x2d -,
// 0x3a colon, 0x3e >, 0x5b [, 0x5c backslash, 0x5d ], 0x7b {, 0x7c |, 0x7d }, 0x7f DEL.
import type { RefusalReason } from "./fast-reasons.ts";
import { Field, fieldCount, Kind } from "./tape.ts";

/**
 * Numbers in a chunk of rows (64 KiB). Small documents share chunks, because an array of its own costs a small
 * document as much as a fifth of its reading; larger ones are copied out of the scratch, to their exact size.
 */
const chunkLength = 16_384;
const sharedLength = chunkLength / 4;

export class State {
  bytes: Uint8Array = new Uint8Array(0);
  limit = 0;
  at = 0;
  /** Where the line of `at` starts. */
  lineStart = 0;
  /** Column of the next line with content; -1 after the last one. */
  column = 0;
  /** Where the last node ended: a block collection ends with its last child. */
  end = 0;
  // The entry that the next row belongs to.
  entry = -1;
  keyStart = -1;
  keyEnd = -1;
  keyKind = 0;
  entryColumn = 0;
  comments = false;
  blankLines = false;
  tabs = false;
  reason: RefusalReason = "region";
  rows: Int32Array = new Int32Array(chunkLength);
  /** Where the rows of this document start. The rows before them belong to documents that were read earlier. */
  base = 0;
  length = 0;
  /** How many rows this document has so far. */
  count = 0;

  start(bytes: Uint8Array, start: number, at: number, limit: number): void {
    this.bytes = bytes;
    this.limit = limit;
    this.at = at;
    this.lineStart = start;
    this.length = this.base;
    this.count = 0;
    this.comments = false;
    this.blankLines = false;
    this.tabs = false;
  }

  /** Returns the rows, which never change again, and releases the input. */
  take(): Int32Array {
    const { rows, base, length } = this;
    const isShared = length - base <= sharedLength && rows.length === chunkLength;
    if (isShared) this.base = length;
    this.release();
    return isShared ? rows.subarray(base, length) : rows.slice(base, length);
  }

  release(): void {
    this.bytes = nothing;
    if (this.rows.length > chunkLength) this.newRows(chunkLength, 0);
  }

  /** Always false, so that a reader can return it. */
  refuse(reason: RefusalReason): false {
    this.reason = reason;
    return false;
  }

  /** Refuses a byte below 0x20 or DEL. */
  refuseControl(byte: number): false {
    return this.refuse(byte === 0x09 ? "tab" : byte === 0x0d ? "carriage-return" : "control-character");
  }

  /** The next row is the value of a key. */
  underKey(start: number, end: number, kind: number): void {
    this.entry = start;
    this.keyStart = start;
    this.keyEnd = end;
    this.keyKind = kind;
    this.entryColumn = start - this.lineStart;
  }

  /** The next row is an item of a sequence. */
  underItem(entry: number): void {
    this.entry = entry;
    this.keyStart = -1;
    this.keyEnd = -1;
    this.keyKind = 0;
    this.entryColumn = entry - this.lineStart;
  }

  /** Adds the row of the current entry; of a collection, `close` sets its end. */
  add(kind: number, body: number, end: number, parent: number): number {
    if (this.length + fieldCount > this.rows.length) this.grow();
    const { rows, length: base, count: row } = this;
    // In the order of `Field`: its names would be looked up for every number.
    rows[base] = kind;
    rows[base + 1] = this.entry;
    rows[base + 2] = this.keyStart;
    rows[base + 3] = this.keyEnd;
    rows[base + 4] = this.keyKind;
    rows[base + 5] = body;
    rows[base + 6] = body;
    rows[base + 7] = end;
    rows[base + 8] = this.entryColumn;
    rows[base + 9] = row + 1;
    rows[base + 10] = parent;
    rows[base + 11] = 0;
    this.length = base + fieldCount;
    this.count = row + 1;
    this.end = end;
    return row;
  }

  /** Ends a collection where the last node in it, or its bracket, ended. */
  close(row: number): void {
    const base = this.base + row * fieldCount;
    this.rows[base + Field.end] = this.end;
    this.rows[base + Field.next] = this.count;
  }

  /** True if the last node is plain text of a collection, with nothing but blanks between it and the text at the cursor. */
  isAfterText(parent: number): boolean {
    const { bytes, rows, at, end } = this;
    const last = this.length - fieldCount;
    if (rows[last] !== Kind.plain || rows[last + Field.parent] !== parent) return false;
    for (let between = end; between < at; between++)
      if (bytes[between] !== 0x20 && bytes[between] !== 0x0a) return false;
    return true;
  }

  /** The last node, which is a text, ends later. */
  extend(end: number): void {
    this.rows[this.length - fieldCount + Field.end] = end;
    this.end = end;
  }

  private grow(): void {
    const used = this.length - this.base;
    this.newRows(Math.max(chunkLength, used * 4), used);
  }

  private newRows(size: number, used: number): void {
    const rows = new Int32Array(size);
    rows.set(this.rows.subarray(this.base, this.base + used));
    this.rows = rows;
    this.base = 0;
    this.length = used;
  }

  skipSpaces(): void {
    const { bytes, limit } = this;
    let { at } = this;
    while (at < limit && bytes[at] === 0x20) at++;
    this.at = at;
  }

  /** True at a colon that ends a key: white space, or nothing, must follow. */
  atColon(): boolean {
    const { bytes, at, limit } = this;
    return at < limit && bytes[at] === 0x3a && (at + 1 >= limit || gaps[bytes[at + 1] as number] === 1);
  }

  atDash(): boolean {
    const { bytes, at, limit } = this;
    return at < limit && bytes[at] === 0x2d && (at + 1 >= limit || gaps[bytes[at + 1] as number] === 1);
  }

  /** Skips spaces, and returns the next byte: a line feed at the end. */
  nextByte(): number {
    const { bytes, limit } = this;
    let { at } = this;
    while (at < limit && bytes[at] === 0x20) at++;
    this.at = at;
    return at < limit ? (bytes[at] as number) : 0x0a;
  }

  /** From after a node to the next line with content. */
  finishLine(): boolean {
    const { bytes, limit } = this;
    let { at } = this;
    while (at < limit && bytes[at] === 0x20) at++;
    const byte = at < limit ? (bytes[at] as number) : 0x0a;
    if (byte === 0x0a) return this.toLine(at < limit ? at + 1 : at);
    this.at = at;
    if (byte === 0x23 && bytes[at - 1] === 0x20) return this.skipComment() && this.nextLine();
    if (byte < 0x20) return this.refuseControl(byte);
    return this.refuse(byte === 0x3a && isGap(bytes, at + 1, limit) ? "compact" : "text-after");
  }

  /** From the start of a line to the next one with content: nearly always this one. */
  toLine(start: number): boolean {
    const { bytes, limit } = this;
    let at = start;
    while (at < limit && bytes[at] === 0x20) at++;
    this.lineStart = start;
    const byte = at < limit ? (bytes[at] as number) : 0;
    // No white space, no comment, and no marker.
    const isText = byte > 0x2e || (byte === 0x2d && at > start);
    this.at = isText ? at : start;
    this.column = at - start;
    return isText || this.nextLine();
  }

  nextLine(): boolean {
    return this.toContent() && (this.column !== 0 || !this.atMarker() || this.refuse("document-marker"));
  }

  /** Skips blank lines and comments, whatever their column: they belong to no node. */
  toContent(): boolean {
    const { bytes, limit } = this;
    let { at, lineStart } = this;
    for (;;) {
      while (at < limit && bytes[at] === 0x20) at++;
      if (at >= limit) break;
      const byte = bytes[at] as number;
      if (byte === 0x23) {
        this.at = at;
        if (!this.skipComment()) return false;
        at = this.at;
      } else if (byte === 0x0a) {
        this.blankLines = true;
        at++;
      } else {
        this.at = at;
        this.lineStart = lineStart;
        this.column = at - lineStart;
        return true;
      }
      lineStart = at;
    }
    if (at > lineStart) this.blankLines = true;
    this.at = at;
    this.column = -1;
    return true;
  }

  /** True at `---` or `...`. */
  atMarker(): boolean {
    if (this.column !== 0) return false;
    const { bytes, at, limit } = this;
    const mark = bytes[at];
    if ((mark !== 0x2d && mark !== 0x2e) || at + 3 > limit) return false;
    return bytes[at + 1] === mark && bytes[at + 2] === mark && isGap(bytes, at + 3, limit);
  }

  /** To the start of the next line. */
  skipComment(): boolean {
    const { bytes, limit } = this;
    this.comments = true;
    let { at } = this;
    for (; at < limit; at++) {
      const byte = bytes[at] as number;
      if (byte >= 0x20 && byte !== 0x7f) continue;
      if (byte === 0x0a) break;
      if (byte !== 0x09) return this.refuseControl(byte);
      this.tabs = true;
    }
    this.at = at < limit ? at + 1 : limit;
    this.lineStart = this.at;
    return true;
  }
}

const nothing = new Uint8Array(0);

/** 1 for white space. */
export const gaps = new Uint8Array(256);
for (const byte of [0x20, 0x0a, 0x09, 0x0d]) gaps[byte] = 1;

/** White space or the end: what ends an indicator. */
export function isGap(bytes: Uint8Array, at: number, limit: number): boolean {
  return at >= limit || gaps[bytes[at] as number] === 1;
}
