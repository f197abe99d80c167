// The elements of the matrix: heads of columns, headings, paths and cells. Equal numbers in a row are equal values; the
// colour only repeats the number, and the most common value has neither.
import { badge } from "../badge.ts";
import { type Child, element, marked } from "../dom.ts";
import { count } from "../words.ts";
import type { Line, Shown } from "./filter.ts";
import type { Sheet, SheetRow } from "./sheet.ts";

export interface Drawing extends Shown {
  readonly sheet: Sheet;
  /** What is searched for in paths and values, in lower case. */
  readonly path: string;
  readonly value: string;
  /** What names of builds start with, all of them: heads leave it out. */
  readonly prefix: string;
}

/** The columns that are drawn: from one place among those shown to another. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

const hues = 8;

/** The mark of a value that is not the most common one. */
export function rankBadge(rank: number): HTMLElement {
  return badge(`${rank + 1}`, () => (rank === 0 ? "first" : `hue-${(rank - 1) % hues}`));
}

export function columnHead(at: number, { sheet, columns, prefix }: Drawing): HTMLElement {
  const name = sheet.builds[columns[at] ?? 0] ?? "";
  const attributes = { role: "columnheader", class: "cell", "aria-colindex": `${at + 2}`, title: name };
  return element("div", attributes, element("span", { class: "build" }, name.slice(prefix.length)));
}

export function lineElement(line: Line, index: number, span: Span, drawing: Drawing): HTMLElement {
  const { row } = line;
  const found = row === undefined ? undefined : drawing.sheet.rows[row];
  const made = element("div", { role: "row", class: "line", "aria-rowindex": `${index + 2}` });
  if (row === undefined || found === undefined) {
    made.classList.add("heading");
    made.append(headingCell(line, index, drawing));
    return made;
  }
  made.append(pathCell(found, drawing));
  for (let at = span.from; at < span.to; at++) made.append(valueCell(row, index, at, drawing));
  return made;
}

function headingCell({ table, stack }: Line, index: number, { sheet, columns }: Drawing): HTMLElement {
  const { title = "", encoded, hasEqualRows = false } = sheet.tables[table] ?? {};
  const { equal = 0, absentIn = [] } = encoded ?? {};
  const absent = absentIn.map((build) => sheet.builds[build]);
  const notes = [
    stack,
    hasEqualRows || equal === 0 ? "" : `${count(equal, "path")} equal everywhere`,
    absent.length === 0 ? "" : `not in ${count(absent.length, "build")}: ${absent.join(", ")}`,
  ].filter((note) => note !== "");
  const attributes = {
    role: "rowheader",
    class: "target",
    id: cellId(index, 0),
    "aria-colspan": `${columns.length + 1}`,
    "aria-colindex": "1",
    title: [title, ...notes].join(" · "),
  };
  return element(
    "div",
    attributes,
    element("b", {}, title),
    ...notes.map((note) => element("span", { class: "note" }, ` ${note}`)),
  );
}

/** The last key distinguishes rows: where there is no room, what is above it is cut. */
function pathCell({ text, above }: SheetRow, { path: query }: Drawing): HTMLElement {
  const [start, last] = [text.slice(0, above), text.slice(above)];
  const isIn = [start, last].some((part) => part.toLowerCase().includes(query));
  // What is searched for may be in both parts: then the last key is marked.
  const wanted = isIn || !text.toLowerCase().includes(query) ? query : last.toLowerCase();
  return element(
    "div",
    { role: "rowheader", class: "path", "aria-colindex": "1", title: text },
    above === 0 ? undefined : element("span", { class: "above" }, marked(start, query)),
    element("span", { class: "last" }, marked(text === "" ? "everything" : last, wanted)),
  );
}

function valueCell(row: number, index: number, at: number, drawing: Drawing): HTMLElement {
  const { sheet, columns, isMeant, value } = drawing;
  const build = columns[at] ?? 0;
  const group = sheet.groupAt(row, build);
  const { first = 0, end = 0 } = sheet.rows[row] ?? {};
  const rank = group === 0 ? 0 : group - first;
  const isOther = isMeant !== undefined && !isMeant(row, build);
  const kind = sheet.kinds[group] ?? "absent";
  const text = sheet.textOf(group);
  const attributes = {
    role: "gridcell",
    id: cellId(index, at),
    class: classOf(kind, rank, isOther),
    "aria-colindex": `${at + 2}`,
    "aria-label":
      group === 0
        ? text
        : `${text}, ${rankText(rank, end - first)}, ${count(sheet.sizes[group] ?? 0, "build")}`,
  };
  const content: Child[] = [
    rank === 0 ? undefined : rankBadge(rank),
    element("span", { class: "text" }, marked(text, isOther ? "" : value)),
  ];
  return element("div", attributes, ...content);
}

function classOf(kind: string, rank: number, isOther: boolean): string {
  const hue = rank === 0 ? "common" : `group hue-${(rank - 1) % hues}`;
  return `cell ${kind} ${hue}${isOther ? " other" : ""}`;
}

function rankText(rank: number, groups: number): string {
  if (groups === 1) return "the same everywhere";
  return rank === 0 ? "the most common value" : `value ${rank + 1} of ${groups}`;
}

/** Of a place in the matrix, and back. */
export function cellId(line: number, column: number): string {
  return `cell-${line}-${column}`;
}

export function placeOfId(id: string): { readonly line: number; readonly column: number } | undefined {
  const [, line, column] = /^cell-(\d+)-(\d+)$/.exec(id) ?? [];
  return line === undefined ? undefined : { line: Number(line), column: Number(column) };
}
