// Hot loop: flow collections on one line. It recurses by nesting, which `maxDepth` bounds; everything else is
// offsets in the state. A collection as a key and a pair without braces are left to the library.
import { maxDepth } from "./fault.ts";
import { textKinds, scanFlowText } from "./fast-scalars.ts";
import type { State } from "./fast-state.ts";
import { Kind } from "./tape.ts";

/** Reads the flow collection at the cursor, as the value of the current entry. */
export function readFlow(state: State, parent: number, depth: number): boolean {
  if (depth >= maxDepth) return state.refuse("depth");
  const { bytes, at: start } = state;
  const isMapping = bytes[start] === 0x7b;
  const closing = isMapping ? 0x7d : 0x5d;
  const row = state.add(isMapping ? Kind.flowMapping : Kind.flowSequence, start, start, parent);
  state.at = start + 1;
  let next = state.nextByte();
  while (next !== closing) {
    if (next === 0x0a) return state.refuse("flow-lines");
    if (!(isMapping ? readMember(state, row, depth) : readItem(state, row, depth))) return false;
    next = state.nextByte();
    if (next === 0x2c) {
      state.at++;
      next = state.nextByte();
    } else if (next !== closing) return refuseRest(state, next);
  }
  state.at++;
  state.end = state.at;
  state.close(row);
  return true;
}

/** The byte after an entry is neither a comma nor the bracket. */
function refuseRest(state: State, next: number): false {
  if (next === 0x0a || next === 0x23) return state.refuse("flow-lines");
  return state.refuse(next === 0x3a ? "flow-pair" : "flow");
}

function readItem(state: State, parent: number, depth: number): boolean {
  state.underItem(state.at);
  return readValue(state, parent, depth);
}

function readMember(state: State, parent: number, depth: number): boolean {
  const { bytes, at: start } = state;
  const end = scanFlowText(state);
  if (end < 0) return false;
  state.underKey(start, end, textKinds[bytes[start] as number] as number);
  if (state.nextByte() !== 0x3a) {
    state.add(Kind.empty, end, end, parent);
    return true;
  }
  state.at++;
  const empty = state.at;
  const next = state.nextByte();
  if (next === 0x0a) return state.refuse("flow-lines");
  if (next !== 0x2c && next !== 0x7d) return readValue(state, parent, depth);
  state.add(Kind.empty, empty, empty, parent);
  return true;
}

function readValue(state: State, parent: number, depth: number): boolean {
  const { at: start } = state;
  const first = state.bytes[start] as number;
  if (first === 0x5b || first === 0x7b) return readFlow(state, parent, depth + 1);
  const end = scanFlowText(state);
  if (end < 0) return false;
  state.add(textKinds[first] as number, start, end, parent);
  return true;
}
