// The text of a scalar: quotes, escapes and folding resolved, indentation of block scalars removed.
// Plain, single-line and literal text is decoded here; everything else goes to the library.
import { isUtf8 } from "node:buffer";
import { decodeByLibrary } from "./by-library.ts";
import { splitProperties } from "./tags.ts";
import { Field, field, fieldCount, Kind, kindOf, type Row } from "./tape.ts";

/** Text of a scalar node; "" for an absent value. */
export function scalarText(node: Row): string {
  const kind = kindOf(node);
  if (kind === Kind.literal || kind === Kind.folded) return scalarBytes(node).toString("utf8");
  return decodeInline(utf8(node.doc.bytes, field(node, Field.body), field(node, Field.end)), kind);
}

/** The same in UTF-8 bytes. */
export function scalarBytes(node: Row): Buffer {
  const { bytes } = node.doc;
  const kind = kindOf(node);
  const start = field(node, Field.body);
  const end = field(node, Field.end);
  const isSimple = node.doc.plain !== undefined || !bytes.subarray(start, end).includes(0x0d);
  if (kind === Kind.literal && isSimple) {
    const text = decodeLiteral(node);
    // Bytes that are not UTF-8 become the replacement character.
    return node.doc.plain?.nonAscii === false || isUtf8(text)
      ? text
      : Buffer.from(text.toString("utf8"), "utf8");
  }
  if (kind !== Kind.literal && kind !== Kind.folded) return Buffer.from(scalarText(node), "utf8");
  const source = utf8(bytes, start, end);
  return Buffer.from(decodeBlock(source, contentIndent(node, source)), "utf8");
}

/** Where the text of a node's key starts, after its tag and anchor; -1 without a key. */
export function keyBodyOf(node: Row): number {
  const [start, end] = [field(node, Field.keyStart), field(node, Field.keyEnd)];
  const { bytes } = node.doc;
  if (start < 0 || (bytes[start] !== 0x21 && bytes[start] !== 0x26)) return start;
  return end - splitProperties(bytes.toString("latin1", start, end)).rest.length;
}

/** Text of a node's key. */
export function keyText(node: Row): string {
  const rest = utf8(node.doc.bytes, keyBodyOf(node), field(node, Field.keyEnd));
  const kind = field(node, Field.keyKind);
  return isBlock(kind) ? decodeBlock(rest, contentIndent(node, rest)) : decodeInline(rest, kind);
}

/** Hot loop: a literal block less its header and indentation, byte by byte; its lines end in LF. */
function decodeLiteral(node: Row): Buffer {
  const { bytes } = node.doc;
  const start = field(node, Field.body);
  const end = field(node, Field.end);
  let first = start;
  while (first < end && bytes[first++] !== 0x0a);
  const indent = literalIndent(node, first);
  const out = room(end - first);
  let length = 0;
  for (let at = first; at < end;) {
    const text = Math.min(at + indent, end);
    while (at < text && bytes[at] !== 0x0a) at++;
    while (at < end) {
      const byte = bytes[at++] as number;
      out[length++] = byte;
      if (byte === 0x0a) break;
    }
  }
  return chomped(out, length, chompOf(bytes, start, first));
}

const slabBytes = 512 * 1024;
let slab = Buffer.alloc(0);
let used = 0;

/** A buffer from a slab of about its own size: many small buffers cost more than writing them. */
function room(length: number): Buffer {
  if (length > slabBytes / 8) return Buffer.allocUnsafeSlow(length);
  if (used + length > slab.length) {
    slab = Buffer.allocUnsafeSlow(slabBytes);
    used = 0;
  }
  used += length;
  return slab.subarray(used - length, used);
}

