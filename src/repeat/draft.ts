// The text of an item, or of a list's element, while it is made: cut out of where it stands, with edits, and read again.
import type { Edit, Embedding } from "../wire/envelope.ts";
import type { Origin } from "../report/report.ts";
import { isNode, type Item } from "../wire/item.ts";
import { isFault, readDocument } from "../yaml/read.ts";
import { Field, field, type Node } from "../yaml/tape.ts";
import { cut, shifted, through } from "./origin.ts";

/** Text that can be read by itself. */
export interface Draft {
  /** What stands in the output. */
  readonly text: Buffer;
  /** Where that stood in the list. */
  readonly origin: Origin;
  /** Column that its first line starts at. */
  readonly column: number;
  /** True for an item behind a dash. */
  readonly dashed: boolean;
}

/** The text of an item, less what stands behind its content: that belongs to what follows. */
export function draftOf(item: Item, embedding: Embedding, edits: readonly Edit[]): Draft {
  const { bytes, origin } = cut(item.bytes, item.start, contentEnd(item, embedding), edits);
  const isEnded = embedding.type === "flow" || bytes[bytes.length - 1] === 0x0a;
  return {
    text: isEnded ? bytes : Buffer.concat([bytes, Buffer.from("\n")]),
    origin,
    column: embedding.type === "block" ? embedding.column : 0,
    dashed: embedding.type === "block",
  };
}

/** Behind the last line of an item's content. */
export function contentEnd(item: Item, embedding: Embedding): number {
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
  const { bytes: text, origin } = cut(root.doc.bytes, offset, root.doc.bytes.length, edits);
  return { ...draft, text, origin: through(shifted(draft.origin, -offset), origin) };
}
