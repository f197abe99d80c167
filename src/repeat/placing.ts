// Where clones stand: before their template, in the order of their instances; those that are there stay where they are.
import { isFromKpt } from "../wire/comments.ts";
import type { Embedding, Envelope } from "../wire/envelope.ts";
import type { Item } from "../wire/item.ts";
import type { Decision } from "./decision.ts";
import { cut, exactly } from "./origin.ts";
import type { OriginEdit } from "./wanted.ts";

/** Clones in the order of their instances, before their template; those that are there stay where they are. */
export function placed(
  template: Item,
  decisions: readonly Decision[],
  gone: Set<Item>,
  envelope: Envelope,
): OriginEdit[] {
  const edits: OriginEdit[] = [];
  const home = envelope.embeddings.get(template) as Embedding;
  const isInOrder = inOrder(decisions) || isFromKpt(template);
  let before = template;
  // From the last to the first: a new one stands before the next that is there.
  for (const decision of decisions.toReversed()) {
    const { present, keptEdits } = decision;
    const stays = present !== undefined && isInOrder && isLike(envelope.embeddings.get(present.item), home);
    if (stays) {
      edits.push(...(decision.draft === undefined ? keptEdits : [inPlace(decision, present.item)]));
      before = present.item;
    } else {
      if (present !== undefined) gone.add(present.item);
      edits.push(inserted(decision, before, envelope.embeddings.get(before) ?? home));
    }
  }
  // Of insertions at one place the first comes first.
  return edits.toReversed();
}

function inOrder(decisions: readonly Decision[]): boolean {
  const places = decisions.flatMap(({ present }) => present?.item.index ?? []);
  return places.every((place, index) => index === 0 || place > (places[index - 1] ?? 0));
}

function isLike(a: Embedding | undefined, b: Embedding): boolean {
  return a?.type === b.type && (a.type !== "block" || b.type !== "block" || a.column === b.column);
}

function inPlace({ draft, contentEnd }: Decision, item: Item): OriginEdit {
  const text = draft?.text ?? Buffer.alloc(0);
  const isLast = contentEnd === item.bytes.length && item.bytes[contentEnd - 1] !== 0x0a;
  return {
    start: item.start,
    end: contentEnd,
    text: isLast ? text.subarray(0, -1) : text,
    origin: draft?.origin ?? exactly(item.start),
  };
}

function inserted(
  { draft, present, contentEnd, keptEdits }: Decision,
  before: Item,
  home: Embedding,
): OriginEdit {
  const own =
    present === undefined ? undefined : cut(present.item.bytes, present.item.start, contentEnd, keptEdits);
  const text = draft?.text ?? own?.bytes ?? Buffer.alloc(0);
  const origin = draft?.origin ?? own?.origin ?? exactly(before.start);
  const tail =
    home.type === "block"
      ? " ".repeat(home.column)
      : home.type === "flow"
        ? ", "
        : `---${isInline(home) ? "" : "\n"}`;
  const start = before.start;
  return { start, end: start, text: Buffer.concat([text, Buffer.from(tail)]), origin };
}

function isInline(embedding: Embedding): boolean {
  return embedding.type === "document" && embedding.inline;
}