/** The result of `contentIndent`, from the bytes. */
function literalIndent(node: Row, first: number): number {
  const { bytes } = node.doc;
  const start = field(node, Field.body);
  const end = field(node, Field.end);
  for (let at = start + 1; at < first; at++) {
    const byte = bytes[at] as number;
    if (byte >= 0x31 && byte <= 0x39)
      return byte - 0x30 + (field(node, Field.entry) < 0 ? 0 : field(node, Field.column));
    if (byte !== 0x2b && byte !== 0x2d) break;
  }
  let lineStart = first;
  let longest = 0;
  for (let at = first; at < end; at++) {
    if (bytes[at] === 0x0a) lineStart = at + 1;
    // The end of a line: its other half follows.
    else if (bytes[at] === 0x0d) continue;
    else if (bytes[at] !== 0x20) return at - lineStart;
    else longest = Math.max(longest, at + 1 - lineStart);
  }
  return longest;
}

/**
 * Returns the offset in the document of a line and column (1-based) of a literal block's text. Made once per block: it
 * walks over its lines once, and only as far as it is asked.
 */
export function placesInLiteral(node: Row): (line: number, column: number) => number {
  const { bytes } = node.doc;
  const end = field(node, Field.end);
  const starts = [bytes.indexOf(0x0a, field(node, Field.body)) + 1];
  const indent = literalIndent(node, starts[0] as number);
  return (line, column) => {
    while (starts.length < line) {
      const lineFeed = bytes.indexOf(0x0a, starts.at(-1));
      starts.push(lineFeed < 0 ? end : lineFeed + 1);
    }
    const at = starts[line - 1] as number;
    // The end of a text is after its last character.
    if (at >= end) return bytes[end - 1] === 0x0a ? end - 1 : end;
    return at + indent + column - 1;
  };
}

/** Where a literal block's text begins in its first line that has any, and which line of the text that is (1-based). */
export function firstTextInLiteral(node: Row): { readonly offset: number; readonly line: number } {
  const { bytes } = node.doc;
  const end = field(node, Field.end);
  const first = bytes.indexOf(0x0a, field(node, Field.body)) + 1;
  const indent = literalIndent(node, first);
  for (let [line, start] = [1, first]; start < end; line++) {
    const lineFeed = bytes.indexOf(0x0a, start);
    const next = lineFeed < 0 ? end : lineFeed + 1;
    if (bytes.subarray(start, next).toString("latin1").trimEnd().length > indent)
      return { offset: start + indent, line };
    start = next;
  }
  return { offset: Math.min(first + indent, end), line: 1 };
}

function chompOf(bytes: Buffer, start: number, first: number): number {
  for (let at = start + 1; at < first && bytes[at] !== 0x23; at++)
    if (bytes[at] === 0x2b || bytes[at] === 0x2d) return bytes[at] as number;
  return 0;
}

/** A literal that ends its document without a newline has none to keep. */
function chomped(text: Buffer, length: number, chomp: number): Buffer {
  if (chomp === 0x2b) return text.subarray(0, length);
  let end = length;
  while (end > 0 && text[end - 1] === 0x0a) end--;
  const keepsOne = chomp === 0 && end > 0 && end < length;
  return text.subarray(0, keepsOne ? end + 1 : end);
}

function decodeInline(source: string, kind: number): string {
  if (kind === Kind.empty) return "";
  if (kind === Kind.plain && !source.includes("\n")) return source;
  const isEscaped = kind === Kind.double && source.includes("\\");
  const decoded = isEscaped && !source.includes("\n") ? unescaped(source.slice(1, -1)) : undefined;
  if (decoded !== undefined) return decoded;
  if (source.includes("\n") || isEscaped) {
    return decodeByLibrary(source.replaceAll(/\r?\n[ \t]*/g, "\n "));
  }
  if (kind === Kind.single) return source.slice(1, -1).replaceAll("''", "'");
  return kind === Kind.double ? source.slice(1, -1) : source;
}

/** Double-quoted text on one line, less its escapes; undefined if it holds an unknown escape. */
function unescaped(source: string): string | undefined {
  let isKnown = true;
  const text = source.replaceAll(escapes, (escape, code: string | undefined, character: string) => {
    const point = code === undefined ? undefined : Number.parseInt(code.slice(1), 16);
    const found = point === undefined ? characters.get(character) : point > 0x10ffff ? undefined : point;
    if (found === undefined) isKnown = false;
    return found === undefined ? escape : String.fromCodePoint(found);
  });
  return isKnown ? text : undefined;
}

