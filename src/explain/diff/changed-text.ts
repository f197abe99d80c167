// What an edit makes of a value: both on one line, cut to what differs; or the lines of a text that change.
//
//     0.1.0 → 0.2.0
//     2 of 40 lines change
//       - timeout: 5
//       + timeout: 9
import { count } from "../../core/index.ts";
import { textLinesOf } from "../block.ts";
import { cutAround } from "../cut-around.ts";

export interface ChangedText {
  readonly onLine: string;
  readonly below: readonly string[];
}

/** @param isVerbose true for whole values, and all lines */
export function changedText(was: string, is: string, isVerbose: boolean): ChangedText {
  const [old, now] = [textLinesOf(was), textLinesOf(is)];
  if (old === undefined || now === undefined) {
    const shown = isVerbose ? [was, is] : cutAround([was, is]);
    return { onLine: shown.join(" → "), below: [] };
  }
  const { removed, added } = changedLines(old, now);
  const marked = [...removed.map((line) => `- ${line}`), ...added.map((line) => `+ ${line}`)];
  const shown = isVerbose ? marked : marked.slice(0, mostLines);
  const rest = marked.length - shown.length;
  const more = rest === 0 ? [] : [`… ${count(rest, "more line")} (-v prints all)`];
  const changed = Math.max(removed.length, added.length);
  const total = count(Math.max(old.length, now.length), "line");
  return {
    onLine: `${changed} of ${total} ${changed === 1 ? "changes" : "change"}`,
    below: [...shown, ...more].map((line) => `    ${line}`),
  };
}

const mostLines = 20;

interface ChangedLines {
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

/** Without the lines at both ends that are equal. */
function changedLines(old: readonly string[], now: readonly string[]): ChangedLines {
  const shortest = Math.min(old.length, now.length);
  let start = 0;
  while (start < shortest && old[start] === now[start]) start++;
  let end = 0;
  while (end < shortest - start && old.at(-1 - end) === now.at(-1 - end)) end++;
  return { removed: old.slice(start, old.length - end), added: now.slice(start, now.length - end) };
}
