// Edits of bytes, and what they make of them.
import type { Span } from "./scan.ts";

/** A change of the input's bytes: `text` (UTF-8 once written) replaces start..end. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string | Uint8Array;
}

/**
 * The parts of some bytes once edits are applied. Edits must not overlap; several insertions at one place keep their order.
 * Where two stages change an item, as of a layer that is a target, too, both may remove a comment, or one of them a comment
 * within what the other replaces.
 */
export function spliced(bytes: Uint8Array, edits: readonly TextEdit[]): Uint8Array[] {
  const parts: Uint8Array[] = [];
  const at = inTurn(edits.toSorted(inOrder), 0, (from, to, text) => {
    parts.push(bytes.subarray(from, to), typeof text === "string" ? Buffer.from(text, "utf8") : text);
  });
  parts.push(bytes.subarray(at));
  return parts.filter((part) => part.length > 0);
}

/** Room for one spliced text after the other. */
export class Scratch {
  private room = Buffer.alloc(0);

  /** A span once its edits, which are in order, are applied: until the next call. */
  spliced(bytes: Buffer, edits: readonly TextEdit[], { start, end }: Span): Buffer {
    let most = end - start;
    for (const { text } of edits) most += 3 * text.length;
    if (most > this.room.length) this.room = Buffer.allocUnsafe(2 * most);
    const { room } = this;
    let size = 0;
    const at = inTurn(edits, start, (from, to, text) => {
      size = copied(bytes, from, to, room, size);
      if (typeof text === "string") size += room.write(text, size);
      else size = copied(text, 0, text.length, room, size);
    });
    return room.subarray(0, copied(bytes, at, end, room, size));
  }
}

/** Copies a range, and returns where it ends. A call of `set` costs more than a loop over a line. */
function copied(from: Uint8Array, start: number, end: number, into: Buffer, at: number): number {
  if (end - start > 256) into.set(from.subarray(start, end), at);
  else for (let offset = start; offset < end; offset++) into[at + offset - start] = from[offset] as number;
  return at + end - start;
}

export function inOrder(a: TextEdit, b: TextEdit): number {
  return a.start - b.start || a.end - b.end;
}

/** Takes each edit with the range before it that stays; returns where the last range begins. */
function inTurn(
  edits: readonly TextEdit[],
  start: number,
  take: (from: number, to: number, text: TextEdit["text"]) => void,
): number {
  let at = start;
  for (const edit of edits) {
    if (edit.start < at && edit.end <= at && edit.text === "") continue;
    if (edit.start < at) throw new Error("two edits overlap");
    take(at, edit.start, edit.text);
    at = edit.end;
  }
  return at;
}
