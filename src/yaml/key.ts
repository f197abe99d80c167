// Hot loop: keys compared by their bytes. Nearly every key is a plain word, or quoted text without escapes: its bytes
// are its text, and its text is what every consumer compares. Only the others are decoded and resolved.
import { keyOf } from "./resolve.ts";
import { type Document, Field, fieldCount, Kind, type Node } from "./tape.ts";

/** True if two entries have one key, as their consumer sees keys. */
export function haveSameKey(a: Node, b: Node): boolean {
  const areWords = (a.doc.hasWordKeys === true || isWord(a)) && (b.doc.hasWordKeys === true || isWord(b));
  return areWords ? areSameBytes(a, b) : keyOf(a).text === keyOf(b).text;
}

/** Of two words, quotes aside. */
function areSameBytes(a: Node, b: Node): boolean {
  const [one, other] = [a.row * fieldCount, b.row * fieldCount];
  const [rows, others] = [a.doc.rows, b.doc.rows];
  const [quotes, otherQuotes] = [quotesOf(rows, one), quotesOf(others, other)];
  const start = (rows[one + Field.keyStart] as number) + quotes;
  const end = (rows[one + Field.keyEnd] as number) - quotes;
  const offset = (others[other + Field.keyStart] as number) + otherQuotes - start;
  if ((others[other + Field.keyEnd] as number) - otherQuotes - offset !== end) return false;
  const [bytes, otherBytes] = [a.doc.bytes, b.doc.bytes];
  // The ends of keys differ more often than their starts.
  for (let at = end - 1; at >= start; at--) if (bytes[at] !== otherBytes[at + offset]) return false;
  return true;
}

function quotesOf(rows: Int32Array, at: number): number {
  return rows[at + Field.keyKind] === Kind.plain ? 0 : 1;
}

/** True if an entry's key is a word. */
export function hasKey(entry: Node, word: string): boolean {
  const { doc, row } = entry;
  const at = row * fieldCount;
  if (doc.hasWordKeys !== true && !isWord(entry)) return keyOf(entry).text === word;
  const quotes = quotesOf(doc.rows, at);
  const start = (doc.rows[at + Field.keyStart] as number) + quotes;
  if ((doc.rows[at + Field.keyEnd] as number) - quotes - start !== word.length) return false;
  for (let index = 0; index < word.length; index++)
    if (doc.bytes[start + index] !== word.charCodeAt(index)) return false;
  return true;
}

/** True if an entry's key is a text, whatever that is. */
export function isKey(entry: Node, text: string): boolean {
  return isAscii(text) ? hasKey(entry, text) : textOfKey(entry) === text;
}

/** True if every character of a text is one byte, so that it can be a word. */
export function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0x7f) return false;
  return true;
}

/** The text of an entry's key, as its consumer spells it. */
export function textOfKey(entry: Node): string {
  const { doc, row } = entry;
  const at = row * fieldCount;
  if (doc.hasWordKeys !== true && !isWord(entry)) return keyOf(entry).text;
  const quotes = quotesOf(doc.rows, at);
  const [start, end] = [doc.rows[at + Field.keyStart] as number, doc.rows[at + Field.keyEnd] as number];
  return doc.bytes.toString("utf8", start + quotes, end - quotes);
}

/** Whether the key's text holds a character. */
export function keyIncludes({ doc: { bytes, rows }, row }: Node, character: number): boolean {
  const at = row * fieldCount;
  const end = rows[at + Field.keyEnd] as number;
  for (let offset = rows[at + Field.keyStart] as number; offset < end; offset++)
    if (bytes[offset] === character) return true;
  return false;
}

/** True if the key's bytes are its text, and it can be nothing but text. */
export function isWord({ doc, row }: Node): boolean {
  return isWordAt(doc, row);
}

/** The same of a row. */
export function isWordAt({ bytes, rows }: Document, row: number): boolean {
  const at = row * fieldCount;
  const kind = rows[at + Field.keyKind] as number;
  const start = rows[at + Field.keyStart] as number;
  const end = rows[at + Field.keyEnd] as number;
  if (kind === Kind.plain) return isPlainWord(bytes, start, end);
  if (kind === Kind.double) return bytes[start] === 0x22 && isFreeOf(bytes, start + 1, end - 1, 0x5c);
  return kind === Kind.single && bytes[start] === 0x27 && isFreeOf(bytes, start + 1, end - 1, 0x27);
}

function isFreeOf(bytes: Buffer, start: number, end: number, escape: number): boolean {
  for (let at = start; at < end; at++) if (bytes[at] === escape || bytes[at] === 0x0a) return false;
  return true;
}

/** Longest of the words that a Go reader takes for something else: `false`. */
const longestReserved = 5;

/** A letter first, and none of the words for booleans and nothing: numbers, `<<` and tags start otherwise. */
function isPlainWord(bytes: Buffer, start: number, end: number): boolean {
  const first = (bytes[start] as number) | 0x20;
  if (first < 0x61 || first > 0x7a || !isFreeOf(bytes, start, end, 0x0a)) return false;
  const isSuspect = end - start <= longestReserved && suspects[first] === 1;
  return !isSuspect || !reserved.has(bytes.toString("latin1", start, end).toLowerCase());
}

const reserved: ReadonlySet<string> = new Set(["y", "yes", "n", "no", "on", "off", "true", "false", "null"]);
const suspects = new Uint8Array(256);
for (const word of reserved) suspects[word.charCodeAt(0)] = 1;
