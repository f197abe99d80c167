// Comments between brackets, and the entry that each belongs to where entries move: one on the line on which an entry ends
// belongs to that entry, also after the comma; those on lines of their own to the next entry; those after the last to the
// collection, as its foot.
import { lineEnd, previousOf, textOf } from "../yaml/layout.ts";
import { pad } from "../yaml/lines.ts";
import { childrenOf, Field, field, type Node, parentOf } from "../yaml/tape.ts";

/** The comments above an entry, each on a line of its own. */
export function commentsAbove(entry: Node, parent: Node): string {
  const text = textOf(entry.doc);
  const before = previousOf(entry);
  const end = before === undefined ? field(parent, Field.body) : field(before, Field.end);
  const start = before === undefined ? end : lineEnd(text, end);
  return commentLines(text.slice(start, field(entry, Field.entry)), field(entry, Field.column));
}

/** The comment after an entry, with a space before it. */
export function commentBehind(entry: Node): string {
  const parent = parentOf(entry);
  if (parent === undefined || entry.doc.isTidy === true) return "";
  const text = textOf(entry.doc);
  const row = field(entry, Field.next);
  const isLast = row >= field(parent, Field.next);
  const limit = isLast ? field(parent, Field.end) : field({ doc: entry.doc, row }, Field.entry);
  const from = field(entry, Field.end);
  const [comment] = commentsIn(text.slice(from, Math.min(lineEnd(text, from), limit)));
  return comment === undefined ? "" : ` ${comment}`;
}

/** The comments between the line of the last entry and the closing bracket. */
export function commentsAtEnd(collection: Node, column: number): string {
  const last = childrenOf(collection).at(-1);
  const text = textOf(collection.doc);
  const from = last === undefined ? field(collection, Field.body) : lineEnd(text, field(last, Field.end));
  return commentLines(text.slice(from, field(collection, Field.end)), column);
}

function commentLines(gap: string, column: number): string {
  return commentsIn(gap)
    .map((comment) => `${pad(column)}${comment}\n`)
    .join("");
}

function commentsIn(gap: string): string[] {
  return gap.split("\n").flatMap((line) => /#.*/.exec(line)?.[0] ?? []);
}
