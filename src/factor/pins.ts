// What a cut leaves in its file: what an alias that stays refers to stays whole, and a list stays in its order where a text
// in it refers to an element before it.
import { type Document, Node } from "../yaml/index.ts";
import type { Part } from "./part.ts";

export class Pins {
  private readonly rows = new Map<Document, Set<number>>();
  private readonly ordered = new Map<Document, Set<number>>();

  /** What is left of a part, with all that is pinned. */
  kept(part: Part, left: Part | undefined): Part | undefined {
    if (this.rows.get(part.node.doc)?.has(part.node.row) === true) return part;
    return left === undefined && part.members === undefined && this.holdIn(part) ? part : left;
  }

  /** True if something in a part, or all of it, is pinned. */
  holdIn({ node: { doc, row } }: Part): boolean {
    const end = new Node(doc, row).nextRow;
    return [...(this.rows.get(doc) ?? [])].some((pinned) => row <= pinned && pinned < end);
  }

  isOrdered({ doc, row }: Node): boolean {
    return this.ordered.get(doc)?.has(row) === true;
  }

  /** True if the list was free until now. */
  keepOrder(list: Node): boolean {
    return added(this.ordered, list.doc, list.row);
  }

  /** Pins what aliases refer to, if they are in a rest and it is not. True if there is something new. */
  keepTargets(rest: Part): boolean {
    const [first] = wholesIn(rest);
    const { doc } = (first ?? rest).node;
    if (doc.targets.size === 0) return false;
    const holds = holder(wholesIn(rest).filter(({ node }) => node.doc === doc));
    let isNew = false;
    for (const [alias, target] of doc.targets)
      if (holds(alias) && !holds(target) && added(this.rows, doc, target)) isNew = true;
    return isNew;
  }
}

function added(rows: Map<Document, Set<number>>, doc: Document, row: number): boolean {
  const known = rows.get(doc) ?? new Set();
  rows.set(doc, known);
  return known.size < known.add(row).size;
}

/** The parts of a part that are as they are in their files, in the order in which they are written. */
export function wholesIn(part: Part): readonly Part[] {
  if (part.isWhole) return [part];
  const inner = part.members?.values() ?? part.items?.values() ?? [];
  return [...inner].flatMap(wholesIn);
}

/** Whether a row of a document is in one of several parts of it. */
function holder(wholes: readonly Part[]): (row: number) => boolean {
  const ranges: (readonly [start: number, end: number])[] = [];
  for (const node of wholes.map((part) => part.node).toSorted((a, b) => a.row - b.row))
    if (node.row >= (ranges.at(-1)?.[1] ?? 0)) ranges.push([node.row, node.nextRow]);
  return (row) => {
    let [low, high] = [0, ranges.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ranges[middle]?.[0] ?? 0) <= row) low = middle + 1;
      else high = middle;
    }
    return row < (ranges[low - 1]?.[1] ?? 0);
  };
}
