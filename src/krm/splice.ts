// Edits of bytes, and what they make of them.

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
 *
 * @param from where the parts begin
 */
export function spliced(bytes: Uint8Array, edits: readonly TextEdit[], from = 0): Uint8Array[] {
  const parts: Uint8Array[] = [];
  let at = from;
  for (const edit of edits.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    const { start, end, text } = edit;
    if (start < at && end <= at && text === "") continue;
    if (start < at) throw new Error("two edits overlap");
    parts.push(bytes.subarray(at, start), typeof text === "string" ? Buffer.from(text, "utf8") : text);
    at = end;
  }
  parts.push(bytes.subarray(at));
  return parts.filter((part) => part.length > 0);
}
