// The rows of the matrix that have elements: those in sight, and a few around them.
import { element } from "../dom.ts";
import { type Drawing, drawLine, type DrawnLine, type Span } from "./cells.ts";
import { type Cell, topOf } from "./measures.ts";

export class DrawnLines {
  readonly body = element("div", { role: "rowgroup", class: "body" });
  /** Paths and headings, for the eye only. */
  private readonly side = element("div", { class: "side", "aria-hidden": "true" });
  private readonly lines = new Map<number, DrawnLine>();

  clear(): void {
    this.lines.clear();
    this.body.replaceChildren(this.side);
    this.side.replaceChildren();
  }

  /** Keeps what is there: scrolling by a line draws a line. */
  draw(first: number, end: number, span: Span, drawing: Drawing): void {
    for (const [index, made] of this.lines) {
      if (index >= first && index < end) continue;
      made.row.remove();
      made.side.remove();
      this.lines.delete(index);
    }
    for (let index = end - 1; index >= first; index--) {
      const line = drawing.lines[index];
      if (line === undefined || this.lines.has(index)) continue;
      this.put(drawLine(line, index, span, drawing), index);
    }
  }

  /** Marks a cell of a row, or a heading as a whole. False if it has no element. */
  mark(active: Cell | undefined, { from, to }: Span, { lines }: Drawing): boolean {
    this.body.querySelector("#active")?.removeAttribute("id");
    this.side.querySelector(".active")?.classList.remove("active");
    const line = active === undefined ? undefined : this.lines.get(active.line);
    if (active === undefined || line === undefined) return false;
    const isHeading = lines[active.line]?.row === undefined;
    if (isHeading) line.side.classList.add("active");
    const isDrawn = isHeading || (active.column >= from && active.column < to);
    const found = isDrawn ? line.row.children[isHeading ? 0 : 1 + active.column - from] : undefined;
    found?.setAttribute("id", "active");
    return found !== undefined;
  }

  private put(made: DrawnLine, index: number): void {
    for (const each of [made.row, made.side]) each.style.setProperty("top", topOf(index));
    this.lines.set(index, made);
    const next = this.lines.get(index + 1);
    this.body.insertBefore(made.row, next?.row ?? null);
    this.side.insertBefore(made.side, next?.side ?? null);
  }
}
