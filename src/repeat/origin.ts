// A list with edits made, and where each of its bytes stood before: so faults found later tell the user's own lines.
import type { OriginEdit } from "./wanted.ts";

/** Where an offset of the new bytes stood in the old ones. */
export type Origin = (offset: number) => number;

interface Part {
  /** In the new bytes. */
  readonly start: number;
  readonly before: number;
  /** True for bytes that were there. */
  readonly kept: boolean;
}

/** Edits must not overlap; several insertions at one place keep their order. */
export function applied(
  bytes: Buffer,
  edits: readonly OriginEdit[],
): { readonly bytes: Buffer; readonly origin: Origin } {
  const texts: Uint8Array[] = [];
  const parts: Part[] = [];
  let [at, length] = [0, 0];
  const take = (text: Uint8Array, before: number, kept: boolean): void => {
    if (text.length === 0) return;
    parts.push({ start: length, before, kept });
    texts.push(text);
    length += text.length;
  };
  for (const { start, end, text, origin } of edits.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    if (start < at) throw new Error("two edits overlap");
    take(bytes.subarray(at, start), at, true);
    take(typeof text === "string" ? Buffer.from(text, "utf8") : text, origin ?? start, false);
    at = end;
  }
  take(bytes.subarray(at), at, true);
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
    if (part === undefined) return offset;
    return part.kept ? part.before + offset - part.start : part.before;
  };
}
