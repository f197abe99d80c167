// Elements put in the place of others in a list of lines.
import type { Edit } from "../wire/envelope.ts";
import { extentOf } from "../yaml/layout.ts";
import { Field, field, type Node } from "../yaml/tape.ts";
import { inBlock, wholeText } from "./elements.ts";

/** @param children of the list, at least one @param at index of the first that goes @param texts what comes instead */
export function inLines(
  list: Node,
  children: readonly Node[],
  at: number,
  count: number,
  texts: readonly string[],
): Edit {
  if (texts.length === 0 && count === children.length) return emptied(list, children);
  return count === 0 ? inserted(children, at, texts) : replaced(children, at, count, texts);
}

function inserted(children: readonly Node[], at: number, texts: readonly string[]): Edit {
  const last = children.at(-1) as Node;
  const column = field(last, Field.column);
  const lines = inBlock(texts, column);
  const next = children[at];
  if (next !== undefined) {
    const { comments } = extentOf(next);
    // What shares its line with the list's own dash goes to a line of its own.
    return put(comments, comments, onLine(next, lines) + (isInline(next) ? " ".repeat(column) : ""));
  }
  const { end } = extentOf(last);
  return put(end, end, last.doc.bytes[end - 1] === 0x0a ? lines : `\n${lines.replace(/\n$/, "")}`);
}

function replaced(children: readonly Node[], at: number, count: number, texts: readonly string[]): Edit {
  const [first, last] = [children[at] as Node, children[at + count - 1] as Node];
  const { bytes } = first.doc;
  const { comments } = extentOf(first);
  const above = texts.at(-1) ?? (at > 0 ? wholeText(children[at - 1] as Node) : "");
  const end = isKeeping(above) ? behindBlanks(bytes, extentOf(last).end) : extentOf(last).end;
  const next = children[at + count];
  if (texts.length === 0 && next !== undefined && isInline(first))
    return put(comments, field(next, Field.entry), "");
  const text = onLine(first, inBlock(texts, field(first, Field.column)));
  return put(comments, end, bytes[end - 1] === 0x0a || text === "" ? text : text.replace(/\n$/, ""));
}

/** True if text may end in a block that takes blank lines below it as its own. */
function isKeeping(text: string): boolean {
  return /[|>]\d?\+/.test(text);
}

function behindBlanks(bytes: Buffer, from: number): number {
  let end = from;
  for (let at = from; at < bytes.length && (bytes[at] === 0x20 || bytes[at] === 0x0a); at++)
    if (bytes[at] === 0x0a) end = at + 1;
  return end;
}

/** True for an element behind another dash on its line. */
function isInline(element: Node): boolean {
  return (
    extentOf(element).comments === field(element, Field.entry) &&
    field(element, Field.column) > 0 &&
    !startsLine(element)
  );
}

function startsLine(element: Node): boolean {
  const { bytes } = element.doc;
  const entry = field(element, Field.entry);
  for (let at = entry - 1; at >= 0 && bytes[at] !== 0x0a; at--) if (bytes[at] !== 0x20) return false;
  return true;
}

/** Lines that take the place of an element: without the spaces before it where it shares its line. */
function onLine(element: Node, lines: string): string {
  return isInline(element) ? lines.replace(/^ +/, "") : lines;
}

/** A block list that loses all becomes `[]`; a tag, and a comment behind its key, stay. */
function emptied(list: Node, children: readonly Node[]): Edit {
  const { bytes } = list.doc;
  const { end } = extentOf(children.at(-1) as Node);
  const hasKey = field(list, Field.keyStart) >= 0;
  const start = hasKey ? field(list, Field.keyEnd) + 1 : field(list, Field.entry) + 1;
  const [line = ""] =
    /^[^\n]*/.exec(bytes.toString("utf8", start, field(children[0] as Node, Field.entry))) ?? [];
  const [, before = "", comment = ""] = /^(.*?)\s*([ \t]#.*)?$/.exec(line) ?? [];
  return put(start, end, `${before} []${comment}${bytes[end - 1] === 0x0a ? "\n" : ""}`);
}

/** Elements are content: nobody looks for comments in them. */
export function put(start: number, end: number, text: string): Edit {
  return { start, end, text: Buffer.from(text, "utf8") };
}
