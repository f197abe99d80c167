// Hot loop: plain block YAML → the rows that `readDocument` delivers, in one pass over the bytes. It makes no
// strings, and no object but the document. It accepts only what it is sure of and never guesses: whatever it
// refuses goes to the library. A refusal costs only time; a wrong row would break the output.
// It recurses by nesting, which `maxDepth` bounds. After every node the state is at the next line with
// content, and that line's column decides which collection continues.
import { isAscii } from "node:buffer";
import { maxDepth } from "./fault.ts";
import { readFlow } from "./fast-flow.ts";
import { endOfBlockScalar } from "./fast-blocks.ts";
import { oneLine, scanPlain, scanText, textKinds } from "./fast-scalars.ts";
import { type RefusalReason, reasons } from "./fast-reasons.ts";
import { State } from "./fast-state.ts";
import { type Document, Kind, type Region } from "./tape.ts";

/** Not a fault: the library may still read the document. */
export interface Refusal {
  readonly refused: RefusalReason;
}

/**
 * The library's bound for a key and the text before its colon. After an empty value it measures from the end
 * of the line before, so we bound the column of the colon.
 */
const maxKeyLength = 1024;

// One state for all documents: reading is synchronous and never re-enters itself.
const state = new State();
const refusals = new Map(reasons.map((refused) => [refused, { refused }]));
const noTargets: ReadonlyMap<number, number> = new Map();
const noMarkers: Document["markers"] = [];

/** Reads the first YAML document of a region, if it is plain. Never throws on any bytes. */
export function readFast(bytes: Buffer, region: Region): Document | Refusal {
  const { start, end, blank = 0 } = region;
  if (!isSound(bytes, start, end, blank)) return refusal("region");
  state.start(bytes, start, start + blank, end);
  const marker = readStart();
  if (marker === refused || !readRoot(start)) {
    state.release();
    return refusal(state.reason);
  }
  const { comments, blankLines, tabs } = state;
  return {
    bytes,
    rows: state.take(),
    targets: noTargets,
    start,
    end,
    markers: marker === none ? noMarkers : [[marker, marker + 3]],
    followed: false,
    isTidy: !comments && !blankLines && marker === none,
    plain: { comments, blankLines, tabs, nonAscii: !isAscii(bytes.subarray(start, end)) },
  };
}

function refusal(reason: RefusalReason): Refusal {
  return refusals.get(reason) as Refusal;
}

/** The bytes that are taken as spaces must be one line of ASCII: columns count bytes. */
function isSound(bytes: Uint8Array, start: number, end: number, blank: number): boolean {
  const first = start + blank;
  if (!(start >= 0 && blank >= 0 && first <= end && end <= bytes.length && end < 0x7fff_ffff)) return false;
  for (let at = start; at < first; at++) {
    const byte = bytes[at] as number;
    if (byte < 0x20 || byte > 0x7e) return false;
  }
  return true;
}

const none = -1;
const refused = -2;

/** Moves to the first line of the content. Returns where a `---` line before it starts. */
function readStart(): number {
  const { bytes, at, limit } = state;
  if (at + 2 < limit && bytes[at] === 0xef && bytes[at + 1] === 0xbb && bytes[at + 2] === 0xbf)
    return refuseStart("byte-order-mark");
  if (!state.toContent()) return refused;
  const marker = state.at;
  const isMarked = state.atMarker();
  if (isMarked) {
    if (bytes[marker] !== 0x2d) return refuseStart("document-marker");
    state.at += 3;
    if (!state.finishLine()) return refused;
  }
  if (isMarked && state.column < 0) return refuseStart("empty-document");
  return isMarked ? marker : none;
}

function refuseStart(reason: RefusalReason): number {
  state.refuse(reason);
  return refused;
}

function readRoot(start: number): boolean {
  state.underItem(state.at);
  state.entry = -1;
  if (state.column < 0) {
    // Nothing but comments and blank lines: an empty value at the very start.
    state.entryColumn = 0;
    state.add(Kind.empty, start, start, -1);
    return true;
  }
  return readNode(-1, oneLine, 0) && (state.column < 0 || state.refuse("column"));
}

