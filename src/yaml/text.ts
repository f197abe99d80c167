// The bytes of a value, before and after reading: line ends made one, and the characters and tabs
// named that a Go reader refuses or takes for line breaks though other YAML readers do not.
import { isUtf8 } from "node:buffer";
import type { ReadFault } from "./fault.ts";
import { contentIndent } from "./scalar.ts";
import { type Document, Field, field, fieldCount, Kind, kindOf } from "./tape.ts";

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
  if (!isUtf8(bytes)) return { code: "syntax", message: "not UTF-8 text", offset: findBadUtf8(bytes) };
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if ((byte >= 0x20 && byte < 0x7f) || byte === 0x0a || byte === 0x09) continue;
    if (byte < 0x20 || byte === 0x7f || isC1(bytes, at)) {
      return { code: "syntax", message: "a control character that YAML does not allow", offset: at };
    }
  }
  return undefined;
}

function isC1(bytes: Uint8Array, at: number): boolean {
  const next = bytes[at + 1] as number;
  return bytes[at] === 0xc2 && next >= 0x80 && next <= 0x9f && next !== 0x85;
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
  for (const [offset, message] of suspects(doc)) {
    const kinds = message === tabMessage ? tabHomes : breakHomes;
    const fits = isInside(doc, offset, kinds) || (message === tabMessage && isContentOfBlock(doc, offset));
    if (!fits) return { code: "syntax", message, offset };
  }
  return undefined;
}

const tabMessage = "a tab cannot indent";
const breakMessage = "a Unicode line break outside double quotes";
const tabHomes: readonly number[] = [
  Kind.plain,
  Kind.single,
  Kind.double,
  Kind.flowMapping,
  Kind.flowSequence,
];
const breakHomes: readonly number[] = [Kind.double];

function* suspects(doc: Document): Generator<readonly [number, string]> {
  for (const at of indentingTabs(doc)) yield [at, tabMessage];
  for (let at = doc.start; at < doc.end; at++) {
    if (isUnicodeBreak(doc.bytes, at)) yield [at, breakMessage];
  }
}

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

/** In a block scalar a tab is content once the indentation is known, and deeper than it. */
function isContentOfBlock(doc: Document, offset: number): boolean {
  for (let row = 0; row < doc.rows.length / fieldCount; row++) {
    const node = { doc, row };
    const [kind, start, end] = [kindOf(node), field(node, Field.body), field(node, Field.end)];
    if ((kind !== Kind.literal && kind !== Kind.folded) || offset < start || offset >= end) continue;
    const source = Buffer.from(doc.bytes.subarray(start, end)).toString("latin1");
    const before = source.slice(0, offset - start);
    const column = before.length - before.lastIndexOf("\n") - 1;
    const known = /^[|>][-+]?[1-9]/.test(source) || before.slice(before.indexOf("\n")).trim() !== "";
    return known && column >= contentIndent(node, source);
  }
  return false;
}

function isInside({ rows }: Document, offset: number, kinds: readonly number[]): boolean {
  const holds = (kind: number, start: number, end: number): boolean =>
    start <= offset && offset < end && kinds.includes(rows[kind] as number);
  for (let at = 0; at < rows.length; at += fieldCount) {
    if (holds(at + Field.kind, rows[at + Field.body] as number, rows[at + Field.end] as number)) return true;
    if (holds(at + Field.keyKind, rows[at + Field.keyStart] as number, rows[at + Field.keyEnd] as number))
      return true;
  }
  return false;
}
