// Cells in columns, for a terminal.
import { legible } from "../report/index.ts";

/** A text in a column. */
export interface Cell {
  readonly text: string;
  readonly paint?: (text: string) => string;
}

/** Cells in columns; an empty column takes no room. */
export function columns(rows: readonly (readonly Cell[])[], most = Number.POSITIVE_INFINITY): string[] {
  const texts = rows.map((cells) => cells.map(({ text }) => legible(text)));
  const widths: number[] = [];
  for (const cells of texts) {
    if (cells.length < 2) continue;
    for (const [index, { length }] of cells.entries())
      if (length <= most && length > (widths[index] ?? 0)) widths[index] = length;
  }
  return rows.map((cells, row) => lineOf(cells, texts[row] ?? [], widths));
}

function lineOf(cells: readonly Cell[], texts: readonly string[], widths: readonly number[]): string {
  const last = texts.findLastIndex((text) => text !== "");
  let line = "";
  for (let index = 0; index <= last; index++) {
    const [text = "", width = 0] = [texts[index], widths[index]];
    if (width === 0 && text === "") continue;
    line += cells[index]?.paint?.(text) ?? text;
    if (index < last) line += " ".repeat(Math.max(0, width - text.length) + 2);
  }
  return line;
}
