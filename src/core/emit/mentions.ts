// Where the input names things: every scalar that equals one of the given names, in items and in the
// texts inside them. One pass over the bytes, and only if there is a name to look for.

import type { Span } from "../../krm/index.ts";

/** Mentions by name. A name that is spelled with escapes is not found. */
export function findMentions(
  bytes: Uint8Array,
  names: readonly string[],
): ReadonlyMap<string, readonly Span[]> {
  const found = new Map<string, Span[]>(names.map((name) => [name, []]));
  const lengths = new Set(names.map((name) => Buffer.byteLength(name)));
  if (lengths.size === 0) return found;
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  let start = -1;
  for (let at = 0; at <= bytes.length; at++) {
    const inToken = at < bytes.length && breaks[bytes[at] as number] === 0;
    if (inToken) start = start < 0 ? at : start;
    else if (start >= 0) {
      const span = trimmed(bytes, start, at);
      if (lengths.has(span.end - span.start))
        found.get(buffer.toString("utf8", span.start, span.end))?.push(span);
      start = -1;
    }
  }
  return found;
}

const [colon, open, close] = [0x3a, 0x7b, 0x7d];
const breaks = new Uint8Array(256);
for (const character of " \t\r\n\"'[],\\") breaks[character.charCodeAt(0)] = 1;

/** Without the colon of a key, and without a brace that opens or closes a mapping around it. */
function trimmed(bytes: Uint8Array, from: number, to: number): Span {
  let [start, end] = [from, to];
  if (bytes[end - 1] === colon) end--;
  let depth = 0;
  for (let at = start; at < end; at++) depth += bytes[at] === open ? 1 : bytes[at] === close ? -1 : 0;
  for (; end > start && bytes[end - 1] === close && depth < 0; end--) depth++;
  for (; end > start && bytes[start] === open && depth > 0; start++) depth--;
  return { start, end };
}
