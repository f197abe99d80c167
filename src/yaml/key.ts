// Hot loop: keys compared by their bytes. Short runs spend their time on calls, so the innermost steps are written out. Nearly every key is a plain word, or quoted text without escapes: its bytes
// are its text, and its text is what every consumer compares. Only the others are decoded and resolved.
import { keyOf } from "./resolve.ts";
import { type Document, Field, fieldCount, Kind, type Row } from "./tape.ts";

/** True if two entries have one key, as their consumer sees keys. */
export function haveSameKey(a: Row, b: Row): boolean {
  const isKnown = a.doc.hasWordKeys === true;
  const isOtherKnown = b.doc.hasWordKeys === true;
  if (isKnown && isOtherKnown) {
    const mark = (a.doc.rows[a.row * fieldCount + Field.flags] as number) >> markShift;
    const other = (b.doc.rows[b.row * fieldCount + Field.flags] as number) >> markShift;
    return mark === other && areSameBytes(a, b);
  }
  const areWords = (isKnown || isWord(a)) && (isOtherKnown || isWord(b));
  return areWords ? areSameBytes(a, b) : keyOf(a).text === keyOf(b).text;
}

/** The mark of a key with this text, if the text is a word. */
export function markOfText(word: string): number {
  let hash = 0;
  for (let at = 0; at < word.length; at++) hash = (Math.imul(hash, 31) + word.charCodeAt(at)) | 0;
  return ((hash ^ (hash >>> 24)) << markShift) >> markShift || 1;
}

/**
 * Flags of a row need no more than eight bits. In a document of words the other bits are its key's mark: a number that
 * equal keys share, and most others do not.
 */
export const markShift = 8;
export const keyMark = -1 << markShift;

/** Gives every key of a document its mark, if all keys are words and none has a meaning to other readers. */
export function markWordKeys(doc: Document): void {
  const { bytes, rows } = doc;
  for (let at = 0; at < rows.length; at += fieldCount) {
    const start = rows[at + Field.keyStart] as number;
    if (start < 0) continue;
    const mark = markOfWord(
      bytes,
      start,
      rows[at + Field.keyEnd] as number,
      rows[at + Field.keyKind] as number,
    );
    if (mark === 0) return;
    rows[at + Field.flags] = (mark << markShift) | ((rows[at + Field.flags] as number) & ~keyMark);
  }
  doc.hasWordKeys = true;
}

/** 24 bits of a hash, with a sign, as a row holds them; 0 for `$patch` and for anything but a word. */
function markOfWord(bytes: Buffer, keyStart: number, keyEnd: number, kind: number): number {
  const quotes = kind === Kind.plain ? 0 : 1;
  const escape = kind === Kind.double ? 0x5c : kind === Kind.single ? 0x27 : 0x0a;
  const start = keyStart + quotes;
  const end = keyEnd - quotes;
  const first = bytes[start] as number;
  if (first === 0x24) return 0;
  if (
    quotes === 0 ? wordStarts[first] !== 1 && !mayBeWord(bytes, start, end) : !isQuoted(bytes[keyStart], kind)
  )
    return 0;
  let hash = 0;
  for (let at = start; at < end; at++) {
    const byte = bytes[at] as number;
    if (byte === escape || byte === 0x0a) return 0;
    hash = (Math.imul(hash, 31) + byte) | 0;
  }
  return ((hash ^ (hash >>> 24)) << markShift) >> markShift || 1;
}

