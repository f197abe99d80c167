// Removes items from a list or stream, with their separators.
import type { Edit, Envelope } from "./envelope.ts";
import type { Item } from "./item.ts";

/** Edits that remove items. Spans that touch are joined, so that neighbours can go together. */
export function removeItems(envelope: Envelope, removed: ReadonlySet<Item>): Edit[] {
  const tail = envelope.items.findLastIndex((item) => !removed.has(item)) + 1;
  const spans = envelope.items
    .filter((item) => removed.has(item))
    .map((item) => spanOf(envelope, item, tail));
  const joined: { start: number; end: number }[] = [];
  for (const span of spans.toSorted((a, b) => a.start - b.start)) {
    const last = joined[joined.length - 1];
    if (last !== undefined && span.start <= last.end) last.end = Math.max(last.end, span.end);
    else joined.push({ ...span });
  }
  return joined.map((span) => ({ ...span, text: "" }));
}

/** @param tail index of the first item after which all are removed */
function spanOf(envelope: Envelope, item: Item, tail: number): { start: number; end: number } {
  const { items, embeddings } = envelope;
  const embedding = embeddings.get(item);
  const [before, next] = [items[item.index - 1], items[item.index + 1]];
  if (embedding?.type === "block") {
    const end = next === undefined ? lineEndAfter(envelope.bytes, item.end) : next.start - embedding.column;
    return { start: item.start - embedding.column, end };
  }
  if (embedding?.type === "flow") {
    if (item.index < tail && next !== undefined) return { start: item.start, end: next.start };
    return { start: before?.end ?? item.start, end: item.end };
  }
  if (item.index >= tail) return { start: embedding?.separator ?? item.start, end: item.end };
  return {
    start: item.start,
    end: next !== undefined && embeddings.get(next)?.type === "document" ? next.start : item.end,
  };
}

/** The last item of a list that was read as a whole may end before its line does. */
function lineEndAfter(bytes: Uint8Array, end: number): number {
  if (end === 0 || bytes[end - 1] === 0x0a) return end;
  const newline = bytes.indexOf(0x0a, end);
  return newline < 0 ? bytes.length : newline + 1;
}