const escapes = /\\(?:(x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})|([^]))/g;

/** What YAML makes of a backslash and one character. */
const characters: ReadonlyMap<string, number> = new Map([
  ["0", 0],
  ["a", 7],
  ["b", 8],
  ["e", 0x1b],
  ["f", 0x0c],
  ["n", 0x0a],
  ["r", 0x0d],
  ["t", 0x09],
  ["v", 0x0b],
  ["N", 0x85],
  ["_", 0xa0],
  ["L", 0x2028],
  ["P", 0x2029],
  [" ", 0x20],
  ['"', 0x22],
  ["/", 0x2f],
  ["\\", 0x5c],
  ["\t", 0x09],
]);

/** Folded text, and literals with other line ends. */
function decodeBlock(source: string, indent: number): string {
  const [header = "", ...lines] = source.split(/\r?\n/);
  const chomp = /[-+]/.exec(header.split("#")[0] ?? "")?.[0] ?? "";
  const content = lines.map((line) => line.slice(indent));
  const text = Buffer.from(header.startsWith("|") ? content.join("\n") : folded(content), "utf8");
  return chomped(text, text.length, chomp === "" ? 0 : chomp.charCodeAt(0)).toString("utf8");
}

/** Lines of a folded block as text, with all blank lines after it: without `+` the library may drop some. */
function folded(lines: readonly string[]): string {
  const end = lines.findIndex((line) => !/^[^ \t]/.test(line));
  // Lines of text first, and blank ones only after them: nearly all blocks.
  if (end > 0 && lines.slice(end).every((line) => line === ""))
    return lines.slice(0, end).join(" ") + "\n".repeat(lines.length - end);
  const text = decodeByLibrary(`>1+\n${lines.map((line) => (line === "" ? "" : ` ${line}`)).join("\n")}`);
  // Go adds no line feed to the value if the last line has none.
  return lines.at(-1) === "" ? text : text.replace(/\n$/, "");
}

/** The column a block scalar's content starts at; an indicator is relative to the parent's column. */
export function contentIndent(node: Row, source: string): number {
  const indicator = /^[|>][-+]?([1-9])/.exec(source)?.[1];
  if (indicator !== undefined)
    return Number(indicator) + (field(node, Field.entry) < 0 ? 0 : field(node, Field.column));
  const [, ...lines] = source.split("\n");
  const first = lines.find((line) => /[^ \r]/.test(line));
  // Where every line is blank, no space is content.
  if (first === undefined) return lines.reduce((most, { length }) => Math.max(most, length), 0);
  return /^ */.exec(first)?.[0].length ?? 0;
}

/** A block scalar, from its header on. */
export interface BlockScalar {
  readonly body: number;
  readonly end: number;
}

/** The block scalar that ends a subtree: the last value, or a last key without a value. */
export function lastBlockScalar(node: Row): BlockScalar | undefined {
  const { doc, row } = node;
  const last = (doc.rows[row * fieldCount + Field.next] as number) - 1;
  const kind = doc.rows[last * fieldCount + Field.kind] as number;
  // Nearly every entry ends here.
  if (kind !== Kind.empty && kind !== Kind.literal && kind !== Kind.folded) return undefined;
  const leaf = { doc, row: last };
  const end = field(leaf, Field.end);
  if (kind !== Kind.empty) return { body: field(leaf, Field.body), end };
  const endsInKey = end === field(leaf, Field.keyEnd) && isBlock(field(leaf, Field.keyKind));
  return endsInKey ? { body: keyBodyOf(leaf), end } : undefined;
}

function isBlock(kind: number): boolean {
  return kind === Kind.literal || kind === Kind.folded;
}

export function utf8(bytes: Buffer, start: number, end: number): string {
  return bytes.toString("utf8", start, end);
}