/** The node at the cursor (column `state.column`): on a line of its own, or after a dash. @param outer its parent's column */
function readNode(parent: number, outer: number, depth: number): boolean {
  const { bytes, at: start, column } = state;
  const first = bytes[start] as number;
  if (state.atDash()) return readSequence(state.add(Kind.blockSequence, start, start, parent), column, depth);
  if (first === 0x5b || first === 0x7b) return readFlow(state, parent, depth) && state.finishLine();
  const end = scanText(state, outer);
  if (end < 0) return false;
  if (state.atColon()) {
    // A key ends on its line.
    if (textKinds[first] !== Kind.plain && bytes.indexOf(0x0a, start) < end) return state.refuse("lines");
    const row = state.add(Kind.blockMapping, start, start, parent);
    return readMapping(row, start, end, column, depth);
  }
  state.add(textKinds[first] as number, start, end, parent);
  return state.finishLine();
}

/** The members of a mapping. Its first key is scanned already: the reader needed it to recognize the mapping. */
function readMapping(
  row: number,
  firstKey: number,
  firstEnd: number,
  column: number,
  depth: number,
): boolean {
  if (depth >= maxDepth) return state.refuse("depth");
  let start = firstKey;
  let end = firstEnd;
  for (;;) {
    if (state.at - state.lineStart >= maxKeyLength) return state.refuse("key-length");
    state.underKey(start, end, textKinds[state.bytes[start] as number] as number);
    state.at++;
    if (!readValue(row, column, depth)) return false;
    if (state.column > column && !readOn(row, column)) return false;
    if (state.column !== column) break;
    start = state.at;
    end = scanText(state, oneLine);
    if (end < 0) return false;
    if (!state.atColon()) return state.refuse("lines");
  }
  state.close(row);
  return true;
}

/** The further lines of plain text, which are deeper than the collection that it is in. */
function readOn(parent: number, column: number): boolean {
  do {
    if (!state.isAfterText(parent)) return state.refuse("lines");
    const end = scanPlain(state);
    if (end < 0) return false;
    if (state.atColon()) return state.refuse("lines");
    state.extend(end);
    if (!state.finishLine()) return false;
  } while (state.column > column);
  return true;
}

/** The value after a colon: on its line, or on the next ones. */
function readValue(parent: number, column: number, depth: number): boolean {
  const { at: empty } = state;
  const first = state.nextByte();
  if (first === 0x0a || first === 0x23) {
    if (!state.finishLine()) return false;
    // A sequence may start at the column of its key.
    if (state.column > column || (state.column === column && state.atDash()))
      return readNode(parent, column, depth + 1);
    state.add(Kind.empty, empty, empty, parent);
    return true;
  }
  if (first === 0x7c || first === 0x3e) return readBlockScalar(parent, column);
  if (first === 0x5b || first === 0x7b) return readFlow(state, parent, depth + 1) && state.finishLine();
  const { at: start } = state;
  const end = scanText(state, column);
  if (end < 0) return false;
  state.add(textKinds[first] as number, start, end, parent);
  return state.finishLine();
}

function readBlockScalar(parent: number, column: number): boolean {
  const { bytes, at: start } = state;
  const end = endOfBlockScalar(state, column);
  if (end < 0) return false;
  state.add(bytes[start] === 0x7c ? Kind.literal : Kind.folded, start, end, parent);
  return state.toLine(end);
}

function readSequence(row: number, column: number, depth: number): boolean {
  if (depth >= maxDepth) return state.refuse("depth");
  do {
    state.underItem(state.at);
    state.at++;
    if (!readItem(row, column, depth)) return false;
    if (state.column > column && !readOn(row, column)) return false;
  } while (state.column === column && state.atDash());
  state.close(row);
  return true;
}

/** The value after a dash: on its line, or on the next ones. */
function readItem(parent: number, column: number, depth: number): boolean {
  const { at: empty } = state;
  const first = state.nextByte();
  if (first !== 0x0a && first !== 0x23) {
    if (first === 0x7c || first === 0x3e) return readBlockScalar(parent, column);
    state.column = state.at - state.lineStart;
    return readNode(parent, column, depth + 1);
  }
  if (!state.finishLine()) return false;
  if (state.column > column) return readNode(parent, column, depth + 1);
  state.add(Kind.empty, empty, empty, parent);
  return true;
}
