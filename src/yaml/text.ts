// The bytes of a value, before and after reading: one form of line ends; and the characters and tabs that a Go reader
// refuses or takes for line breaks while other YAML readers accept them.
import { isUtf8 } from "node:buffer";
import type { ReadFault } from "./fault.ts";
import { contentIndent } from "./scalar.ts";
import { type Document, Field, field, fieldCount, Kind } from "./tape.ts";

/** BOM dropped, CRLF and CR made LF. Returns the bytes themselves where nothing had to change. */
export function normalizeText(bytes: Uint8Array): Uint8Array {
  const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  if (!bytes.includes(0x0d)) return bytes.subarray(start);
  const out = new Uint8Array(bytes.length - start);
  let length = 0;
  for (let at = start; at < bytes.length; at++) {
    if (bytes[at] !== 0x0d) out[length++] = bytes[at] as number;
    else if (bytes[at + 1] !== 0x0a) out[length++] = 0x0a;
  }
  return out.subarray(0, length);
}

/** The first byte that no consumer accepts, if any. */
export function findBadCharacter(bytes: Uint8Array): ReadFault | undefined {
  const foreign = findForeignEncoding(bytes);
  if (foreign !== undefined) return foreign;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if ((byte >= 0x20 && byte < 0x7f) || byte === 0x0a || byte === 0x09) continue;
    if (byte < 0x20 || byte === 0x7f || isC1(bytes, at) || isNoCharacter(bytes, at)) {
      return { code: "syntax", message: "a control character that YAML does not allow", offset: at };
    }
  }
  return undefined;
}

export const notUtf8 = "not UTF-8 text";

/** The first byte that is not UTF-8. Decoding would replace it by U+FFFD. */
export function findForeignEncoding(bytes: Uint8Array): ReadFault | undefined {
  return isUtf8(bytes) ? undefined : { code: "syntax", message: notUtf8, offset: findBadUtf8(bytes) };
}

function isC1(bytes: Uint8Array, at: number): boolean {
  const next = bytes[at + 1] as number;
  return bytes[at] === 0xc2 && next >= 0x80 && next <= 0x9f && next !== 0x85;
}

/** U+FFFE and U+FFFF. */
function isNoCharacter(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === 0xef && bytes[at + 1] === 0xbf && (bytes[at + 2] as number) >= 0xbe;
}

function findBadUtf8(bytes: Uint8Array): number {
  let low = 0;
  for (let end = bytes.indexOf(10, low); end >= 0; end = bytes.indexOf(10, low)) {
    if (!isUtf8(bytes.subarray(low, end + 1))) break;
    low = end + 1;
  }
  while (low < bytes.length && (bytes[low] as number) < 0x80) low++;
  return low;
}

/** Tabs that indent, and Unicode line breaks outside double quotes: the library accepts them, Go does not. */
export function findForeignBreak(doc: Document): ReadFault | undefined {
  const [tab] = foreignTabs(doc);
  return tab === undefined ? breakOutside(doc, breakHomes) : tabFault(tab);
}

/**
 * The same for an item: a tab that indents, also on a blank line, and a Unicode line break outside all scalars, which ends a
 * comment. Go takes some of these tabs; what is written in front of one must stay readable.
 */
export function findForeignGap(doc: Document): ReadFault | undefined {
  const { plain } = doc;
  const [tab] = plain === undefined ? foreignTabs(doc) : [];
  if (tab !== undefined) return tabFault(tab);
  return plain?.nonAscii === false ? undefined : breakOutside(doc, scalars);
}

function breakOutside(doc: Document, homes: readonly number[]): ReadFault | undefined {
  const breaks = new Sweep(doc, homes);
  for (let at = doc.start; at < doc.end; at++)
    if (isUnicodeBreak(doc.bytes, at) && !breaks.isInside(at))
      return { code: "syntax", message: "a Unicode line break outside double quotes", offset: at };
  return undefined;
}

function tabFault(offset: number): ReadFault {
  return { code: "syntax", message: "a tab cannot indent", hint: "indent with spaces", offset };
}

