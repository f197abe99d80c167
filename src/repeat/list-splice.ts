// Elements put in the place of others in a list, in block and in bracket style; the rest of the list stays byte for byte.
import type { Edit } from "../wire/envelope.ts";
import { childrenOf, isFlow, type Node } from "../yaml/tape.ts";
import { grouped } from "../grouped.ts";
import { wholeText } from "./elements.ts";
import { between } from "./list-between.ts";
import { filled } from "./list-brackets.ts";
import { inLines } from "./list-lines.ts";

/** Elements of a list that go, and what comes instead. */
export interface Splice {
  readonly list: Node;
  /** Where the template stood in the list as it was. */
  readonly index: number;
  readonly at: number;
  readonly count: number;
  readonly texts: readonly string[];
}

/** Changes of one list are made in one go, with the elements between them: each could touch the next. */
export function spliceAll(splices: readonly Splice[]): Edit[] {
  return [...grouped(splices, ({ list }) => list.row).values()].flatMap((own) => {
    const sorted = own.toSorted((a, b) => a.at - b.at || a.index - b.index);
    const [first, ...more] = sorted;
    if (first === undefined) return [];
    if (isFlow(first.list) && childrenOf(first.list).length > 0) return betweenBrackets(first.list, sorted);
    const children = childrenOf(first.list);
    let { texts } = first;
    let end = first.at + first.count;
    for (const { at, count, texts: next } of more) {
      texts = [...texts, ...children.slice(end, at).map(wholeText), ...next];
      end = at + count;
    }
    return splice(first.list, first.at, end - first.at, texts);
  });
}

function betweenBrackets(list: Node, splices: readonly Splice[]): Edit[] {
  const isSame = splices.every(({ count, texts }) => count === 0 && texts.length === 0);
  return isSame ? [] : [between(list, splices)];
}

/** @param at index of the first that goes @param count how many go @param texts what comes instead */
function splice(list: Node, at: number, count: number, texts: readonly string[]): Edit[] {
  const children = childrenOf(list);
  if (count === 0 && texts.length === 0) return [];
  return [children.length === 0 ? filled(list, texts) : inLines(list, children, at, count, texts)];
}
