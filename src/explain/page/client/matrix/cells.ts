// The elements of the matrix: heads of columns, headings, paths and cells. Equal numbers in a row are equal values; the
// colour only repeats the number, and the most common value has neither.
import { badge } from "../badge.ts";
import { element, marked } from "../dom.ts";
import { count } from "../words.ts";
import type { Line, Shown } from "./filter.ts";
import type { Sheet, SheetRow } from "./sheet.ts";

export interface Drawing extends Shown {
  readonly sheet: Sheet;
  /** What is searched for in paths, in lower case. */
  readonly path: string;
  /** What names of builds start with, all of them: heads leave it out. */
  readonly prefix: string;
}

/** The columns that are drawn: from one place among those shown to another. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

const hues = 8;

/** The number of a value in its row: the most common one is 1. */
export function rankBadge(rank: number): HTMLElement {
  return badge(`${rank + 1}`, hueOf(rank));
}

function hueOf(rank: number): string {
  return rank === 0 ? "first" : `hue-${(rank - 1) % hues}`;
}

export function columnHead(at: number, { sheet, columns, prefix }: Drawing): HTMLElement {
  const name = sheet.builds[columns[at] ?? 0] ?? "";
  const attributes = { role: "columnheader", class: "cell", "aria-colindex": `${at + 2}`, title: name };
  return element("div", attributes, element("span", { class: "build" }, name.slice(prefix.length)));
}

/** A row as its cells, and as the path or heading that stays at the left. */
export interface DrawnLine {
  readonly row: HTMLElement;
  readonly side: HTMLElement;
}

/**
 * What stays at the left is in one element for all rows: if each row had its own, a browser would compose dozens of
 * layers a frame. Screen readers find it in the row.
 */
export function drawLine(line: Line, index: number, span: Span, drawing: Drawing): DrawnLine {
  const found = line.row === undefined ? undefined : drawing.sheet.rows[line.row];
  const row = element("div", { role: "row", class: "line", "aria-rowindex": `${index + 2}` });
  const head = { role: "rowheader", "aria-colindex": "1" };
  if (line.row === undefined || found === undefined) {
    const notes = headingNotes(line, drawing);
    const label = notes.join(", ");
    row.append(element("div", { ...head, "aria-colspan": `${drawing.columns.length + 1}` }, label));
    const [title = "", ...others] = notes;
    const parts = others.map((note) => element("span", { class: "note" }, note));
    return {
      row,
      side: element("div", { class: "heading", title: label }, element("b", {}, title), ...parts),
    };
  }
  row.append(element("div", head, found.text || everything));
  for (let at = span.from; at < span.to; at++) row.append(valueCell(line.row, at, drawing));
  return { row, side: pathElement(found, drawing) };
}

const everything = "everything";

/** The target, its stack, and what its rows do not show. */
function headingNotes({ table, stack }: Line, { sheet }: Drawing): string[] {
  const { title = "", encoded, hasEqualRows = false } = sheet.tables[table] ?? {};
  const { equal = 0, absentIn = [] } = encoded ?? {};
  const absent = absentIn.map((build) => sheet.builds[build]);
  return [
    title,
    stack,
    hasEqualRows || equal === 0 ? "" : `${count(equal, "path")} equal everywhere`,
    absent.length === 0 ? "" : `not in ${count(absent.length, "build")}: ${absent.join(", ")}`,
  ].filter((note, at) => at === 0 || note !== "");
}

/** The last key distinguishes rows: where there is no room, what is above it is cut. */
function pathElement({ text, above }: SheetRow, { path: query }: Drawing): HTMLElement {
  const [start, last] = [text.slice(0, above), text.slice(above)];
  const isIn = [start, last].some((part) => part.toLowerCase().includes(query));
  // What is searched for may be in both parts: then the last key is marked.
  const wanted = isIn || !text.toLowerCase().includes(query) ? query : last.toLowerCase();
  const cut = element("span", { class: "above" }, element("bdi", { dir: "ltr" }, marked(start, query)));
  const end = element("span", { class: "last" }, marked(text === "" ? everything : last, wanted));
  return element("div", { class: "path", title: text }, above === 0 ? undefined : cut, end);
}

/** One element each, as there are many: the number of the value is drawn by the style, and is in the label. */
function valueCell(row: number, at: number, drawing: Drawing): HTMLElement {
  const { sheet, columns, meant } = drawing;
  const build = columns[at] ?? 0;
  const group = sheet.groupAt(row, build);
  const { first = 0, end = 0 } = sheet.rows[row] ?? {};
  const rank = group === 0 ? 0 : group - first;
  const isMeant = meant?.has(row, build);
  const text = sheet.textAt(row, build);
  const made = blank.cloneNode(false) as HTMLElement;
  made.className = classOf(sheet.kinds[group] ?? "absent", rank, isMeant);
  made.ariaColIndex = `${at + 2}`;
  if (rank > 0) {
    made.dataset["rank"] = `${rank + 1}`;
    made.ariaLabel = `${text}, value ${rank + 1} of ${end - first}, in ${count(sheet.sizes[group] ?? 0, "build")}`;
  }
  made.textContent = text;
  return made;
}

const blank = element("div", { role: "gridcell" });

function classOf(kind: string, rank: number, isMeant: boolean | undefined): string {
  const hue = rank === 0 ? "common" : `group ${hueOf(rank)}`;
  return `cell ${kind} ${hue}${isMeant === undefined ? "" : isMeant ? " meant" : " other"}`;
}
