// A mapping inside a document, as a document of its own: its lines moved to column 0, else its text in brackets.
import { extentOf } from "./layout.ts";
import { shiftLines } from "./lines.ts";
import { isFault, readDocument } from "./read.ts";
import { Node } from "./node.ts";

/** Undefined for an empty mapping, and for one that cannot be read on its own. */
export function standalone(mapping: Node): Node | undefined {
  const first = mapping.first;
  if (first === undefined) return undefined;
  const doc = readDocument(Buffer.from(textOf(mapping, first), "latin1"));
  return isFault(doc) ? undefined : new Node(doc);
}

function textOf(mapping: Node, first: Node): string {
  const { bytes, targets } = mapping.doc;
  // An alias may refer to a node outside the mapping.
  if (targets.size > 0) return Buffer.from(JSON.stringify(mapping.plain(null)), "utf8").toString("latin1");
  const slice = (start: number, end: number): string => bytes.toString("latin1", start, end);
  if (mapping.isFlow) return `${slice(mapping.start, mapping.end)}\n`;
  const last = mapping.children().at(-1) ?? first;
  return shiftLines(slice(extentOf(first).comments, extentOf(last).end), -first.column);
}
