// Cells in columns, for a terminal.
import { legible } from "../report/index.ts";

/** A text in a column. */
export interface Cell {
  readonly text: string;
  readonly paint?: (text: string) => string;
  /** What a terminal that is too narrow may shorten: the path of a place, in its middle, or a value, at its end. Words stay. */
  readonly holds?: "place" | "value";
}

/** How a table is laid out. */
export interface TableLayout {
  /** A longer text widens no column. */
  readonly most?: number;
  /** The width of the terminal; without one, nothing is shortened. */
  readonly width?: number | undefined;
}

/** Cells in columns; an empty column takes no room. */
export function columns(
  rows: readonly (readonly Cell[])[],
  { most = Number.POSITIVE_INFINITY, width }: TableLayout = {},
): string[] {
  const whole = rows.map((cells) => cells.map(({ text }) => legible(text)));
  const texts = width === undefined ? whole : fitted(rows, whole, { most, width });
  const widths = widthsOf(texts, most);
  return rows.map((cells, row) => lineOf(cells, texts[row] ?? [], widths));
}

type Texts = readonly (readonly string[])[];

function widthsOf(texts: Texts, most: number): readonly number[] {
  const widths: number[] = [];
  for (const cells of texts) {
    if (cells.length < 2) continue;
    for (const [index, { length }] of cells.entries())
      if (length <= most && length > (widths[index] ?? 0)) widths[index] = length;
  }
  return widths;
}

function lineOf(cells: readonly Cell[], texts: readonly string[], widths: readonly number[]): string {
  const last = texts.findLastIndex((text) => text !== "");
  let line = "";
  for (let index = 0; index <= last; index++) {
    const [text = "", width = 0] = [texts[index], widths[index]];
    if (width === 0 && text === "") continue;
    line += cells[index]?.paint?.(text) ?? text;
    if (index < last) line += " ".repeat(Math.max(0, width - text.length) + gap);
  }
  return line;
}

const gap = 2;
/** A shorter text says nothing. */
const leastValue = 16;

/** Places first: their ends say which file and line it is, and values are what was asked for. */
function fitted(rows: readonly (readonly Cell[])[], whole: Texts, layout: Required<TableLayout>): Texts {
  let texts = whole;
  for (const holds of ["place", "value"] as const)
    for (const index of columnsOf(rows, holds)) {
      const room = roomIn(texts, index, layout);
      const shorter = texts.map((cells, row) => {
        const text = cells[index] ?? "";
        const most = text.length > layout.most ? (room.rows[row] ?? 0) : room.column;
        if (rows[row]?.[index]?.holds !== holds || text.length <= most) return text;
        return holds === "place" ? shortPlace(text, most) : cut(text, most);
      });
      const isClear = clearIn(texts, shorter, index);
      texts = texts.map((cells, row) =>
        cells.map((text, at) => (at === index && isClear(shorter[row] ?? "") ? (shorter[row] ?? "") : text)),
      );
    }
  return texts;
}

/** Whether a shorter text is that of one text alone: what differs must not look the same. */
function clearIn(texts: Texts, shorter: readonly string[], index: number): (text: string) => boolean {
  const meant = new Map<string, Set<string>>();
  for (const [row, text] of shorter.entries())
    meant.set(text, (meant.get(text) ?? new Set()).add(texts[row]?.[index] ?? ""));
  return (text) => (meant.get(text)?.size ?? 0) < 2;
}

/** The columns that hold such texts, the widest one first. */
function columnsOf(rows: readonly (readonly Cell[])[], holds: Cell["holds"]): readonly number[] {
  const widest = new Map<number, number>();
  for (const cells of rows)
    for (const [index, cell] of cells.entries())
      if (cell.holds === holds) widest.set(index, Math.max(widest.get(index) ?? 0, cell.text.length));
  return [...widest].toSorted(([, a], [, b]) => b - a).map(([index]) => index);
}

/** How long the text of a column may be, in each row and in all of them, if the others stay as they are. */
function roomIn(
  texts: Texts,
  index: number,
  { most, width }: Required<TableLayout>,
): { readonly rows: readonly number[]; readonly column: number } {
  const widths = widthsOf(texts, most);
  const rows = texts.map((cells) => {
    const last = cells.findLastIndex((text) => text !== "");
    const others = cells.slice(0, last + 1).map((text, at) => {
      const own = at === last ? text.length : Math.max(text.length, widths[at] ?? 0);
      return at === index ? 0 : own;
    });
    return (width ?? 0) - others.reduce((sum, each) => sum + each, 0) - gap * Math.max(last, 0);
  });
  const own = rows.filter((_, row) => index < (texts[row]?.length ?? 0));
  // A row that is too long whatever its text is shortens no other.
  const fitting = own.filter((room) => room >= leastValue);
  const asked = fitting.length > 0 ? fitting : own;
  return { rows, column: asked.reduce((least, each) => Math.min(least, each), Number.POSITIVE_INFINITY) };
}

function cut(text: string, most: number): string {
  const length = Math.max(most, leastValue);
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}

/** `apps/production/shop/podinfo.yaml:7:19` → `apps/…/podinfo.yaml:7:19`: the name of the file and its line stay. */
function shortPlace(text: string, most: number): string {
  return text.replace(/\S*\/\S*:\d+(?=\s|$)/, (path) => {
    const segments = path.split("/");
    const last = segments.pop() ?? "";
    const room = most - (text.length - path.length) - last.length - "…/".length;
    let head = "";
    for (const segment of segments) {
      if (head.length + segment.length + 1 > room) break;
      head += `${segment}/`;
    }
    const short = `${head}…/${last}`;
    return short.length < path.length ? short : path;
  });
}
