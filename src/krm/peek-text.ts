// Hot loop: short texts out of bytes, and a value on one line where it can be read without the parser.

/** A value on the line of its key; "" for an absent one or null, undefined unless it is one plain or simply quoted text. */
export function valueText(bytes: Buffer, from: number, to: number): string | undefined {
  let start = from;
  let end = to;
  while (start < end && bytes[start] === 0x20) start++;
  while (end > start && bytes[end - 1] === 0x20) end--;
  for (let at = start; at < end; at++)
    if (ordinary[bytes[at] as number] === 0) return simpleValue(bytes.toString("utf8", start, end));
  const first = bytes[start] as number;
  // The text decides for first bytes that no plain word has, and for `null`.
  if (first === 0x2d || (end - start === 4 && first === 0x6e))
    return simpleValue(bytes.toString("latin1", start, end));
  return textOfRange(bytes, start, end);
}

/** Bytes without a special meaning in plain text: letters, digits and `_./-`. */
export const ordinary = new Uint8Array(256);
for (const each of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./-") {
  ordinary[each.charCodeAt(0)] = 1;
}

function simpleValue(line: string): string | undefined {
  const text = withoutComment(line).trimEnd();
  if (text === "" || text === "~" || text === "null") return "";
  const quoted = /^'([^']*)'$/.exec(text) ?? /^"([^"\\]*)"$/.exec(text);
  if (quoted !== null) return quoted[1];
  return /^[-?:,[\]{}#&*!|>'"%@`]/.test(text) || /: |\t/.test(text) || text.endsWith(":") ? undefined : text;
}

/** A `#` begins a comment where it is first or behind a blank. */
function withoutComment(line: string): string {
  const at = line.startsWith("#") ? 0 : line.indexOf(" #");
  return at < 0 ? line : line.slice(0, at);
}

/** Longer ones are hardly ever repeated. */
const longest = 64;
const known: string[] = Array.from({ length: 256 }, () => "");

/**
 * The text of a range (UTF-8). A recently used one comes back as the same string: names of kinds and namespaces repeat. For
 * names only, and never for values: the cache outlives a run.
 */
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
