// Hot loop: where block scalars end. It looks at their text line by line, and decodes nothing.
import { fail, failControl } from "./fast-scalars.ts";
import type { State } from "./fast-state.ts";

/**
 * Returns where the block scalar at the cursor ends: at the start of a line, or the end; -1 if refused.
 * @param column of the entry that it belongs to: its text is deeper
 */
export function endOfBlockScalar(state: State, column: number): number {
  const header = readHeader(state);
  if (header < 0) return -1;
  const explicit = header >> 1;
  const keep = (header & 1) === 1;
  const { bytes, limit, at: first } = state;
  let at = first;
  while (at < limit && (bytes[at] === 0x20 || bytes[at] === 0x0a)) at++;
  let newline = at - 1;
  while (newline >= first && bytes[newline] === 0x20) newline--;
  const indent = at - newline - 1;
  let content = indent;
  if (indent > column) {
    content = explicit === 0 ? indent : column + explicit;
    if (at >= limit || indent < content) return fail(state, "leading-blank");
    if (explicit === 0 && hasDeeperBlank(bytes, first, newline, indent)) return fail(state, "leading-blank");
    newline = lastNewline(state, newline, content);
    if (newline < 0) return -1;
  } else if (at < limit && bytes[at] === 0x09) return fail(state, "tab");
  if (!keep) newline = withoutTrailing(bytes, newline, first, content);
  return newline < limit ? newline + 1 : limit;
}

/** Without a digit in the header, blank lines before the text must not be deeper than the text. */
function hasDeeperBlank(bytes: Uint8Array, first: number, newline: number, indent: number): boolean {
  let spaces = 0;
  for (let at = first; at < newline; at++) {
    spaces = bytes[at] === 0x20 ? spaces + 1 : 0;
    if (spaces > indent) return true;
  }
  return false;
}

/** Moves past the line of the header. Returns its digit (0 without one) times two, plus one for `+`; -1 if refused. */
function readHeader(state: State): number {
  const { bytes, limit } = state;
  let explicit = 0;
  let chomp = 0;
  let at = state.at + 1;
  for (; at < limit; at++) {
    const byte = bytes[at] as number;
    if (chomp === 0 && (byte === 0x2b || byte === 0x2d)) chomp = byte;
    else if (explicit === 0 && byte > 0x30 && byte <= 0x39) explicit = byte - 0x30;
    else break;
  }
  state.at = at;
  state.skipSpaces();
  const { at: end } = state;
  // The document ends after the header: rare, and readers differ.
  if (end >= limit) return fail(state, "header");
  if (bytes[end] === 0x23 && end > at) {
    if (!state.skipComment()) return -1;
  } else if (bytes[end] === 0x0a) state.at = end + 1;
  else return bytes[end] === 0x09 ? fail(state, "tab") : fail(state, "header");
  return explicit * 2 + (chomp === 0x2b ? 1 : 0);
}

/** The line feed that ends the last line of the text, blank lines after it included; `limit` if there is none. */
function lastNewline(state: State, before: number, content: number): number {
  const { bytes, limit } = state;
  let newline = before;
  while (newline < limit) {
    let at = newline + 1;
    while (at < limit && bytes[at] === 0x20) at++;
    const indent = at - newline - 1;
    if (at >= limit) return indent >= content ? limit : newline;
    let byte = bytes[at] as number;
    if (byte !== 0x0a && indent < content) return byte === 0x09 ? fail(state, "tab") : newline;
    for (; at < limit; at++) {
      byte = bytes[at] as number;
      if (byte >= 0x20 && byte !== 0x7f) continue;
      if (byte === 0x0a) break;
      if (byte !== 0x09) return failControl(state, byte);
      state.tabs = true;
    }
    newline = at;
  }
  return newline;
}

/** Blank lines after the text belong to it only if they are deeper than the text's own column. */
function withoutTrailing(bytes: Uint8Array, from: number, first: number, indent: number): number {
  let newline = from;
  for (;;) {
    let at = newline - 1;
    while (at >= first && bytes[at] === 0x20) at--;
    if (at < first || bytes[at] !== 0x0a || newline - 1 - at > indent) return newline;
    newline = at;
  }
}
