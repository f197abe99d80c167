// Items taken out of a list or stream, with their separators.
import type { Edit, Envelope } from "./envelope.ts";
import type { Item } from "./item.ts";

/** Edits that remove items. Spans that touch are joined, so that neighbours can go together. */
export function removeItems(envelope: Envelope, removed: ReadonlySet<Item>): Edit[] {
  const spans = envelope.items.filter((item) => removed.has(item)).map((item) => spanOf(envelope, item));
  const joined: { start: number; end: number }[] = [];
  for (const span of spans.toSorted((a, b) => a.start - b.start)) {
    const last = joined[joined.length - 1];
    if (last !== undefined && span.start <= last.end) last.end = Math.max(last.end, span.end);
    else joined.push({ ...span });
  }
  return joined.map((span) => ({ ...span, text: "" }));
}

function spanOf({ items, settings }: Envelope, item: Item): { start: number; end: number } {
  const setting = settings.get(item);
  const next = items[item.index + 1];
  const before = items[item.index - 1];
  if (setting?.type === "block")
    return { start: item.start, end: item.end + (next === undefined ? 0 : setting.column) };
  if (setting?.type === "flow") {
    if (next !== undefined) return { start: item.start, end: next.start };
    return { start: before?.end ?? item.start, end: item.end };
  }
  if (next !== undefined && settings.get(next)?.type === "document")
    return { start: item.start, end: next.start };
  return { start: setting?.type === "document" ? setting.separator : item.start, end: item.end };
}
