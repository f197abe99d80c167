// The matrix on the screen. Only what is in sight, and a little around it, has elements: a window of lines and columns
// that follows the scrolling. The focus stays on the whole; `aria-activedescendant` names the active cell.
import { element } from "../dom.ts";
import { cellId, columnHead, type Drawing, lineElement, placeOfId, type Span } from "./cells.ts";
import { Measures } from "./measures.ts";

export interface Cell {
  readonly line: number;
  readonly column: number;
}

/** Lines around those in sight; columns come in blocks, so that scrolling sideways draws seldom. */
const spare = 6;
const block = 4;

export class Grid {
  readonly view = element("div", {
    class: "grid",
    role: "grid",
    tabindex: "0",
    "aria-label": "Values by path and build",
  });
  active: Cell | undefined;
  private readonly corner = element("div", { role: "columnheader", class: "corner", "aria-colindex": "1" });
  private readonly head = element("div", { role: "row", class: "head", "aria-rowindex": "1" }, this.corner);
  private readonly body = element("div", { role: "rowgroup", class: "body" });
  private readonly lines = new Map<number, HTMLElement>();
  private readonly measures = new Measures(this.view);
  private readonly onOpen: (cell: Cell, isByKey: boolean) => void;
  private readonly onMove: (cell: Cell) => void;
  private drawing: Drawing | undefined;
  private span: Span = { from: 0, to: 0 };

  constructor(onOpen: (cell: Cell, isByKey: boolean) => void, onMove: (cell: Cell) => void) {
    this.onOpen = onOpen;
    this.onMove = onMove;
    this.view.append(element("div", { role: "rowgroup", class: "top" }, this.head), this.body);
    this.view.addEventListener("scroll", () => this.draw());
    this.view.addEventListener("click", (event) => this.click(event));
    this.view.addEventListener("keydown", (event) => this.press(event));
    this.view.addEventListener("focus", () => {
      if (this.active === undefined) this.activate({ line: 0, column: 0 });
    });
    new ResizeObserver(() => this.redraw()).observe(this.view);
  }

  show(drawing: Drawing): void {
    this.drawing = drawing;
    this.view.setAttribute("aria-rowcount", `${drawing.lines.length + 1}`);
    this.view.setAttribute("aria-colcount", `${drawing.columns.length + 1}`);
    this.active = undefined;
    this.view.scrollTop = 0;
    this.redraw();
  }

  /** Makes a cell the active one, and scrolls to it. */
  activate(wanted: Cell): void {
    const { lines = [], columns = [] } = this.drawing ?? {};
    if (lines.length === 0 || columns.length === 0) return;
    const cell = { line: clamp(wanted.line, lines.length), column: clamp(wanted.column, columns.length) };
    this.active = cell;
    this.measures.reveal(cell);
    this.draw();
    this.onMove(cell);
  }

  private redraw(): void {
    if (this.drawing === undefined || this.view.clientHeight === 0) return;
    this.measures.fit(this.drawing);
    this.clear();
    this.draw();
  }

  private clear(): void {
    this.lines.clear();
    this.body.replaceChildren();
    this.span = { from: 0, to: 0 };
  }

  private draw(): void {
    const { drawing, measures } = this;
    if (drawing === undefined) return;
    const { lines, columns } = measures.window();
    const from = Math.floor(columns.from / block) * block;
    const to = Math.min(drawing.columns.length, Math.ceil(columns.to / block) * block);
    if (from !== this.span.from || to !== this.span.to) this.drawHead({ from, to }, drawing);
    const first = Math.max(0, lines.from - spare);
    const end = Math.min(drawing.lines.length, lines.to + spare);
    this.drawLines(first, end, drawing);
    this.markActive();
    const title = drawing.sheet.tables[drawing.lines[lines.from]?.table ?? -1]?.title ?? "";
    if (this.corner.textContent !== title) this.corner.textContent = title;
  }

  private drawHead(span: Span, drawing: Drawing): void {
    this.clear();
    this.span = span;
    this.measures.indent(span.from);
    const heads = Array.from({ length: span.to - span.from }, (_, at) => columnHead(span.from + at, drawing));
    this.head.replaceChildren(this.corner, ...heads);
  }

  /** Keeps what is there: scrolling by a line draws a line. */
  private drawLines(first: number, end: number, drawing: Drawing): void {
    for (const [index, made] of this.lines) {
      if (index >= first && index < end) continue;
      made.remove();
      this.lines.delete(index);
    }
    for (let index = end - 1; index >= first; index--) {
      const line = drawing.lines[index];
      if (line === undefined || this.lines.has(index)) continue;
      const made = lineElement(line, index, this.span, drawing);
      this.measures.put(made, index);
      this.lines.set(index, made);
      this.body.insertBefore(made, this.lines.get(index + 1) ?? null);
    }
  }

  private markActive(): void {
    this.body.querySelector(".active")?.classList.remove("active");
    const { active, drawing } = this;
    const isHeading = active !== undefined && drawing?.lines[active.line]?.row === undefined;
    const id = active === undefined ? "" : cellId(active.line, isHeading ? 0 : active.column);
    const found = id === "" ? null : this.body.querySelector(`#${id}`);
    found?.classList.add("active");
    if (found === null) this.view.removeAttribute("aria-activedescendant");
    else this.view.setAttribute("aria-activedescendant", id);
  }

  private click({ target }: Event): void {
    const id = target instanceof Element ? (target.closest("[id^=cell-]")?.id ?? "") : "";
    const cell = placeOfId(id);
    if (cell === undefined) return;
    this.activate(cell);
    this.onOpen(cell, false);
  }

  private press(event: KeyboardEvent): void {
    if (event.altKey || event.metaKey) return;
    const cell = this.active ?? { line: 0, column: 0 };
    if (event.key === "Enter" || event.key === " ") this.onOpen(cell, true);
    else {
      const next = this.measures.step(cell, event.key, event.ctrlKey);
      if (next === undefined) return;
      this.activate(next);
    }
    event.preventDefault();
  }
}

function clamp(number: number, length: number): number {
  return Math.max(0, Math.min(length - 1, number));
}
