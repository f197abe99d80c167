// Removes items from a list or stream, with their separators.
import type { TextEdit } from "./splice.ts";
import type { Envelope } from "./envelope.ts";
import type { Item } from "./item.ts";
import type { Span } from "./scan.ts";

/** Edits that remove items. Spans that touch are joined, so that neighbours can go together. */
export function removeItems(envelope: Envelope, removed: ReadonlySet<Item>): TextEdit[] {
  const tail = envelope.items.findLastIndex((item) => !removed.has(item)) + 1;
  const lastKept = new Map<number | undefined, number>();
  for (const item of envelope.items)
    if (!removed.has(item)) lastKept.set(inList(envelope.embeddings, item), item.index);
  const spans = envelope.items
    .filter((item) => removed.has(item))
    .map((item) => spanOf(envelope, item, { tail, lastKept }));
  const joined: { start: number; end: number }[] = [];
  for (const span of spans.toSorted((a, b) => a.start - b.start)) {
    const last = joined[joined.length - 1];
    if (last !== undefined && span.start <= last.end) last.end = Math.max(last.end, span.end);
    else joined.push({ ...span });
  }
  return joined.map((span) => ({ ...span, text: "" }));
}

/** Where an item stands, for others to stand there: with the comments after it, without separators. */
export function placeIn({ items, embeddings, bytes }: Envelope, item: Item): Span {
  const { start, end } = item;
  const embedding = embeddings.get(item);
  if (embedding?.type !== "block") return { start, end };
  const next = items[item.index + 1];
  const isLast = next === undefined || inList(embeddings, next) !== embedding.list;
  return { start, end: isLast ? lineEndAfter(bytes, end) : next.start - embedding.column };
}

interface KeptItems {
  /** Index of the first item after which all are removed. */
  readonly tail: number;
  /** Index of the last item of each list that stays. */
  readonly lastKept: ReadonlyMap<number | undefined, number>;
}

function spanOf(envelope: Envelope, item: Item, { tail, lastKept }: KeptItems): Span {
  const { items, embeddings } = envelope;
  const embedding = embeddings.get(item);
  const [before, next] = [items[item.index - 1], items[item.index + 1]];
  if (embedding !== undefined && embedding.type !== "document") {
    const isSibling = (other: Item | undefined): other is Item =>
      inList(embeddings, other) === embedding.list;
    if (embedding.type === "block")
      return { start: item.start - embedding.column, end: placeIn(envelope, item).end };
    const isFollowed = (lastKept.get(embedding.list) ?? -1) > item.index;
    if (isFollowed && isSibling(next)) return { start: item.start, end: next.start };
    return { start: isSibling(before) ? before.end : item.start, end: item.end };
  }
  if (item.index >= tail) return { start: embedding?.separator ?? item.start, end: item.end };
  return {
    start: item.start,
    end: next !== undefined && embeddings.get(next)?.type === "document" ? next.start : item.end,
  };
}

/** The list that an item is in; a document of its own is in none. */
function inList(embeddings: Envelope["embeddings"], item: Item | undefined): number | undefined {
  const embedding = item === undefined ? undefined : embeddings.get(item);
  return embedding === undefined || embedding.type === "document" ? undefined : embedding.list;
}

/** The last item of a list that was read as a whole may end before its line does. */
function lineEndAfter(bytes: Uint8Array, end: number): number {
  if (end === 0 || bytes[end - 1] === 0x0a) return end;
  const newline = bytes.indexOf(0x0a, end);
  return newline < 0 ? bytes.length : newline + 1;
}
