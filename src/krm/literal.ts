// Hot loop: text as the lines of a literal block, byte by byte. Plain ASCII only; the caller handles other text.

const lineFeed = 0x0a;
const space = 0x20;
const tab = 0x09;

/** The text around a block: before its header, and after its last line. */
export interface SurroundingText {
  readonly before: string;
  readonly after: string;
}

/**
 * The text as a block, header first, each line with its line feed; and the text around it.
 * @param column where the lines start
 * @returns undefined for text with other bytes than printable ASCII, tabs and line feeds
 */
export function literalBlock(
  text: Uint8Array,
  column: number,
  { before, after }: SurroundingText,
): Buffer | undefined {
  const count = filledLines(text);
  if (count < 0) return undefined;
  const isEnded = text[text.length - 1] === lineFeed;
  const head = `${before}|${startsDeep(text) ? "2" : ""}${endsBlank(text) ? "+" : ""}\n`;
  const around = Buffer.byteLength(head) + Buffer.byteLength(after);
  const lines = Buffer.allocUnsafe(around + text.length + count * column + (isEnded ? 0 : 1));
  let length = lines.write(head);
  for (let at = 0; at < text.length;) {
    if (text[at] !== lineFeed) for (let pad = 0; pad < column; pad++) lines[length++] = space;
    while (at < text.length) {
      const byte = text[at++] as number;
      lines[length++] = byte;
      if (byte === lineFeed) break;
    }
  }
  if (!isEnded) lines[length++] = lineFeed;
  lines.write(after, length);
  return lines;
}

/** How many lines are not empty; -1 for text that is not plain. */
function filledLines(text: Uint8Array): number {
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === lineFeed) continue;
    count++;
    for (; at < text.length && text[at] !== lineFeed; at++) {
      const byte = text[at] as number;
      if ((byte < space && byte !== tab) || byte > 0x7e) return -1;
    }
  }
  return count;
}

/** True if the first line that is not empty starts with white space: readers would take it for indentation. */
function startsDeep(text: Uint8Array): boolean {
  let at = 0;
  while (text[at] === lineFeed) at++;
  return text[at] === space || text[at] === tab;
}

/** True if a blank line ends the text: it is content. */
function endsBlank(text: Uint8Array): boolean {
  if (text[text.length - 1] !== lineFeed) return false;
  for (let at = text.length - 2; at >= 0; at--) {
    if (text[at] === lineFeed) return true;
    if (text[at] !== space && text[at] !== tab) return false;
  }
  return false;
}
