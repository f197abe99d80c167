// Comments between brackets, and the entry that each belongs to where entries move: one on the line on which an entry ends
// belongs to that entry, also after the comma; those on lines of their own to the next entry; those after the last to the
// collection, as its foot.
import { lineEnd, previousOf, textOf, pad, Node } from "../yaml/index.ts";

/** The comments above an entry, each on a line of its own. */
export function commentsAbove(entry: Node, parent: Node): string {
  const text = textOf(entry.doc);
  const before = previousOf(entry);
  const end = before === undefined ? parent.body : before.end;
  const start = before === undefined ? end : lineEnd(text, end);
  return commentLines(text.slice(start, entry.entryStart), entry.column);
}

/** The comment after an entry, with a space before it. */
export function commentBehind(entry: Node): string {
  const parent = entry.parent;
  if (parent === undefined || entry.doc.isTidy === true) return "";
  const text = textOf(entry.doc);
  const row = entry.nextRow;
  const isLast = row >= parent.nextRow;
  const limit = isLast ? parent.end : new Node(entry.doc, row).entryStart;
  const from = entry.end;
  const [comment] = commentsIn(text.slice(from, Math.min(lineEnd(text, from), limit)));
  return comment === undefined ? "" : ` ${comment}`;
}

/** The comments between the line of the last entry and the closing bracket. */
export function commentsAtEnd(collection: Node, column: number): string {
  const last = collection.children().at(-1);
  const text = textOf(collection.doc);
  const from = last === undefined ? collection.body : lineEnd(text, last.end);
  return commentLines(text.slice(from, collection.end), column);
}

function commentLines(gap: string, column: number): string {
  return commentsIn(gap)
    .map((comment) => `${pad(column)}${comment}\n`)
    .join("");
}

function commentsIn(gap: string): string[] {
  return gap.split("\n").flatMap((line) => /#.*/.exec(line)?.[0] ?? []);
}
