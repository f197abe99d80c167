// Elements put in the place of others in a list, in block and in bracket style; the rest of the list stays byte for byte.
import {
  childrenOf,
  type Edit,
  extentOf,
  Field,
  field,
  grouped,
  isFlow,
  newPart,
  type Node,
  parentOf,
  partsOf,
  rewritten,
  shiftLines,
} from "../core/index.ts";

/** An element of a list that goes, and what comes instead. */
export interface Splice {
  readonly list: Node;
  readonly at: number;
  /** Lines at column 0, or what is between brackets. */
  readonly texts: readonly string[];
}

/** Changes of one list are made in one go, with the elements between them: each could touch the next. */
export function spliceAll(splices: readonly Splice[]): Edit[] {
  return [...grouped(splices, ({ list }) => list.row).values()].flatMap((own) => {
    const sorted = own.toSorted((a, b) => a.at - b.at);
    const [first, ...more] = sorted;
    if (first === undefined) return [];
    if (isFlow(first.list)) return [betweenBrackets(first.list, sorted)];
    const children = childrenOf(first.list);
    let { texts } = first;
    let end = first.at + 1;
    for (const { at, texts: next } of more) {
      texts = [...texts, ...children.slice(end, at).map(wholeText), ...next];
      end = at + 1;
    }
    return [inLines(first.list, first.at, end, texts)];
  });
}

function betweenBrackets(list: Node, splices: readonly Splice[]): Edit {
  const parts = partsOf(list);
  // From the end, so that earlier places stay as they are.
  for (const { at, texts } of splices.toReversed()) {
    const { lead = " ", trail = "" } = parts[at] ?? {};
    parts.splice(at, 1, ...(texts.length === 0 ? [] : [{ ...newPart(texts.join(", ")), lead, trail }]));
  }
  return rewritten(list, parts);
}

/** @param at index of the first that goes @param end that of the first after it that stays @param texts what comes instead */
function inLines(list: Node, at: number, end: number, texts: readonly string[]): Edit {
  const children = childrenOf(list);
  if (texts.length === 0 && end - at === children.length) return emptied(list, children);
  const [first, last, next] = [children[at] as Node, children[end - 1] as Node, children[end]];
  const { bytes } = first.doc;
  const { comments } = extentOf(first);
  if (texts.length === 0 && next !== undefined && isInline(first))
    return put(comments, field(next, Field.entry), "");
  const above = texts.at(-1) ?? (at > 0 ? wholeText(children[at - 1] as Node) : "");
  const until = isKeeping(above) ? behindBlanks(bytes, extentOf(last).end) : extentOf(last).end;
  const lines = texts.map((text) => shiftLines(text, field(first, Field.column))).join("");
  const text = isInline(first) ? lines.replace(/^ +/, "") : lines;
  return put(comments, until, bytes[until - 1] === 0x0a || text === "" ? text : text.replace(/\n$/, ""));
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
  const entry = field(element, Field.entry);
  if (extentOf(element).comments !== entry || field(element, Field.column) === 0) return false;
  const { bytes } = element.doc;
  for (let at = entry - 1; at >= 0 && bytes[at] !== 0x0a; at--) if (bytes[at] !== 0x20) return true;
  return false;
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

/** An element's lines at column 0 with its comments, or what is between brackets. */
export function elementText(element: Node): string {
  return textFrom(element, extentOf(element).comments);
}

/** The same with the blank lines before it. */
function wholeText(element: Node): string {
  return textFrom(element, extentOf(element).lead);
}

function textFrom(element: Node, from: number): string {
  const { bytes } = element.doc;
  const list = parentOf(element);
  if (list === undefined || isFlow(list))
    return bytes.toString("utf8", field(element, Field.start), field(element, Field.end));
  // The first of a list within a list shares its line.
  const pad = from === field(element, Field.entry) ? " ".repeat(field(element, Field.column)) : "";
  const text = pad + bytes.toString("utf8", from, extentOf(element).end);
  const shifted = shiftLines(text, -field(element, Field.column));
  return shifted.endsWith("\n") ? shifted : `${shifted}\n`;
}

/** True for the lines of a block list. */
export function isDashed(text: string): boolean {
  return /^(?:[ \t]*(?:#[^\n]*)?\n)*-(?:[ \n]|$)/.test(text);
}
