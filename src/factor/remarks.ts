// Comments: of equal values the base takes the one that says most about itself.
import { extentOf, type Node, textOf } from "../yaml/index.ts";
import type { Part } from "./part.ts";

const known = new WeakMap<Part, number>();

/** How many comments an entry has: above it, in it, and after it on its line. */
export function remarksOf(part: Part): number {
  let count = known.get(part);
  if (count === undefined) known.set(part, (count = countIn(part.node)));
  return count;
}

function countIn(node: Node): number {
  const parent = node.parent;
  if (node.doc.isTidy === true || node.doc.plain?.comments === false) return 0;
  if (parent === undefined || parent.isFlow) return 0;
  const { lead, end } = extentOf(node);
  return (
    textOf(node.doc)
      .slice(lead, end)
      .match(/(?:^|\s)#/gm)?.length ?? 0
  );
}

/** Of several parts the one with the most comments; of those the shortest, then the first. */
export function wordiest(parts: readonly Part[]): Part {
  let [best] = parts as [Part];
  for (const part of parts) {
    const more = remarksOf(part) - remarksOf(best);
    if (more > 0 || (more === 0 && part.lines < best.lines)) best = part;
  }
  return best;
}

const comment = /(?:^|\s)(#[^\n]*)/g;

/** The comments of a text, each once: those of a few characters are lines of dashes and the like. */
export function commentsIn(source: string): Map<string, number> {
  const found = new Map<string, number>();
  for (const match of source.matchAll(comment)) {
    const text = (match[1] ?? "").trim();
    if (text.length > 3 && !found.has(text)) found.set(text, match.index + match[0].indexOf("#"));
  }
  return found;
}
