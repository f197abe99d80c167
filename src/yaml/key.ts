// Hot loop: keys compared by their bytes. Nearly every key is a plain word, or quoted text without escapes: its bytes
// are its text, and its text is what every consumer compares. Only the others are decoded and resolved.
import { keyOf } from "./resolve.ts";
import { Field, fieldCount, Kind, type Node } from "./tape.ts";

/** Where a key's own text stands, quotes aside; -1 as start if its bytes are not its text. */
let from = -1;
let to = -1;

/** True if two entries have one key, as their consumer sees keys. */
export function haveSameKey(a: Node, b: Node): boolean {
  locate(a);
  const [start, end] = [from, to];
  locate(b);
  if (start < 0 || from < 0) return keyOf(a).text === keyOf(b).text;
  return end - start === to - from && areSame(a.doc.bytes, start, b.doc.bytes, from, end - start);
}

/** True if an entry's key is a word. */
export function hasKey(entry: Node, word: string): boolean {
  locate(entry);
  if (from < 0) return keyOf(entry).text === word;
  if (to - from !== word.length) return false;
  const { bytes } = entry.doc;
  for (let at = 0; at < word.length; at++) if (bytes[from + at] !== word.charCodeAt(at)) return false;
  return true;
}

/** The text of an entry's key, as its consumer spells it. */
export function textOfKey(entry: Node): string {
  locate(entry);
  return from < 0 ? keyOf(entry).text : entry.doc.bytes.toString("utf8", from, to);
}

/** True if the key's bytes are its text, and it can be nothing but text. */
export function isWord(entry: Node): boolean {
  locate(entry);
  return from >= 0;
}

/** Whether the key's text holds a character. */
export function keyIncludes(entry: Node, character: number): boolean {
  const at = entry.row * fieldCount;
  const { bytes, rows } = entry.doc;
  const end = rows[at + Field.keyEnd] as number;
  for (let offset = rows[at + Field.keyStart] as number; offset < end; offset++)
    if (bytes[offset] === character) return true;
  return false;
}

function areSame(a: Buffer, start: number, b: Buffer, other: number, length: number): boolean {
  for (let at = 0; at < length; at++) if (a[start + at] !== b[other + at]) return false;
  return true;
}

function locate({ doc: { bytes, rows }, row }: Node): void {
  const at = row * fieldCount;
  const kind = rows[at + Field.keyKind] as number;
  const start = rows[at + Field.keyStart] as number;
  const end = rows[at + Field.keyEnd] as number;
  const isQuoted = kind === Kind.single || kind === Kind.double;
  from = isQuoted ? start + 1 : start;
  to = isQuoted ? end - 1 : end;
  const quote = kind === Kind.single ? 0x27 : 0x5c;
  if (
    isQuoted ? bytes[start] !== (kind === Kind.single ? 0x27 : 0x22) : !isPlainWord(bytes, start, end, kind)
  )
    from = -1;
  for (let offset = from; offset >= 0 && offset < to; offset++) {
    const byte = bytes[offset] as number;
    if (byte === 0x0a || (isQuoted && byte === quote)) from = -1;
  }
}

/** Longest of the words that a Go reader takes for something else: `false`. */
const longestReserved = 5;

/** A letter first, and none of the words for booleans and nothing: numbers, `<<` and tags start otherwise. */
function isPlainWord(bytes: Buffer, start: number, end: number, kind: number): boolean {
  const first = (bytes[start] as number) | 0x20;
  if (kind !== Kind.plain || first < 0x61 || first > 0x7a) return false;
  const isSuspect = end - start <= longestReserved && suspects[first] === 1;
  return !isSuspect || !reserved.has(bytes.toString("latin1", start, end).toLowerCase());
}

const reserved: ReadonlySet<string> = new Set(["y", "yes", "n", "no", "on", "off", "true", "false", "null"]);
const suspects = new Uint8Array(256);
for (const word of reserved) suspects[word.charCodeAt(0)] = 1;
