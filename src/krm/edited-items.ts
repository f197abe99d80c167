// Reads every edited item once more before anything is written: an edit that leaves text no reader takes is a bug of this
// program, and must never reach a pipeline as output.
import { inOrder, Scratch, type TextEdit } from "./splice.ts";
import type { Envelope } from "./envelope.ts";
import type { Item } from "./item.ts";
import { objectText } from "../object-id.ts";

/** Throws for an item that cannot be read once its edits are applied. */
export function assertReadable({ items }: Envelope, edits: readonly TextEdit[]): void {
  const sorted = edits.toSorted(inOrder);
  const scratch = new Scratch();
  let at = 0;
  for (const item of items) {
    while (at < sorted.length && (sorted[at] as TextEdit).start < item.start) at++;
    const own: TextEdit[] = [];
    for (let next = at; next < sorted.length && (sorted[next] as TextEdit).start <= item.end; next++)
      if (isInside(sorted[next] as TextEdit, item)) own.push(sorted[next] as TextEdit);
    if (own.length > 0 && !item.isReadableWith(own, scratch))
      throw new Error(`the edits of \`${objectText(item)}\` leave YAML that cannot be read`);
  }
}

/** False for a new item before or after it, for its removal, and for its replacement by another. */
function isInside({ start, end, text }: TextEdit, item: Item): boolean {
  if (start === end && (start === item.start || (start === item.end && isNewItem(text)))) return false;
  return end <= item.end && !(start <= item.start && end === item.end);
}

function isNewItem(text: string | Uint8Array): boolean {
  return typeof text === "string" ? text.startsWith("- ") : text[0] === 0x2d && text[1] === 0x20;
}
