// The elements of a list in brackets as parts that can be written again. A comment stays with its element: one on the
// line on which an element ends belongs to that element, also after the comma; so do those above an element.
import type { Node } from "../yaml/index.ts";
import type { TextEdit } from "./splice.ts";

/** An element, with the text before it, and the text after it up to its comma or the end of its line. */
export interface BracketElement {
  readonly lead: string;
  readonly text: string;
  readonly trail: string;
}

/** An element that was not in the list before. */
export function newPart(text: string): BracketElement {
  return { lead: " ", text, trail: "" };
}

/** @param list in brackets */
export function partsOf(list: Node): BracketElement[] {
  const { start, end, opening } = insideOf(list);
  return partsIn(list, start + Buffer.byteLength(opening), end);
}

/** @param list in brackets, not empty @param all the parts to write */
export function rewritten(list: Node, all: readonly BracketElement[]): TextEdit {
  const { start, end, opening } = insideOf(list);
  const before = partsOf(list);
  const hasComma = commaIn(before.at(-1)?.trail ?? "") >= 0;
  const rest = sliceOf(list, (list.children().at(-1) as Node).end, end);
  const closing = { lead: rest.slice(trailIn(rest).length), text: "", trail: "" };
  const parts = withFirstLead(all, before).map((part, index) => {
    const isFollowed = hasComma || index < all.length - 1;
    return { ...part, trail: isFollowed ? withComma(part.trail) : withoutComma(part.trail) };
  });
  const pad = " ".repeat(list.column + 2);
  return least(list, start, end, opening + joined([...parts, closing], opening, `\n${pad}`));
}

/** The text between the brackets, and the comment after the first one. */
function insideOf(list: Node): { readonly start: number; readonly end: number; readonly opening: string } {
  const [start, end] = [list.body + 1, list.end - 1];
  return { start, end, opening: commentOnLine(sliceOf(list, start, end)) };
}

function partsIn(list: Node, start: number, end: number): BracketElement[] {
  const children = list.children();
  let at = start;
  return children.map((child, index) => {
    const [from, to] = [child.start, child.end];
    const next = children[index + 1];
    const lead = sliceOf(list, at, from);
    const trail = trailIn(sliceOf(list, to, next === undefined ? end : next.start));
    at = to + Buffer.byteLength(trail);
    return { lead, text: sliceOf(list, from, to), trail };
  });
}

function sliceOf({ doc }: Node, start: number, end: number): string {
  return doc.bytes.toString("utf8", start, end);
}

/** The part of the text after an element that belongs to the element. */
function trailIn(gap: string): string {
  const trailing = commentOnLine(gap).length;
  const comma = commaIn(gap) + 1;
  return gap.slice(0, comma <= trailing ? trailing : comma + commentOnLine(gap.slice(comma)).length);
}

/** Text to the end of its first line, if that line has a comment. */
function commentOnLine(text: string): string {
  return /^[ \t,]*#.*/.exec(text)?.[0] ?? "";
}

/** Where the comma between two elements is; -1 without one. */
function commaIn(gap: string): number {
  for (let at = 0; at < gap.length; at++) {
    if (gap[at] === ",") return at;
    if (gap[at] !== "#") continue;
    const newline = gap.indexOf("\n", at);
    if (newline < 0) return -1;
    at = newline;
  }
  return -1;
}

function withComma(trail: string): string {
  return commaIn(trail) < 0 ? `,${trail}` : trail;
}

function withoutComma(trail: string): string {
  const comma = commaIn(trail);
  return comma < 0 ? trail : trail.slice(0, comma) + trail.slice(comma + 1);
}

/** The new first element takes the place of the old one, unless comments are there. */
function withFirstLead(
  all: readonly BracketElement[],
  [before]: readonly BracketElement[],
): readonly BracketElement[] {
  const [first, ...others] = all;
  if (first === undefined || before === undefined || first.lead.includes("#")) return all;
  return before.lead.includes("#") ? all : [{ ...first, lead: before.lead }, ...others];
}

/** Nothing may follow a comment on its line. */
function joined(parts: readonly BracketElement[], opening: string, newline: string): string {
  let all = "";
  let above = opening;
  for (const { lead, text, trail } of parts) {
    const isBehind = above.slice(above.lastIndexOf("\n") + 1).includes("#") && !/^[ \t\r]*\n/.test(lead);
    all += (isBehind ? newline + lead.trimStart() : lead) + text + trail;
    above = trail;
  }
  return all;
}

/** An edit of the differing bytes only. */
function least({ doc: { bytes } }: Node, start: number, end: number, text: string): TextEdit {
  const [now, then] = [bytes.subarray(start, end), Buffer.from(text, "utf8")];
  const most = Math.min(now.length, then.length);
  let same = 0;
  while (same < most && now[same] === then[same]) same++;
  let trailing = 0;
  while (trailing < most - same && now[now.length - 1 - trailing] === then[then.length - 1 - trailing])
    trailing++;
  return { start: start + same, end: end - trailing, text: then.subarray(same, then.length - trailing) };
}
