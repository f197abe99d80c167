// The text of a list's element: cut out of its list, made for an instance, put back at its list's column.
import { extentOf } from "../yaml/layout.ts";
import { shiftLines } from "../yaml/lines.ts";
import { Field, field, isFlow, type Node, parentOf, valueOf } from "../yaml/tape.ts";
import { cut } from "./origin.ts";
import { isTold, told, type Told } from "./faults.ts";
import { type ListEntry, type Scope, whereIs } from "./model.ts";
import { elementIn, isDashed } from "./records-in-place.ts";
import { editsOf, wantedFields } from "./setting.ts";
import { spelled } from "./spelling.ts";

/** An element's lines at column 0 with its comments, or what stands between brackets. */
export function elementText(element: Node): string {
  const list = parentOf(element);
  return list === undefined || isFlow(list) ? flowText(element) : lines(element, extentOf(element).comments);
}

/** The same with the blank lines before it. */
export function wholeText(element: Node): string {
  const list = parentOf(element);
  return list === undefined || isFlow(list) ? flowText(element) : lines(element, extentOf(element).lead);
}

function flowText(element: Node): string {
  return element.doc.bytes.toString("utf8", field(element, Field.start), field(element, Field.end));
}

function lines(element: Node, from: number): string {
  // The first of a list within a list shares its line.
  const pad = from === field(element, Field.entry) ? " ".repeat(field(element, Field.column)) : "";
  const text = pad + element.doc.bytes.toString("utf8", from, extentOf(element).end);
  const shifted = shiftLines(text, -field(element, Field.column));
  return shifted.endsWith("\n") ? shifted : `${shifted}\n`;
}

/** The template's text with its fields set for one scope. */
export function madeFor(entry: ListEntry, scope: Scope, template: string, kind: string): string | Told {
  const wanted = wantedFields(entry, scope, kind);
  if (isTold(wanted)) return wanted;
  let text = template;
  for (let left: readonly (typeof wanted)[number][] = wanted; left.length > 0;) {
    const element = elementIn(text);
    if (element === undefined)
      return told(
        "repeat-path",
        whereIs(entry),
        "the element that is the template cannot be read by itself",
        "write it out, without anchors",
      );
    const next = editsOf(element, left, entry);
    if (isTold(next)) return next;
    const { bytes } = element.doc;
    text = cut(bytes, 0, bytes.length, next.edits).bytes.toString("utf8");
    left = next.left;
  }
  return text;
}

/** Elements as lines of a block list at a column. */
export function inBlock(texts: readonly string[], column: number): string {
  return texts
    .map((text) => {
      if (isDashed(text)) return shiftLines(text, column);
      const element = elementIn(text);
      return `${" ".repeat(column)}- ${element === undefined ? text : spelled(element, "block")}\n`;
    })
    .join("");
}

/** Elements between brackets. */
export function inBrackets(texts: readonly string[], isJson: boolean): string {
  return texts
    .map((text) => {
      const element = isDashed(text) ? elementIn(text) : undefined;
      return element === undefined ? text : spelled(valueOf(element), isJson ? "json" : "brackets");
    })
    .join(", ");
}
