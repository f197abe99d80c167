// Hot loop: where scalars end. It looks at bytes and decodes nothing. The tests of a byte are ordered so that a letter
// costs least: one comparison in block text, one lookup between brackets.
import type { RefusalReason } from "./fast-reasons.ts";
import { gaps, isGap, type State } from "./fast-state.ts";
import { Kind } from "./tape.ts";

// What a byte is in plain text between brackets.
const ordinary = 0;
const blank = 1;
const mark = 2;
const stop = 3;
const control = 4;
const question = 5;

const inFlow = flowTable();

/** Bytes that plain text cannot start with, and why; a dash, a question mark or a colon needs text after it. */
const badStarts: readonly (RefusalReason | undefined)[] = startTable();

function flowTable(): Uint8Array {
  const table = new Uint8Array(256).fill(control, 0, 0x20);
  table[0x7f] = control;
  table[0x20] = blank;
  table[0x0a] = stop;
  table[0x3a] = mark;
  table[0x3f] = question;
  for (const each of ",[]{}") table[each.charCodeAt(0)] = stop;
  return table;
}

function startTable(): (RefusalReason | undefined)[] {
  const table = Array.from<RefusalReason | undefined>({ length: 256 }).fill(undefined);
  const refuse = (characters: string, reason: RefusalReason): void => {
    for (const each of characters) table[each.charCodeAt(0)] = reason;
  };
  refuse("&", "anchor");
  refuse("*", "alias");
  refuse("!", "tag");
  refuse("%", "directive");
  refuse("?", "explicit-key");
  refuse(":", "empty-key");
  refuse("-", "compact");
  refuse("@`,]}#", "indicator");
  refuse("[{", "flow");
  refuse("|>", "header");
  return table;
}

/** The kind of a text, by its first byte. */
export const textKinds = new Uint8Array(256).fill(Kind.plain);
textKinds[0x22] = Kind.double;
textKinds[0x27] = Kind.single;

/** No column: text that must end on its line. */
export const oneLine = 0x7fff_ffff;

function scanQuoted(state: State, first: number, column: number): number {
  const end = first === 0x22 ? endOfDouble(state, column) : endOfSingle(state, column);
  if (end < 0) return -1;
  state.at = end;
  state.skipSpaces();
  return end;
}

/**
 * Scans the text at the cursor, and moves past it and the spaces after it. Returns where it ends, or -1.
 * @param column right of which the further lines of quoted text begin
 */
export function scanText(state: State, column: number): number {
  const { bytes, at } = state;
  const first = bytes[at] as number;
  if (textKinds[first] !== Kind.plain) return scanQuoted(state, first, column);
  const reason = badStarts[first];
  if (reason !== undefined && !startsAnyway(state, reason)) return -1;
  return scanPlain(state);
}

/** The same of one line of plain text, which may start with any byte if it is not the first. */
export function scanPlain(state: State): number {
  const { bytes, limit } = state;
  let { at } = state;
  for (; at < limit; at++) {
    const byte = bytes[at] as number;
    if (byte > 0x3a) {
      if (byte === 0x7f) return failControl(state, byte);
    } else if (byte === 0x3a) {
      if (at + 1 >= limit || gaps[bytes[at + 1] as number] === 1) break;
    } else if (byte === 0x20) {
      if (at + 1 < limit && bytes[at + 1] === 0x23) break;
    } else if (byte === 0x0a) break;
    else if (byte < 0x20) return failControl(state, byte);
  }
  if (bytes[at - 1] === 0x20 || (at < limit && bytes[at] === 0x20)) return endBeforeSpaces(state, at);
  state.at = at;
  return at;
}

/** The same between brackets. */
export function scanFlowText(state: State): number {
  const { bytes, limit } = state;
  let { at } = state;
  const first = bytes[at] as number;
  if (textKinds[first] !== Kind.plain) return scanQuoted(state, first, oneLine);
  const reason = badStarts[first];
  if (reason !== undefined && !startsFlowAnyway(state, reason)) return -1;
  for (; at < limit; at++) {
    const meaning = inFlow[bytes[at] as number] as number;
    if (meaning === ordinary) continue;
    if (meaning === stop) break;
    if (meaning === control) return failControl(state, bytes[at] as number);
    // Go takes it for the mark of a key.
    if (meaning === question) return fail(state, "flow");
    if (meaning === mark) {
      if (isGap(bytes, at + 1, limit)) break;
      // Go takes such a colon for text.
      if (isFlowGap(bytes, at + 1, limit)) return fail(state, "flow");
    } else if (at + 1 < limit && bytes[at + 1] === 0x23) break;
  }
  if (bytes[at - 1] === 0x20 || (at < limit && bytes[at] === 0x20)) return endBeforeSpaces(state, at);
  state.at = at;
  return at;
}

