// Texts in Markdown, in which nothing of them acts.

import { longestCell } from "./cut-around.ts";

/** As code in a table, whatever backticks, bars and ends of lines are in it; a comment is no place for long texts. */
export function tableCode(text: string): string {
  return code(text).replaceAll("|", "\\|");
}

/** The same outside of tables, where a bar is one. */
export function code(text: string): string {
  const line = text.length > longestCell ? `${text.slice(0, longestCell - 1)}…` : text;
  const safe = line.replaceAll(/[\r\n]/g, " ");
  const longest = (safe.match(/`+/g) ?? []).reduce((most, { length }) => Math.max(most, length), 0);
  const fence = "`".repeat(longest + 1);
  const pad = safe.startsWith("`") || safe.endsWith("`") ? " " : "";
  return safe === "" ? "` `" : `${fence}${pad}${safe}${pad}${fence}`;
}

/** Words, with nothing in them that Markdown reads. */
export function plain(text: string): string {
  return text.replaceAll(/[\r\n]/g, " ").replaceAll(/[\\<>[\]*_`|~]/g, (character) => `\\${character}`);
}