/** Compares two words without their quotes. */
function areSameBytes(a: Row, b: Row): boolean {
  const { bytes, rows } = a.doc;
  const { bytes: otherBytes, rows: others } = b.doc;
  const one = a.row * fieldCount;
  const other = b.row * fieldCount;
  const quotes = rows[one + Field.keyKind] === Kind.plain ? 0 : 1;
  const otherQuotes = others[other + Field.keyKind] === Kind.plain ? 0 : 1;
  const start = (rows[one + Field.keyStart] as number) + quotes;
  const end = (rows[one + Field.keyEnd] as number) - quotes;
  const offset = (others[other + Field.keyStart] as number) + otherQuotes - start;
  if ((others[other + Field.keyEnd] as number) - otherQuotes - offset !== end) return false;
  // The ends of keys differ more often than their starts.
  for (let at = end - 1; at >= start; at--) if (bytes[at] !== otherBytes[at + offset]) return false;
  return true;
}

function quotesOf(rows: Int32Array, at: number): number {
  return rows[at + Field.keyKind] === Kind.plain ? 0 : 1;
}

/** True if an entry's key is a word. */
export function hasKey(entry: Row, word: string): boolean {
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
export function isKey(entry: Row, text: string): boolean {
  return isAscii(text) ? hasKey(entry, text) : textOfKey(entry) === text;
}

/** True if every character of a text is one byte, so that it can be a word. */
export function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0x7f) return false;
  return true;
}

/** The text of an entry's key, as its consumer spells it. */
export function textOfKey(entry: Row): string {
  const { doc, row } = entry;
  const at = row * fieldCount;
  if (doc.hasWordKeys !== true && !isWord(entry)) return keyOf(entry).text;
  const quotes = quotesOf(doc.rows, at);
  const start = doc.rows[at + Field.keyStart] as number;
  const end = doc.rows[at + Field.keyEnd] as number;
  return doc.bytes.toString("utf8", start + quotes, end - quotes);
}

/** Whether the key's text holds a character. */
export function keyIncludes({ doc: { bytes, rows }, row }: Row, character: number): boolean {
  const at = row * fieldCount;
  const end = rows[at + Field.keyEnd] as number;
  for (let offset = rows[at + Field.keyStart] as number; offset < end; offset++)
    if (bytes[offset] === character) return true;
  return false;
}

/** True if the key's bytes are its text, and it can be nothing but text. */
export function isWord({ doc: { bytes, rows }, row }: Row): boolean {
  const at = row * fieldCount;
  const kind = rows[at + Field.keyKind] as number;
  const start = rows[at + Field.keyStart] as number;
  const end = rows[at + Field.keyEnd] as number;
  if (kind === Kind.plain) return mayBeWord(bytes, start, end) && isFreeOf(bytes, start, end, 0x0a);
  return (
    isQuoted(bytes[start], kind) && isFreeOf(bytes, start + 1, end - 1, kind === Kind.double ? 0x5c : 0x27)
  );
}

/** True for a key in quotes without a tag or an anchor before them. */
function isQuoted(first: number | undefined, kind: number): boolean {
  return kind === Kind.double ? first === 0x22 : kind === Kind.single && first === 0x27;
}

function isFreeOf(bytes: Buffer, start: number, end: number, escape: number): boolean {
  for (let at = start; at < end; at++) if (bytes[at] === escape || bytes[at] === 0x0a) return false;
  return true;
}

/** Length of the longest word that a Go reader takes for something else: `false`. */
const longestReserved = 5;

/** True for a letter first and none of the words for booleans and null: numbers, `<<` and tags start otherwise. */
function mayBeWord(bytes: Buffer, start: number, end: number): boolean {
  const meaning = wordStarts[bytes[start] as number];
  if (meaning !== 2 || end - start > longestReserved) return meaning !== 0;
  return !reserved.has(bytes.toString("latin1", start, end).toLowerCase());
}

const reserved: ReadonlySet<string> = new Set(["y", "yes", "n", "no", "on", "off", "true", "false", "null"]);
/** 1 for a letter; 2 for one that a reserved word starts with. */
const wordStarts = new Uint8Array(256).fill(1, 0x41, 0x5b).fill(1, 0x61, 0x7b);
for (const [first = ""] of reserved)
  for (const letter of [first, first.toUpperCase()]) wordStarts[letter.charCodeAt(0)] = 2;