/** Moves to the byte that ended plain text, or past the space before a comment. Returns where the text ends. */
function endBeforeSpaces(state: State, stopped: number): number {
  const { bytes } = state;
  state.at = stopped < state.limit && bytes[stopped] === 0x20 ? stopped + 1 : stopped;
  let end = stopped;
  while (bytes[end - 1] === 0x20) end--;
  return end;
}

/** `-x`, `?x` and `:x` are plain text. */
function startsAnyway(state: State, reason: RefusalReason): boolean {
  const { bytes, at, limit } = state;
  const byte = bytes[at] as number;
  if ((byte === 0x2d || byte === 0x3f || byte === 0x3a) && !isGap(bytes, at + 1, limit)) return true;
  return state.refuse(reason);
}

/** Between brackets only the dash may start text: the meaning of a colon there depends on what precedes it. */
function startsFlowAnyway(state: State, reason: RefusalReason): boolean {
  const { bytes, at, limit } = state;
  if (bytes[at] === 0x2d && !isFlowGap(bytes, at + 1, limit)) return true;
  return state.refuse(reason === "compact" ? "flow" : reason);
}

function isFlowGap(bytes: Uint8Array, at: number, limit: number): boolean {
  return isGap(bytes, at, limit) || inFlow[bytes[at] as number] === stop;
}

export function failControl(state: State, byte: number): -1 {
  state.refuseControl(byte);
  return -1;
}

export function fail(state: State, reason: RefusalReason): -1 {
  state.refuse(reason);
  return -1;
}

function endOfSingle(state: State, column: number): number {
  const { bytes, limit } = state;
  for (let at = state.at + 1; at < limit; at++) {
    const byte = bytes[at] as number;
    if (byte === 0x27) {
      if (at + 1 >= limit || bytes[at + 1] !== 0x27) return at + 1;
      at++;
    } else if (byte === 0x0a) {
      at = beforeNextLine(state, at, column);
      if (at < 0) return -1;
    } else if ((byte < 0x20 || byte === 0x7f) && !isQuotable(state, byte)) return -1;
  }
  return fail(state, "quote");
}

function endOfDouble(state: State, column: number): number {
  const { bytes, limit } = state;
  for (let at = state.at + 1; at < limit; at++) {
    const byte = bytes[at] as number;
    if (byte === 0x22) return at + 1;
    if (byte === 0x5c) {
      const length = escapeLength(bytes, at + 1, limit);
      if (length === 0) return fail(state, "escape");
      at += length;
    } else if (byte === 0x0a) {
      at = beforeNextLine(state, at, column);
      if (at < 0) return -1;
    } else if ((byte < 0x20 || byte === 0x7f) && !isQuotable(state, byte)) return -1;
  }
  return fail(state, "quote");
}

/** Quoted text goes on in a line that is deeper than its collection. Returns where the spaces before it end, or -1. */
function beforeNextLine(state: State, lineFeed: number, column: number): number {
  const { bytes, limit } = state;
  let [at, start] = [lineFeed, lineFeed];
  while (at < limit && (bytes[at] === 0x0a || bytes[at] === 0x20)) if (bytes[at++] === 0x0a) start = at;
  if (at >= limit) return fail(state, "quote");
  if (bytes[at] === 0x09) return failControl(state, 0x09);
  return at - start > column ? at - 1 : fail(state, "lines");
}

/** The only other byte below the space that quotes may hold is a tab. */
function isQuotable(state: State, byte: number): boolean {
  if (byte !== 0x09) return state.refuseControl(byte);
  state.tabs = true;
  return true;
}

/** Escapes of one character; Go does not know the escaped slash. */
const shortEscapes = escapeTable('0abefnrtvN_LP "\\');

function escapeTable(known: string): Uint8Array {
  const table = new Uint8Array(256);
  for (const each of known) table[each.charCodeAt(0)] = 1;
  return table;
}

/** How many bytes an escape has after its backslash; 0 if YAML does not know it. */
function escapeLength(bytes: Uint8Array, at: number, limit: number): number {
  if (at >= limit) return 0;
  const byte = bytes[at] as number;
  const digits = byte === 0x78 ? 2 : byte === 0x75 ? 4 : byte === 0x55 ? 8 : 0;
  if (digits === 0) return shortEscapes[byte] as number;
  let code = 0;
  for (let next = at + 1; next <= at + digits; next++) {
    const digit = next < limit ? hexDigit(bytes[next] as number) : -1;
    if (digit < 0) return 0;
    code = code * 16 + digit;
  }
  // Half a character of two surrogates: the other reader reports it.
  const isHalf = code >= 0xd800 && code <= 0xdfff;
  if (isHalf) return 0;
  return code > 0x10ffff ? 0 : digits + 1;
}

function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}
