// Splices into a list of an item: set exactly these entries, add one, or put texts in the place of some. Entries that stay
// keep their text.
import { extentOf, shiftLines, type Node } from "../yaml/index.ts";
import { newPart, partsOf, rewritten } from "./bracket-parts.ts";
import { addText, bodyLines, type NewFields, flowText } from "./edit.ts";
import type { TextEdit } from "./splice.ts";

/** An item that a list should have: one that is there, perhaps with changes inside, or a new one. */
export type ListItem =
  | { readonly node: Node; readonly edits: readonly TextEdit[] }
  | { readonly fields: NewFields };

/** Adds a list of mappings under a new key at the end of a mapping. */
export function nestedFields(mapping: Node, key: string, items: readonly NewFields[]): TextEdit {
  return addText(
    mapping,
    key,
    { lines: items.flatMap(blockItem), step: 0 },
    `[${items.map(flowText).join(", ")}]`,
  );
}

/** Sets the items of a list, in this order. Without a change there is no edit; an empty list is `[]`. */
export function setList(list: Node, items: readonly ListItem[]): TextEdit[] {
  const present = list.children();
  const unmoved =
    items.length === present.length &&
    items.every((item, index) => "node" in item && item.node.row === present[index]?.row);
  if (unmoved) return items.flatMap((item) => ("node" in item ? item.edits : []));
  const parent = list.parent;
  const isBlock = list.isSequence && !list.isFlow;
  if (items.length > 0 && isBlock)
    return [
      {
        ...bodyLines(present),
        text: items.map((item, index) => blockSource(item, present[0] as Node, index)).join(""),
      },
    ];
  if (items.length > 0 && list.isSequence && present.length > 0) return [inBrackets(list, present, items)];
  const [start, end] = [list.keyEnd, list.end];
  const inFlow = (parent !== undefined && parent.isFlow) || items.length === 0;
  if (inFlow)
    return [
      {
        start,
        end,
        text: `: [${items.map((item) => ("node" in item ? edited(item) : flowText(item.fields))).join(", ")}]`,
      },
    ];
  const pad = " ".repeat(list.column);
  const lines = items.flatMap((item) => ("fields" in item ? blockItem(item.fields) : []));
  return [{ start, end, text: `:\n${lines.map((line) => pad + line).join("\n")}` }];
}

function inBrackets(list: Node, present: readonly Node[], items: readonly ListItem[]): TextEdit {
  const parts = partsOf(list);
  const byRow = new Map(present.map(({ row }, index) => [row, parts[index]]));
  return rewritten(
    list,
    items.map((item) => {
      if ("fields" in item) return newPart(flowText(item.fields));
      return { ...(byRow.get(item.node.row) ?? newPart("")), text: edited(item) };
    }),
  );
}

function blockItem(fields: NewFields): string[] {
  return fields.map(([key, value], index) => `${index === 0 ? "- " : "  "}${key}: ${value}`);
}

/** Text of one item of a block list, with its own comments. */
function blockSource(item: ListItem, like: Node, index: number): string {
  // Blank lines between entries stay with the lower one.
  if ("node" in item) {
    const { lead, comments, end } = extentOf(item.node);
    return edited(item, { comments: index === 0 || item.node.row === like.row ? comments : lead, end });
  }
  const pad = " ".repeat(like.column);
  return blockItem(item.fields)
    .map((line) => `${pad}${line}\n`)
    .join("");
}

/** The item's source with its edits applied. */
function edited(
  { node, edits }: Extract<ListItem, { node: Node }>,
  extent?: { comments: number; end: number },
): string {
  const [start, end] = extent === undefined ? [node.start, node.end] : [extent.comments, extent.end];
  let source = "";
  let at = start;
  for (const edit of edits.toSorted((a, b) => a.start - b.start)) {
    source += node.doc.bytes.toString("utf8", at, edit.start) + String(edit.text);
    at = edit.end;
  }
  const rest = node.doc.bytes.toString("utf8", at, end);
  return extent === undefined || rest.endsWith("\n") ? source + rest : `${source}${rest}\n`;
}

/**
 * Puts texts in the place of elements: lines at column 0 for a block list, what is between two commas for one in brackets.
 * Without a text the element goes. All is one edit, since each change could touch the next one.
 */
