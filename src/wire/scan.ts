// One pass over the bytes of a list or stream: where its items lie. Only the plain block form that
// orchestrators write is understood; for anything else the answer is undefined and the library reads.
// Sound because a non-blank line at column 0 is always structure in valid YAML, and because inside a
// block list nothing but an item starts with a dash at the list's own column.

export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface TopEntry extends Span {
  readonly key: string;
  /** Offset behind the colon. */
  readonly value: number;
}

export interface ListScan {
  readonly entries: readonly TopEntry[];
  /** Each from its dash to the next item or the end of the list. */
  readonly items: readonly Span[];
  /** Column of the dashes. */
  readonly column: number;
}

const lineFeed = 0x0a;
const hash = 0x23;
const dash = 0x2d;
const space = 0x20;

/** Finds the top-level entries of a plain block mapping and the items of its `items`. */
export function scanList(bytes: Uint8Array, span: Span): ListScan | undefined {
  const entries: { key: string; start: number; value: number; end: number }[] = [];
  const items: { start: number; end: number }[] = [];
  let column = -1;
  for (let at = span.start; at < span.end;) {
    const end = lineEnd(bytes, at, span.end);
    const first = firstOf(bytes, at, end);
    const indent = first - at;
    const open = entries[entries.length - 1];
    const inItems = open?.key === "items";
    const isDash =
      bytes[first] === dash &&
      (bytes[first + 1] === space || bytes[first + 1] === lineFeed || first + 1 === end);
    if (bytes[first] === 0x09 && indent <= Math.max(column, 0)) return undefined;
    if (!isContent(bytes, first, end)) {
      // blank and comment lines belong to what stands above them
    } else if (isDash && inItems && (column < 0 || indent === column)) {
      column = indent;
      items.push({ start: first, end: span.end });
    } else if (indent === 0 && !isDash) {
      const entry = topEntry(bytes, at, end, span.end);
      if (entry === undefined || entries.some(({ key }) => key === entry.key)) return undefined;
      if (entry.key === "items" && entry.inline) return undefined;
      entries.push(entry);
    } else if (open === undefined || (inItems && (items.length === 0 || indent <= column))) return undefined;
    at = end;
  }
  return closed(entries, items, column);
}

/** Every span ends where the next one starts. */
function closed(
  entries: { key: string; start: number; value: number; end: number }[],
  items: { start: number; end: number }[],
  column: number,
): ListScan {
  for (const spans of [entries, items]) {
    spans.forEach((span, index) => (span.end = spans[index + 1]?.start ?? span.end));
  }
  const list = entries.find(({ key }) => key === "items");
  const last = items[items.length - 1];
  if (list !== undefined && last !== undefined) last.end = list.end;
  if (column > 0) for (const item of items.slice(0, -1)) item.end -= column;
  return { entries, items, column };
}

function topEntry(bytes: Uint8Array, at: number, end: number, limit: number) {
  const line = Buffer.from(bytes.buffer, bytes.byteOffset + at, end - at).toString("latin1");
  const match = /^([A-Za-z][A-Za-z0-9]*):(?=[ \n]|$)( *[^ #\n])?/.exec(line);
  if (match === null || line.includes("\r")) return undefined;
  const key = match[1] as string;
  return { key, start: at, value: at + key.length + 1, end: limit, inline: match[2] !== undefined };
}

export interface StreamDocument extends Span {
  /** True if it starts behind `---` on the same line. */
  readonly inline: boolean;
  /** Column of its first key. */
  readonly column: number;
  /** Where the `---` before it starts; its own start if there is none. */
  readonly separator: number;
}

/** Splits a stream at its `---` and `...` lines; documents without content are left out. */
export function splitStream(bytes: Uint8Array): StreamDocument[] {
  const documents: StreamDocument[] = [];
  let start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  let inline = false;
  let separator = start;
  const close = (end: number): void => {
    const column = contentColumn(bytes, start, end);
    if (column !== undefined) documents.push({ start, end, inline, column, separator });
  };
  for (let at = start; at < bytes.length; at = lineEnd(bytes, at, bytes.length)) {
    if (!isMarker(bytes, at)) continue;
    close(at);
    const end = lineEnd(bytes, at, bytes.length);
    inline = isContent(bytes, firstOf(bytes, at + 3, end), end);
    start = inline ? at + 3 : end;
    separator = at;
  }
  close(bytes.length);
  return documents;
}

function isMarker(bytes: Uint8Array, at: number): boolean {
  const mark = bytes[at];
  if ((mark !== dash && mark !== 0x2e) || bytes[at + 1] !== mark || bytes[at + 2] !== mark) return false;
  const next = bytes[at + 3];
  return next === undefined || next === space || next === lineFeed || next === 0x0d || next === 0x09;
}

/** Column of the first line that is neither blank, comment nor directive. */
function contentColumn(bytes: Uint8Array, start: number, end: number): number | undefined {
  for (let at = start; at < end; at = lineEnd(bytes, at, end)) {
    const stop = lineEnd(bytes, at, end);
    const first = firstOf(bytes, at, stop);
    if (isContent(bytes, first, stop) && bytes[at] !== 0x25) return first - at;
  }
  return undefined;
}

function lineEnd(bytes: Uint8Array, at: number, limit: number): number {
  const found = bytes.indexOf(lineFeed, at);
  return found < 0 || found >= limit ? limit : found + 1;
}

function firstOf(bytes: Uint8Array, at: number, end: number): number {
  let first = at;
  while (first < end && bytes[first] === space) first++;
  return first;
}

function isContent(bytes: Uint8Array, first: number, end: number): boolean {
  const byte = bytes[first];
  return first < end && byte !== lineFeed && byte !== 0x0d && byte !== hash;
}
