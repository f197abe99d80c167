// The text of an item, or of a list's element, while it is made: cut out of its place, with edits, and read again. Each
// text knows where its bytes were in the input, so faults and explanations show the user's own lines.
import {
  type Edit,
  type Embedding,
  Field,
  field,
  isFault,
  isNode,
  type Item,
  type Node,
  type Origin,
  readDocument,
} from "../core/index.ts";

/** Text that can be read by itself. */
export interface Draft {
  /** The text as the output has it. */
  readonly text: Buffer;
  /** Where that was in the list. */
  readonly origin: Origin;
  /** Column that its first line starts at. */
  readonly column: number;
  /** True for an item after a dash. */
  readonly dashed: boolean;
}

/** The text of an item without what follows its content: that belongs to the next item. */
export function draftOf(item: Item, embedding: Embedding, edits: readonly Edit[]): Draft {
  const { bytes, origin } = withEdits(item.bytes, item.start, contentEnd(item, embedding), edits);
  const isEnded = embedding.type === "flow" || bytes[bytes.length - 1] === 0x0a;
  return {
    text: isEnded ? bytes : Buffer.concat([bytes, Buffer.from("\n")]),
    origin,
    column: embedding.type === "block" ? embedding.column : 0,
    dashed: embedding.type === "block",
  };
}

/** The end of the last line of an item's content. */
function contentEnd(item: Item, embedding: Embedding): number {
  const root = item.read();
  if (embedding.type === "flow" || !isNode(root)) return item.end;
  const end = field(root, Field.end);
  if (item.bytes[end - 1] === 0x0a) return end;
  const newline = item.bytes.indexOf(0x0a, end);
  return newline < 0 || newline >= item.end ? item.end : newline + 1;
}

/** The root of a draft, and where it starts in its own bytes; undefined if an edit broke it. */
export function readDraft({ text, column, dashed }: Draft): { root: Node; offset: number } | undefined {
  const lead = dashed ? column : 0;
  const bytes = lead === 0 ? text : Buffer.concat([Buffer.alloc(lead, 0x20), text]);
  const doc = readDocument(bytes, { start: 0, end: bytes.length, blank: dashed ? column + 1 : 0 });
  return isFault(doc) ? undefined : { root: { doc, row: 0 }, offset: lead };
}

/** A draft with edits of its root's bytes. */
export function changed(
  draft: Draft,
  { root, offset }: { root: Node; offset: number },
  edits: readonly Edit[],
): Draft {
  if (edits.length === 0) return draft;
  const { bytes: text, origin } = withEdits(root.doc.bytes, offset, root.doc.bytes.length, edits);
  return { ...draft, text, origin: composed(shifted(draft.origin, -offset), origin) };
}

/** An edit, and where the text comes from that it puts in. */
export interface OriginEdit extends Edit {
  readonly origin?: Origin;
}

/** Bytes, and where an offset of them was in the text that they were made of. */
export interface EditedText {
  readonly bytes: Buffer;
  readonly origin: Origin;
}

interface TextPart {
  /** In the new bytes. */
  readonly start: number;
  /** Takes offsets that count from `start`. */
  readonly origin: Origin;
}

/** Text that was copied. */
export function copiedFrom(before: number): Origin {
  return (offset) => ({ at: before + offset, isExact: true });
}

/** Text that was made for something at that place. */
export function madeFor(before: number): Origin {
  return () => ({ at: before, isExact: false });
}

/** The origin of text after a part that was cut or inserted. */
function shifted(origin: Origin, by: number): Origin {
  return (offset) => origin(offset + by);
}

/** The origin of text that was made in two steps. */
export function composed(first: Origin, second: Origin): Origin {
  return (offset) => {
    const { at, isExact } = second(offset);
    const before = first(at);
    return { at: before.at, isExact: isExact && before.isExact };
  };
}

/** Bytes between two offsets with edits made, which must not overlap; several insertions at one place keep their order. */
export function withEdits(
  bytes: Buffer,
  start: number,
  end: number,
  edits: readonly OriginEdit[],
): EditedText {
  const texts: Uint8Array[] = [];
  const parts: TextPart[] = [];
  let [at, length] = [start, 0];
  const take = (text: Uint8Array, origin: Origin): void => {
    if (text.length === 0) return;
    parts.push({ start: length, origin });
    texts.push(text);
    length += text.length;
  };
  for (const edit of edits.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    if (edit.start < at) throw new Error("two edits overlap");
    take(bytes.subarray(at, edit.start), copiedFrom(at));
    const text = typeof edit.text === "string" ? Buffer.from(edit.text, "utf8") : edit.text;
    take(text, edit.origin ?? madeFor(edit.start));
    at = edit.end;
  }
  take(bytes.subarray(at, end), copiedFrom(at));
  return { bytes: Buffer.concat(texts, length), origin: originIn(parts) };
}

function originIn(parts: readonly TextPart[]): Origin {
  return (offset) => {
    let [low, high] = [0, parts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((parts[middle]?.start ?? 0) <= offset) low = middle;
      else high = middle;
    }
    const part = parts[low];
    return part === undefined ? { at: offset, isExact: true } : part.origin(offset - part.start);
  };
}
