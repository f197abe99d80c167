// Elements put in the place of others in a list, in block and in bracket style; the rest of the list stays byte for byte.
import {
  childrenOf,
  type Edit,
  extentOf,
  Field,
  field,
  grouped,
  isFlow,
  isMapping,
  Kind,
  newPart,
  type Node,
  parentOf,
  type Part,
  partsOf,
  rewritten,
  shiftLines,
  valueOf,
} from "../core/index.ts";
import { spelled } from "./field-text.ts";
import { elementIn, isDashed } from "./list-places.ts";

/** Elements of a list that go, and what comes instead. */
export interface Splice {
  readonly list: Node;
  /** Index of the template in the list as it was. */
  readonly index: number;
  readonly at: number;
  readonly count: number;
  readonly texts: readonly string[];
}

/** Changes of one list are made in one go, with the elements between them: each could touch the next. */
export function spliceAll(splices: readonly Splice[]): Edit[] {
  return [...grouped(splices, ({ list }) => list.row).values()].flatMap((own) => {
    const sorted = own.toSorted((a, b) => a.at - b.at || a.index - b.index);
    const [first, ...more] = sorted;
    if (first === undefined) return [];
    if (isFlow(first.list) && childrenOf(first.list).length > 0) return betweenBrackets(first.list, sorted);
    const children = childrenOf(first.list);
    let { texts } = first;
    let end = first.at + first.count;
    for (const { at, count, texts: next } of more) {
      texts = [...texts, ...children.slice(end, at).map(wholeText), ...next];
      end = at + count;
    }
    return splice(first.list, first.at, end - first.at, texts);
  });
}

function betweenBrackets(list: Node, splices: readonly Splice[]): Edit[] {
  const isSame = splices.every(({ count, texts }) => count === 0 && texts.length === 0);
  return isSame ? [] : [between(list, splices)];
}

/** @param at index of the first that goes @param count how many go @param texts what comes instead */
function splice(list: Node, at: number, count: number, texts: readonly string[]): Edit[] {
  const children = childrenOf(list);
  if (count === 0 && texts.length === 0) return [];
  return [children.length === 0 ? filled(list, texts) : inLines(list, children, at, count, texts)];
}

/** @param children of the list, at least one @param at index of the first that goes @param texts what comes instead */
function inLines(
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
    // An element on the line of the list's own dash moves to a line of its own.
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

/** True for an element after another dash on its line. */
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

/** A block list that loses all becomes `[]`; a tag, and a comment after its key, stay. */
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

/** Elements are content, and no comments are taken out of them. */
function put(start: number, end: number, text: string): Edit {
  return { start, end, text: Buffer.from(text, "utf8") };
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

/** JSON has its keys in double quotes. */
function isJson(list: Node): boolean {
  for (let node: Node | undefined = list; node !== undefined; node = parentOf(node)) {
    if (field(node, Field.keyStart) < 0) continue;
    const parent = parentOf(node);
    return parent !== undefined && isFlow(parent) && field(node, Field.keyKind) === Kind.double;
  }
  return false;
}

/** Elements that go, and what comes instead. */
interface PartChange {
  readonly at: number;
  readonly count: number;
  readonly texts: readonly string[];
}

/** @param list in brackets, not empty @param changes of that list, in its order */
function between(list: Node, changes: readonly PartChange[]): Edit {
  const parts = partsOf(list);
  const inJson = isJson(list);
  // From the end, so that earlier places stay as they are.
  for (const change of changes.toReversed()) replaceParts(parts, change, inJson);
  return rewritten(list, parts);
}

function replaceParts(all: Part[], { at, count, texts }: PartChange, inJson: boolean): void {
  const [first, last, next] = [all[at], all[at + count - 1], all[at + count]];
  const text = inBrackets(texts, inJson);
  if (texts.length === 0) all.splice(at, count);
  else if (count > 0)
    all.splice(at, count, { ...newPart(text), lead: first?.lead ?? " ", trail: last?.trail ?? "" });
  else if (next === undefined || next.lead.includes("#")) all.splice(at, 0, newPart(text));
  else all.splice(at, 1, { ...next, text: `${text}, ${next.text}` });
}

/** An element's lines at column 0 with its comments, or what is between brackets. */
export function elementText(element: Node): string {
  const list = parentOf(element);
  return list === undefined || isFlow(list)
    ? flowText(element)
    : linesOf(element, extentOf(element).comments);
}

/** The same with the blank lines before it. */
function wholeText(element: Node): string {
  const list = parentOf(element);
  return list === undefined || isFlow(list) ? flowText(element) : linesOf(element, extentOf(element).lead);
}

function flowText(element: Node): string {
  return element.doc.bytes.toString("utf8", field(element, Field.start), field(element, Field.end));
}

function linesOf(element: Node, from: number): string {
  // The first of a list within a list shares its line.
  const pad = from === field(element, Field.entry) ? " ".repeat(field(element, Field.column)) : "";
  const text = pad + element.doc.bytes.toString("utf8", from, extentOf(element).end);
  const shifted = shiftLines(text, -field(element, Field.column));
  return shifted.endsWith("\n") ? shifted : `${shifted}\n`;
}

/** Elements as lines of a block list at a column. */
function inBlock(texts: readonly string[], column: number): string {
  return texts
    .map((text) => {
      if (isDashed(text)) return shiftLines(text, column);
      const element = elementIn(text);
      return `${" ".repeat(column)}- ${element === undefined ? text : spelled(element, "block")}\n`;
    })
    .join("");
}

/** Elements between brackets. */
function inBrackets(texts: readonly string[], inJson: boolean): string {
  return texts
    .map((text) => {
      const element = isDashed(text) ? elementIn(text) : undefined;
      return element === undefined ? text : spelled(valueOf(element), inJson ? "json" : "brackets");
    })
    .join(", ");
}
