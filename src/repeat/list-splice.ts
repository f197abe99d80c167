// Elements put in the place of others in a list, in block and in bracket style; the rest of the list stays byte for byte.
import type { Edit } from "../wire/envelope.ts";
import { extentOf } from "../yaml/layout.ts";
import { childrenOf, Field, field, isFlow, isMapping, Kind, type Node, parentOf } from "../yaml/tape.ts";
import { grouped } from "../grouped.ts";
import { inBlock, inBrackets, wholeText } from "./elements.ts";
import { isDashed } from "./records-in-place.ts";

/** Elements of a list that go, and what comes instead. */
export interface Splice {
  readonly list: Node;
  /** Where the template stood in the list as it was. */
  readonly index: number;
  readonly at: number;
  readonly count: number;
  readonly texts: readonly string[];
}

/** Changes of one list are made in one go, with the elements between them: each could touch the next. */
export function spliceAll(splices: readonly Splice[]): Edit[] {
  return [...grouped(splices, ({ list }) => list.row).values()].flatMap((own) => {
    const [first, ...more] = own.toSorted((a, b) => a.at - b.at || a.index - b.index);
    if (first === undefined) return [];
    const children = childrenOf(first.list);
    const texts = [...first.texts];
    let end = first.at + first.count;
    for (const { at, count, texts: next } of more) {
      texts.push(...children.slice(end, at).map(wholeText), ...next);
      end = at + count;
    }
    return splice(first.list, first.at, end - first.at, texts);
  });
}

/** @param at index of the first that goes @param count how many go @param texts what comes instead */
function splice(list: Node, at: number, count: number, texts: readonly string[]): Edit[] {
  const children = childrenOf(list);
  if (count === 0 && texts.length === 0) return [];
  if (children.length === 0) return [filled(list, texts)];
  return isFlow(list)
    ? [inFlow(list, children, at, count, texts)]
    : [inLines(list, children, at, count, texts)];
}

function inLines(
  list: Node,
  children: readonly Node[],
  at: number,
  count: number,
  texts: readonly string[],
): Edit {
  const { bytes } = list.doc;
  const [first, last] = [children[at], children[at + count - 1]];
  const column = field(children[0] as Node, Field.column);
  if (texts.length === 0 && count === children.length) return emptied(list, children);
  const lines = inBlock(texts, column);
  if (count === 0 || first === undefined || last === undefined) {
    const next = children[at];
    const before = children.at(-1) as Node;
    if (next !== undefined) {
      const { comments } = extentOf(next);
      // What shares its line with the list's own dash goes to a line of its own.
      return put(comments, comments, onLine(next, lines) + (isInline(next) ? " ".repeat(column) : ""));
    }
    const { end } = extentOf(before);
    const glue = bytes[end - 1] === 0x0a ? "" : "\n";
    return put(end, end, glue === "" ? lines : `\n${lines.replace(/\n$/, "")}`);
  }
  const { comments } = extentOf(first);
  const above = texts.at(-1) ?? (at > 0 ? wholeText(children[at - 1] as Node) : "");
  const end = isKeeping(above) ? behindBlanks(bytes, extentOf(last).end) : extentOf(last).end;
  const next = children[at + count];
  if (texts.length === 0 && next !== undefined && isInline(first))
    return put(comments, field(next, Field.entry), "");
  const isEnded = bytes[end - 1] === 0x0a;
  const text = onLine(first, lines);
  return put(comments, end, isEnded || text === "" ? text : text.replace(/\n$/, ""));
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

function put(start: number, end: number, text: string): Edit {
  // Elements are content: nobody looks for comments in them.
  return { start, end, text: Buffer.from(text, "utf8") };
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

/** An empty list, in brackets, gets elements. */
function filled(list: Node, texts: readonly string[]): Edit {
  const { bytes } = list.doc;
  const parent = parentOf(list);
  const [body, end] = [field(list, Field.body), field(list, Field.end)];
  const isBlock =
    parent !== undefined && isMapping(parent) && !isFlow(parent) && field(list, Field.keyEnd) >= 0;
  // A comment between the brackets keeps its place.
  if (bytes.toString("latin1", body + 1, end - 1).trim() !== "")
    return put(end - 1, end - 1, inBrackets(texts, isJson(list)));
  if (!isBlock || !texts.some(isDashed)) return put(body, end, `[${inBrackets(texts, isJson(list))}]`);
  const lines = inBlock(texts, field(list, Field.column) + 2).replace(/\n$/, "");
  const newline = bytes.indexOf(0x0a, end);
  const lineEnd = newline < 0 ? bytes.length : newline;
  let start = body;
  while (bytes[start - 1] === 0x20 || bytes[start - 1] === 0x09) start--;
  return put(start, lineEnd, `${bytes.toString("utf8", end, lineEnd)}\n${lines}`);
}

function inFlow(
  list: Node,
  children: readonly Node[],
  at: number,
  count: number,
  texts: readonly string[],
): Edit {
  const text = inBrackets(texts, isJson(list));
  const [first, last, next, before] = [
    children[at],
    children[at + count - 1],
    children[at + count],
    children[at - 1],
  ];
  if (count === 0) {
    const here = children[at];
    if (here !== undefined) return put(field(here, Field.start), field(here, Field.start), `${text}, `);
    const end = field(children.at(-1) as Node, Field.end);
    return put(end, end, `, ${text}`);
  }
  const [start, end] = [field(first as Node, Field.start), field(last as Node, Field.end)];
  if (texts.length > 0) return put(start, end, text);
  if (before !== undefined) return put(field(before, Field.end), end, "");
  return next === undefined ? put(start, end, "") : put(start, field(next, Field.start), "");
}

/** By the keys around it: JSON's stand in double quotes. */
function isJson(list: Node): boolean {
  for (let node: Node | undefined = list; node !== undefined; node = parentOf(node)) {
    if (field(node, Field.keyStart) < 0) continue;
    const parent = parentOf(node);
    return parent !== undefined && isFlow(parent) && field(node, Field.keyKind) === Kind.double;
  }
  return false;
}
