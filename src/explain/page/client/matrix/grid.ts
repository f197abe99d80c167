// The matrix on the screen. Only what is in sight, and a little around it, has elements: a window of lines and columns
// that follows the scrolling. The focus stays on the whole; `aria-activedescendant` names the active cell.
import { element } from "../dom.ts";
import { columnHead, type Drawing, type Span } from "./cells.ts";
import { DrawnLines } from "./drawn-lines.ts";
import type { Line } from "./filter.ts";
import { type Cell, Measures } from "./measures.ts";

/** Lines around those in sight; columns come in blocks, so that scrolling sideways draws seldom. */
const spare = 3;
const block = 2;

export class Grid {
  readonly view = element("div", {
    class: "grid",
    role: "grid",
    tabindex: "0",
    "aria-label": "Values by path and build",
  });
  private active: Cell | undefined;
  private readonly corner = element("div", { role: "columnheader", class: "corner", "aria-colindex": "1" });
  private readonly head = element("div", { role: "row", class: "head", "aria-rowindex": "1" }, this.corner);
  private readonly lines = new DrawnLines();
  private readonly measures = new Measures(this.view);
  private readonly onOpen: (cell: Cell, isByKey: boolean) => void;
  private readonly onMove: (cell: Cell) => void;
  private drawing: Drawing | undefined;
  private span: Span = { from: 0, to: 0 };

  constructor(onOpen: (cell: Cell, isByKey: boolean) => void, onMove: (cell: Cell) => void) {
    this.onOpen = onOpen;
    this.onMove = onMove;
    this.view.append(element("div", { role: "rowgroup", class: "top" }, this.head), this.lines.body);
    this.view.addEventListener("scroll", () => this.draw());
    this.view.addEventListener("click", (event) => this.click(event));
    this.view.addEventListener("keydown", (event) => this.press(event));
    this.view.addEventListener("focus", () => this.focused());
    new ResizeObserver(() => this.resize()).observe(this.view);
  }

  show(drawing: Drawing): void {
    this.drawing = drawing;
    this.view.setAttribute("aria-rowcount", `${drawing.lines.length + 1}`);
    this.view.setAttribute("aria-colcount", `${drawing.columns.length + 1}`);
    this.active = undefined;
    this.view.scrollTop = 0;
    this.redraw(drawing);
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

  /** After a change of its size, which the observer would notice a frame later. */
  resize(): void {
    if (this.drawing !== undefined && this.measures.isOutdated()) this.redraw(this.drawing);
  }

  private redraw(drawing: Drawing): void {
    // What is there is not measured again.
    this.clear();
    this.measures.fit(drawing);
    this.draw();
  }

  private clear(): void {
    this.lines.clear();
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
    this.lines.draw(first, end, this.span, drawing);
    this.markActive(drawing);
    this.nameCorner(drawing.lines[lines.from], drawing);
  }

  private drawHead(span: Span, drawing: Drawing): void {
    this.clear();
    this.span = span;
    this.measures.indent(span.from);
    const heads = Array.from({ length: span.to - span.from }, (_, at) => columnHead(span.from + at, drawing));
    this.head.replaceChildren(this.corner, ...heads);
  }

  /** Below its heading, a target is named here. */
  private nameCorner(line: Line | undefined, { sheet }: Drawing): void {
    const title = line?.row === undefined ? "Path" : (sheet.tables[line.table]?.title ?? "");
    if (this.corner.textContent !== title) this.corner.textContent = title;
  }

  private markActive(drawing: Drawing): void {
    if (this.lines.mark(this.active, this.span, drawing))
      this.view.setAttribute("aria-activedescendant", "active");
    else this.view.removeAttribute("aria-activedescendant");
  }

  /** By keys the first cell in sight becomes the active one; a pointer names its own. */
  private focused(): void {
    if (this.active !== undefined || !this.view.matches(":focus-visible")) return;
    const { lines, columns } = this.measures.window();
    this.activate({ line: lines.from, column: columns.from });
  }

  private click({ target }: Event): void {
    const cell = target instanceof Element ? target.closest("[role=gridcell]") : null;
    const line = cell?.parentElement?.ariaRowIndex ?? undefined;
    if (cell === null || line === undefined) return;
    const place = { line: Number(line) - 2, column: Number(cell.ariaColIndex) - 2 };
    this.activate(place);
    this.onOpen(place, false);
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
