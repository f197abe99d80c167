// Text with edits made, and where each of its bytes stood before: so faults and explanations tell the user's own lines.
import type { Origin } from "../report/report.ts";
import type { OriginEdit } from "./wanted.ts";

/** Bytes, and where an offset of them stood in the text that they were made of. */
export interface Cut {
  readonly bytes: Buffer;
  readonly origin: Origin;
}

interface Part {
  /** In the new bytes. */
  readonly start: number;
  /** Of offsets that count from there. */
  readonly origin: Origin;
}

/** Text that came from elsewhere as it stands. */
export function exactly(before: number): Origin {
  return (offset) => ({ at: before + offset, isExact: true });
}

/** Text that was made for something that stands there. */
export function near(before: number): Origin {
  return () => ({ at: before, isExact: false });
}

/** Of text behind some that is left out, or put in. */
export function shifted(origin: Origin, by: number): Origin {
  return (offset) => origin(offset + by);
}

/** Of text that was made of text that was made. */
export function through(first: Origin, second: Origin): Origin {
  return (offset) => {
    const { at, isExact } = second(offset);
    const before = first(at);
    return { at: before.at, isExact: isExact && before.isExact };
  };
}

/** Bytes between two offsets with edits made, which must not overlap; several insertions at one place keep their order. */
export function cut(bytes: Buffer, start: number, end: number, edits: readonly OriginEdit[]): Cut {
  const texts: Uint8Array[] = [];
  const parts: Part[] = [];
  let [at, length] = [start, 0];
  const take = (text: Uint8Array, origin: Origin): void => {
    if (text.length === 0) return;
    parts.push({ start: length, origin });
    texts.push(text);
    length += text.length;
  };
  for (const edit of edits.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    if (edit.start < at) throw new Error("two edits overlap");
    take(bytes.subarray(at, edit.start), exactly(at));
    const text = typeof edit.text === "string" ? Buffer.from(edit.text, "utf8") : edit.text;
    take(text, edit.origin ?? near(edit.start));
    at = edit.end;
  }
  take(bytes.subarray(at, end), exactly(at));
  return { bytes: Buffer.concat(texts, length), origin: originIn(parts) };
}

function originIn(parts: readonly Part[]): Origin {
  return (offset) => {
    let [low, high] = [0, parts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((parts[middle]?.start ?? 0) <= offset) low = middle;
      else high = middle;
    }
    const part = parts[low];
    return part === undefined ? { at: offset, isExact: true } : part.origin(offset - part.start);
  };
}
