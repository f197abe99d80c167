// Splices into a list of an item: set exactly these entries, or add one. Entries that stay keep their text.
import { extentOf } from "../yaml/layout.ts";
import { childrenOf, Field, field, isFlow, isSequence, type Node, parentOf } from "../yaml/tape.ts";
import { newPart, partsOf, rewritten } from "./bracket-parts.ts";
import { addText, bodyLines, type Fields, flowText } from "./edit.ts";
import type { Edit } from "./envelope.ts";

/** An item that a list should have: one that is there, perhaps with changes inside, or a new one. */
export type ListItem = { readonly node: Node; readonly edits: readonly Edit[] } | { readonly fields: Fields };

/** Adds a list of mappings under a new key at the end of a mapping. */
export function nestedFields(mapping: Node, key: string, items: readonly Fields[]): Edit {
  return addText(
    mapping,
    key,
    { lines: items.flatMap(blockItem), step: 0 },
    `[${items.map(flowText).join(", ")}]`,
  );
}

/** Sets the items of a list, in this order. Without a change there is no edit; an empty list is `[]`. */
export function setList(list: Node, items: readonly ListItem[]): Edit[] {
  const present = childrenOf(list);
  const unmoved =
    items.length === present.length &&
    items.every((item, index) => "node" in item && item.node.row === present[index]?.row);
  if (unmoved) return items.flatMap((item) => ("node" in item ? item.edits : []));
  const parent = parentOf(list);
  const isBlock = isSequence(list) && !isFlow(list);
  if (items.length > 0 && isBlock)
    return [
      {
        ...bodyLines(present),
        text: items.map((item, index) => blockSource(item, present[0] as Node, index)).join(""),
      },
    ];
  if (items.length > 0 && isSequence(list) && present.length > 0) return [inBrackets(list, present, items)];
  const [start, end] = [field(list, Field.keyEnd), field(list, Field.end)];
  const inFlow = (parent !== undefined && isFlow(parent)) || items.length === 0;
  if (inFlow)
    return [
      {
        start,
        end,
        text: `: [${items.map((item) => ("node" in item ? edited(item) : flowText(item.fields))).join(", ")}]`,
      },
    ];
  const pad = " ".repeat(field(list, Field.column));
  const lines = items.flatMap((item) => ("fields" in item ? blockItem(item.fields) : []));
  return [{ start, end, text: `:\n${lines.map((line) => pad + line).join("\n")}` }];
}

function inBrackets(list: Node, present: readonly Node[], items: readonly ListItem[]): Edit {
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

function blockItem(fields: Fields): string[] {
  return fields.map(([key, value], index) => `${index === 0 ? "- " : "  "}${key}: ${value}`);
}

/** Text of one item of a block list, with its own comments. */
function blockSource(item: ListItem, like: Node, index: number): string {
  // Blank lines between entries stay with the lower one.
  if ("node" in item) {
    const { lead, comments, end } = extentOf(item.node);
    return edited(item, { comments: index === 0 || item.node.row === like.row ? comments : lead, end });
  }
  const pad = " ".repeat(field(like, Field.column));
  return blockItem(item.fields)
    .map((line) => `${pad}${line}\n`)
    .join("");
}

/** The item's source with its edits applied. */
function edited(
  { node, edits }: Extract<ListItem, { node: Node }>,
  extent?: { comments: number; end: number },
): string {
  const [start, end] =
    extent === undefined ? [field(node, Field.start), field(node, Field.end)] : [extent.comments, extent.end];
  let source = "";
  let at = start;
  for (const edit of edits.toSorted((a, b) => a.start - b.start)) {
    source += node.doc.bytes.toString("utf8", at, edit.start) + String(edit.text);
    at = edit.end;
  }
  const rest = node.doc.bytes.toString("utf8", at, end);
  return extent === undefined || rest.endsWith("\n") ? source + rest : `${source}${rest}\n`;
}