function* foreignTabs(doc: Document): Generator<number> {
  const tabs = new Sweep(doc, tabHomes);
  for (const offset of indentingTabs(doc))
    if (!tabs.isInside(offset) && !tabs.isContentOfBlock(offset)) yield offset;
}

const tabHomes: readonly number[] = [
  Kind.plain,
  Kind.single,
  Kind.double,
  Kind.flowMapping,
  Kind.flowSequence,
];
const breakHomes: readonly number[] = [Kind.double];
const scalars: readonly number[] = [Kind.plain, Kind.single, Kind.double, Kind.literal, Kind.folded];

function* indentingTabs({ bytes, start, end }: Document): Generator<number> {
  for (let at = bytes.indexOf(9, start); at >= 0 && at < end; at = bytes.indexOf(9, at + 1)) {
    let before = at - 1;
    while (before >= start && (bytes[before] === 0x20 || bytes[before] === 9)) before--;
    if (before < start || bytes[before] === 10) yield at;
  }
}

/** U+0085, U+2028 or U+2029. */
function isUnicodeBreak(bytes: Uint8Array, at: number): boolean {
  if (bytes[at] === 0xc2) return bytes[at + 1] === 0x85;
  return bytes[at] === 0xe2 && bytes[at + 1] === 0x80 && (bytes[at + 2] === 0xa8 || bytes[at + 2] === 0xa9);
}

/** Finds the row around each of a sequence of ascending offsets: rows are in ascending order, too. */
class Sweep {
  private readonly doc: Document;
  private readonly kinds: readonly number[];
  private row = 0;
  /** The end of the keys and values that started so far. */
  private end = -1;
  /** The last block scalar that started so far. */
  private block: BlockBounds | undefined;

  constructor(doc: Document, kinds: readonly number[]) {
    this.doc = doc;
    this.kinds = kinds;
  }

  /** True for an offset in a key or a value of the kinds. */
  isInside(offset: number): boolean {
    this.advance(offset);
    return offset < this.end;
  }

  /** In a block scalar a tab is content once the indentation is known, and deeper than it. */
  isContentOfBlock(offset: number): boolean {
    const { block, doc } = this;
    if (block === undefined || offset >= block.end) return false;
    const column = offset - (doc.bytes.lastIndexOf(0x0a, offset) + 1);
    return (block.hasIndentDigit || block.first < offset) && column >= block.indent;
  }

  private advance(offset: number): void {
    const { rows } = this.doc;
    for (; this.row * fieldCount < rows.length; this.row++) {
      const at = this.row * fieldCount;
      const starts = [rows[at + Field.keyStart] as number, rows[at + Field.body] as number];
      const first = (starts[0] as number) < 0 ? (starts[1] as number) : (starts[0] as number);
      if (first > offset) return;
      this.take(at, offset);
      // A key may start where its value does not yet: the row is looked at again.
      if ((starts[1] as number) > offset) return;
    }
  }

  private take(at: number, offset: number): void {
    const { rows } = this.doc;
    const [kind, body, end] = [
      rows[at + Field.kind],
      rows[at + Field.body] as number,
      rows[at + Field.end] as number,
    ];
    if (this.kinds.includes(rows[at + Field.keyKind] as number))
      this.end = Math.max(this.end, rows[at + Field.keyEnd] as number);
    if (body > offset) return;
    if (this.kinds.includes(kind as number)) this.end = Math.max(this.end, end);
    if (kind === Kind.literal || kind === Kind.folded) this.block = blockAt(this.doc, at / fieldCount);
  }
}

interface BlockBounds {
  readonly end: number;
  readonly indent: number;
  /** True if its header states the indentation. */
  readonly hasIndentDigit: boolean;
  /** Its first character that is not white space. */
  readonly first: number;
}

function blockAt(doc: Document, row: number): BlockBounds {
  const node = { doc, row };
  const [start, end] = [field(node, Field.body), field(node, Field.end)];
  const source = doc.bytes.toString("latin1", start, end);
  const text = /\S/.exec(source.slice(source.indexOf("\n")));
  return {
    end,
    indent: contentIndent(node, source),
    hasIndentDigit: /^[|>][-+]?[1-9]/.test(source),
    first: text === null ? end : start + source.indexOf("\n") + text.index,
  };
}
