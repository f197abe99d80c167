// The text of an item, or of a list's element, while it is made: a range of some bytes that can be read by itself. Each knows
// where its bytes were in the input, so faults and explanations show the user's own lines.
import { type TextEdit, type Embedding, isNode, type Item } from "../krm/index.ts";
import { isFault, Node, readDocument } from "../yaml/index.ts";
import type { PlaceInInput } from "../report/index.ts";

/** How the text is read: as an item after a dash at a column, or as a list's element. */
type DraftForm = { readonly column: number; readonly isDashed: boolean; readonly isElement: boolean };

export class Draft {
  /** The text as the output has it. */
  readonly text: Buffer;
  /** Where an offset of the text was in the input. */
  readonly origin: PlaceInInput;
  private readonly form: DraftForm;
  private known: Node | undefined;

  private constructor(text: Buffer, form: DraftForm, origin: PlaceInInput) {
    this.text = text;
    this.form = form;
    this.origin = origin;
  }

  /** The text of an item without what follows its content: that belongs to the next item. */
  static ofItem(item: Item, embedding: Embedding): Draft {
    const { start } = item;
    const text = item.bytes.subarray(start, contentEnd(item, embedding));
    return Draft.ofText(text, embedding, (offset) => copied(start + offset));
  }

  /** An item that was written for a place. */
  static ofText(text: Buffer, embedding: Embedding, origin: PlaceInInput): Draft {
    const isDashed = embedding.type === "block";
    return new Draft(text, { column: isDashed ? embedding.column : 0, isDashed, isElement: false }, origin);
  }

  /** An element's lines at column 0, or what was between brackets. */
  static ofElement(text: string): Draft {
    return new Draft(Buffer.from(text, "utf8"), { column: 0, isDashed: false, isElement: true }, copied);
  }

  /** Undefined if it cannot be read by itself. */
  get root(): Node | undefined {
    return (this.known ??= this.read());
  }

  /** The spaces before a dash make columns what they are in the list. */
  private read(): Node | undefined {
    const { column, isDashed, isElement } = this.form;
    const bytes = column === 0 ? this.text : Buffer.concat([Buffer.alloc(column, 0x20), this.text]);
    const doc = readDocument(bytes, { start: 0, end: bytes.length, blank: isDashed ? column + 1 : 0 });
    if (isFault(doc)) return undefined;
    const root = new Node(doc);
    return isElement && isListed(bytes.toString("utf8")) ? root.children()[0] : root;
  }

  /** The same with edits of its root's bytes. */
  changed(edits: readonly TextEdit[]): Draft {
    const { root, form } = this;
    if (edits.length === 0 || root === undefined) return this;
    const { bytes, origin } = withEdits(root.doc.bytes, form.column, root.doc.bytes.length, edits);
    return new Draft(bytes, form, (offset) => {
      const { at, isExact } = origin(offset);
      const before = this.origin(at - form.column);
      return { at: before.at, isExact: isExact && before.isExact };
    });
  }
}

/** True for the lines of a block list. */
function isListed(text: string): boolean {
  return /^(?:[ \t]*(?:#[^\n]*)?\n)*-(?:[ \n]|$)/.test(text);
}

/** The end of the last line of an item's content. */
function contentEnd(item: Item, embedding: Embedding): number {
  const root = item.read();
  if (embedding.type === "flow" || !isNode(root)) return item.end;
  const end = root.end;
  if (item.bytes[end - 1] === 0x0a) return end;
  const newline = item.bytes.indexOf(0x0a, end);
  return newline < 0 || newline >= item.end ? item.end : newline + 1;
}

/** An edit, and where the text comes from that it puts in. */
export interface OriginEdit extends TextEdit {
  readonly origin?: PlaceInInput;
}

/** Bytes, and where an offset of them was in the text that they were made of. */
export interface EditedText {
  readonly bytes: Buffer;
  readonly origin: PlaceInInput;
}

/** Offsets of text that stays as it is. */
export const copied: PlaceInInput = (at) => ({ at, isExact: true });

/** Text that was made for something at that place. */
export function madeFor(at: number): PlaceInInput {
  return () => ({ at, isExact: false });
}

/** A text that others were put together to. Its origin takes offsets that count from its start. */
interface TextPart {
  readonly start: number;
  readonly origin: PlaceInInput;
}

/** Texts one after the other. */
export function joined(
  texts: readonly { readonly text: Uint8Array; readonly origin: PlaceInInput }[],
): EditedText {
  const parts: TextPart[] = [];
  let length = 0;
  for (const { text, origin } of texts) {
    if (text.length > 0) parts.push({ start: length, origin });
    length += text.length;
  }
  return {
    bytes: Buffer.concat(
      texts.map(({ text }) => text),
      length,
    ),
    origin: originIn(parts),
  };
}

/** Bytes between two offsets with edits made, which must not overlap; several insertions at one place keep their order. */
export function withEdits(
  bytes: Buffer,
  start: number,
  end: number,
  edits: readonly OriginEdit[],
): EditedText {
  const texts: { text: Uint8Array; origin: PlaceInInput }[] = [];
  let at = start;
  const copy = (from: number, to: number): void => {
    texts.push({ text: bytes.subarray(from, to), origin: (offset) => copied(from + offset) });
  };
  for (const edit of edits.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    if (edit.start < at) throw new Error("two edits overlap");
    copy(at, edit.start);
    const text = typeof edit.text === "string" ? Buffer.from(edit.text, "utf8") : edit.text;
    texts.push({ text, origin: edit.origin ?? madeFor(edit.start) });
    at = edit.end;
  }
  copy(at, end);
  return joined(texts);
}

function originIn(parts: readonly TextPart[]): PlaceInInput {
  return (offset) => {
    let [low, high] = [0, parts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((parts[middle]?.start ?? 0) <= offset) low = middle;
      else high = middle;
    }
    const part = parts[low];
    return part === undefined ? copied(offset) : part.origin(offset - part.start);
  };
}