export function replaceElements(list: Node, texts: ReadonlyMap<number, readonly string[]>): TextEdit {
  const present = list.children();
  if (list.isFlow) {
    const parts = partsOf(list).flatMap((part, at) => {
      const own = texts.get(at);
      return own === undefined ? [part] : own.length === 0 ? [] : [{ ...part, text: own.join(", ") }];
    });
    return rewritten(list, parts);
  }
  const [first = 0, ...more] = [...texts.keys()].toSorted((a, b) => a - b);
  const end = (more.at(-1) ?? first) + 1;
  const all = present
    .slice(first, end)
    .flatMap((child, index) => texts.get(first + index) ?? [linesOf(child, extentOf(child).lead)]);
  return all.length === 0 && end - first === present.length
    ? emptied(list, present)
    : inLines(present, first, end, all);
}

/** @param first index of the first that goes @param end that of the first after it that stays */
function inLines(present: readonly Node[], first: number, end: number, texts: readonly string[]): TextEdit {
  const [from, last, next] = [present[first] as Node, present[end - 1] as Node, present[end]];
  const { bytes } = from.doc;
  const { comments: start } = extentOf(from);
  const sharesLine = isInline(from);
  if (texts.length === 0 && next !== undefined && sharesLine) return asContent(start, next.entryStart, "");
  const before = present[first - 1];
  const above = texts.at(-1) ?? (before === undefined ? "" : linesOf(before, extentOf(before).lead));
  const until = extentOf(last).end;
  // A block that keeps blank lines below it would take these as its own.
  const stop = /[|>]\d?\+/.test(above) ? behindBlanks(bytes, until) : until;
  const lines = texts.map((text) => shiftLines(text, from.column)).join("");
  const text = sharesLine ? lines.replace(/^ +/, "") : lines;
  return asContent(start, stop, bytes[stop - 1] === 0x0a || text === "" ? text : text.replace(/\n$/, ""));
}

function behindBlanks(bytes: Buffer, from: number): number {
  let end = from;
  for (let at = from; bytes[at] === 0x20 || bytes[at] === 0x0a; at++) if (bytes[at] === 0x0a) end = at + 1;
  return end;
}

/** True for an element after another dash on its line. */
function isInline(element: Node): boolean {
  const entry = element.entryStart;
  if (extentOf(element).comments !== entry || element.column === 0) return false;
  const { bytes } = element.doc;
  return bytes.toString("latin1", bytes.lastIndexOf(0x0a, entry) + 1, entry).trim() !== "";
}

/** A block list that loses all becomes `[]`; a tag, and a comment after its key, stay. */
function emptied(list: Node, children: readonly Node[]): TextEdit {
  const { bytes } = list.doc;
  const { end } = extentOf(children.at(-1) as Node);
  const hasKey = list.keyStart >= 0;
  const start = hasKey ? list.keyEnd + 1 : list.entryStart + 1;
  const [line = ""] = /^[^\n]*/.exec(bytes.toString("utf8", start, (children[0] as Node).entryStart)) ?? [];
  const at = line.search(/[ \t]#/);
  const before = (at < 0 ? line : line.slice(0, at)).trimEnd();
  const comment = at < 0 ? "" : line.slice(at);
  return asContent(start, end, `${before} []${comment}${bytes[end - 1] === 0x0a ? "\n" : ""}`);
}

/** Elements are content, and no comments are taken out of them. */
function asContent(start: number, end: number, text: string): TextEdit {
  return { start, end, text: Buffer.from(text, "utf8") };
}

/** An element's lines at column 0 with its comments, or what is between brackets. */
export function elementText(element: Node): string {
  const list = element.parent;
  return list === undefined || list.isFlow
    ? element.doc.bytes.toString("utf8", element.start, element.end)
    : linesOf(element, extentOf(element).comments);
}

function linesOf(element: Node, from: number): string {
  const column = element.column;
  // The first of a list within a list shares its line.
  const pad = from === element.entryStart ? " ".repeat(column) : "";
  const text = pad + element.doc.bytes.toString("utf8", from, extentOf(element).end);
  const shifted = shiftLines(text, -column);
  return shifted.endsWith("\n") ? shifted : `${shifted}\n`;
}
