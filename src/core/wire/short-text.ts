// Hot loop: short texts taken out of bytes. Names of kinds and namespaces repeat, so equal ones share one string.
// For names only, and never for values: the cache outlives a run.

/** Longer ones are hardly ever repeated. */
const longest = 64;
const known: string[] = Array.from({ length: 256 }, () => "");

/** The text of a range (UTF-8). A recently used one comes back as the same string. */
export function textOfRange(bytes: Buffer, start: number, end: number): string {
  if (start >= end) return "";
  if (end - start > longest) return bytes.toString("utf8", start, end);
  const slot = ((end - start) * 31 + (bytes[end - 1] as number) * 7 + (bytes[start] as number)) & 255;
  const text = known[slot] as string;
  if (text.length === end - start && isSame(bytes, start, text)) return text;
  return (known[slot] = bytes.toString("utf8", start, end));
}

function isSame(bytes: Buffer, start: number, text: string): boolean {
  for (let at = text.length - 1; at >= 0; at--) {
    const byte = bytes[start + at] as number;
    if (byte !== text.charCodeAt(at) || byte > 0x7f) return false;
  }
  return true;
}
