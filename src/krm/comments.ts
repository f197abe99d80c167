// kpt restores the comments of an item from its own copy, and doubles some that are still there. So an edited
// item leaves without its outer comments; those inside texts (block scalars) are content and stay.
import { Mark } from "./annotation-names.ts";
import { textOf, type Node } from "../yaml/index.ts";
import type { TextEdit } from "./splice.ts";
import type { Envelope } from "./envelope.ts";
import { isNode, type Item } from "./item.ts";
import { type Span, spanOf } from "./scan.ts";

/** True if kpt sent the item: kpt matches items to its own copies by this id, and kustomize has another id. */
export function isFromKpt({ annotations }: Item): boolean {
  return annotations.has(Mark.id) && !annotations.has(Mark.kustomizeId);
}

/** The edits of an item, and under kpt those that remove its comments. */
export function withoutComments(item: Item, edits: readonly TextEdit[]): readonly TextEdit[] {
  const root = item.read();
  if (edits.length === 0 || !isFromKpt(item) || !isNode(root)) return edits;
  const free = commentSpans(root, item).filter(
    ({ start, end }) => !edits.some((edit) => edit.start < end && start < edit.end),
  );
  const bare = edits.map((edit) =>
    typeof edit.text === "string" ? { ...edit, text: edit.text.replaceAll(/^ *#.*\n/gm, "") } : edit,
  );
  return [...bare, ...free.map((span) => ({ ...span, text: "" }))];
}

/**
 * kpt doubles even the foot comments of items that come back unchanged. kpt restores them itself, so they are
 * removed from items without edits.
 */
export function withoutFeet({ items }: Envelope, edits: readonly TextEdit[]): readonly TextEdit[] {
  if (!items.some(isFromKpt)) return edits;
  const isTouched = (item: Item): boolean => edits.some((edit) => touches(edit, item));
  const feet = items
    .filter((item) => isFromKpt(item) && mayHaveFoot(item) && !isTouched(item))
    .flatMap(footOf);
  return feet.length === 0 ? edits : [...edits, ...feet];
}

/** An insertion at an item's end belongs to the item, unless it is a new item before the next one. */
function touches({ start, end, text }: TextEdit, item: Item): boolean {
  const isNewItem = start === item.end && startsWithDash(text);
  const isOfTheNext = start === item.end && end > start;
  return start <= item.end && end > item.start && !isNewItem && !isOfTheNext;
}

function startsWithDash(text: string | Uint8Array): boolean {
  return typeof text === "string" ? text.startsWith("- ") : text[0] === 0x2d && text[1] === 0x20;
}

/** Looks at the last lines only: a comment there may also be part of a text inside the item. */
function mayHaveFoot({ bytes, start, end }: Item): boolean {
  const lines = Buffer.from(bytes.subarray(start, end)).toString("latin1").trimEnd();
  return /^ *#/.test(lines.slice(lines.lastIndexOf("\n") + 1));
}

function footOf(item: Item): TextEdit[] {
  const root = item.read();
  if (!isNode(root)) return [];
  let last = 0;
  for (const { end } of contentsOf(root)) last = Math.max(last, end);
  return commentSpans(root, item)
    .filter(({ start }) => start >= last)
    .map((span) => ({ ...span, text: "" }));
}

/** Comments between the contents of an item: whole lines, or from the white space before them. */
function commentSpans(root: Node, item: Item): Span[] {
  const text = textOf(root.doc);
  const spans: Span[] = [];
  let at = item.start;
  for (const content of [...contentsOf(root), { start: item.end, end: item.end }]) {
    for (const match of text.slice(at, content.start).matchAll(/#.*/g)) {
      const end = at + match.index + match[0].length;
      const start = endOfText(text, at + match.index, at);
      const isWholeLine = start === 0 || text[start - 1] === "\n";
      // Blank lines after a comment go with it: a `|+` above it must not take them for content.
      const blank = isWholeLine
        ? (/^(?:\n[ \t]*(?=\n))*\n?/.exec(text.slice(end, content.start))?.[0].length ?? 0)
        : 0;
      spans.push({ start, end: end + blank });
    }
    at = Math.max(at, content.end);
  }
  return spans;
}

/** Moves back over white space on the line, as far as a bound. */
function endOfText(text: string, from: number, bound: number): number {
  let at = from;
  while (at > bound && (text[at - 1] === " " || text[at - 1] === "\t")) at--;
  return at;
}

/** Keys and scalars, in the order they are written. */
function* contentsOf(node: Node): Generator<Span> {
  for (const child of node.children()) {
    if (child.keyStart >= 0) yield { start: child.keyStart, end: child.keyEnd };
    if (child.isScalar) yield spanOf(child);
    else yield* contentsOf(child);
  }
}
