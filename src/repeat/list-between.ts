// Elements put in the place of others between brackets, each with its comments.
import { newPart, type Part, partsOf, rewritten } from "../wire/bracket-parts.ts";
import type { Edit } from "../wire/envelope.ts";
import type { Node } from "../yaml/tape.ts";
import { inBrackets } from "./elements.ts";
import { isJson } from "./list-brackets.ts";

/** Elements that go, and what comes instead. */
interface Change {
  readonly at: number;
  readonly count: number;
  readonly texts: readonly string[];
}

/** @param list in brackets, not empty @param changes of that list, in its order */
export function between(list: Node, changes: readonly Change[]): Edit {
  const parts = partsOf(list);
  const inJson = isJson(list);
  // From behind, so that places before stay as they are.
  for (const change of changes.toReversed()) put(parts, change, inJson);
  return rewritten(list, parts);
}

function put(all: Part[], { at, count, texts }: Change, inJson: boolean): void {
  const [first, last, next] = [all[at], all[at + count - 1], all[at + count]];
  const text = inBrackets(texts, inJson);
  if (texts.length === 0) all.splice(at, count);
  else if (count > 0)
    all.splice(at, count, { ...newPart(text), lead: first?.lead ?? " ", trail: last?.trail ?? "" });
  else if (next === undefined || next.lead.includes("#")) all.splice(at, 0, newPart(text));
  else all.splice(at, 1, { ...next, text: `${text}, ${next.text}` });
}
