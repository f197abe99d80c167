// Hot loop: lines of plain bytes, and their kind, found without parsing.

const lineFeed = 0x0a;
const hash = 0x23;
const space = 0x20;

/** Where the line ends that holds an offset, its line feed included. */
export function lineEnd(bytes: Buffer, at: number, limit: number): number {
  let end = at;
  while (end < limit && bytes[end] !== lineFeed) end++;
  return end < limit ? end + 1 : limit;
}

/** From the start of a line to that of the next one that is not indented by more than a column. */
export function pastDeeper(bytes: Buffer, from: number, limit: number, column: number): number {
  let at = from;
  while (at < limit) {
    let first = at;
    while (first < limit && bytes[first] === space && first - at <= column) first++;
    if (first - at <= column) return at;
    at = first;
    while (at < limit && bytes[at] !== lineFeed) at++;
    at++;
  }
  return limit;
}

/** Where a line has its first byte other than a space. */
export function firstOf(bytes: Buffer, at: number, end: number): number {
  let first = at;
  while (first < end && bytes[first] === space) first++;
  return first;
}

/** False for a line that is blank or a comment. */
export function isContent(bytes: Buffer, first: number, end: number): boolean {
  const byte = bytes[first];
  return first < end && byte !== lineFeed && byte !== 0x0d && byte !== hash;
}
