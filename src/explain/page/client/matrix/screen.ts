// What is on the screen of a comparison: filters, the matrix, and the panel of a cell.
import { element } from "../dom.ts";
import { count } from "../words.ts";
import { filtered, isPattern, type Shown } from "./filter.ts";
import { Grid } from "./grid.ts";
import type { Cell } from "./measures.ts";
import { Filters } from "./filter-fields.ts";
import { panelContent } from "./panel.ts";
import type { Sheet } from "./sheet.ts";

export class Screen {
  private readonly sheet: Sheet;
  private readonly filters: Filters;
  private readonly grid = new Grid(
    (cell, isByKey) => this.open(cell, isByKey),
    (cell) => this.fillPanel(cell),
  );
  private readonly status = element("p", { role: "status" });
  private readonly empty = element("p", { class: "nothing" });
  private readonly panel = element("aside", { "aria-label": "The value of a cell", tabindex: "-1" });
  private readonly content = element("div", { class: "content" });
  private readonly prefix: string;
  private shown: Shown | undefined;

  constructor(sheet: Sheet) {
    this.sheet = sheet;
    this.prefix = prefixOf(sheet.builds);
    this.filters = new Filters(sheet, () => this.show());
  }

  start(): void {
    const title = element("h1", {}, "valuefold compare");
    const header = element("header", {}, title, this.status, this.filters.button, this.filters.form);
    const close = element("button", { type: "button", class: "close" }, "Close");
    close.addEventListener("click", () => this.close());
    this.panel.append(close, this.content);
    this.panel.hidden = true;
    const main = element("main", {}, ...this.warnings(), this.empty, this.grid.view);
    document.body.append(header, main, this.panel);
    addEventListener("keydown", (event) => this.press(event));
    this.show();
  }

  private warnings(): HTMLElement[] {
    const { unread } = this.sheet;
    if (unread.length === 0) return [];
    const summary = element("summary", {}, `${count(unread.length, "thing")} could not be compared`);
    const items = unread.map((each) => element("li", {}, each));
    return [element("details", { class: "unread" }, summary, element("ul", {}, ...items))];
  }

  private show(): void {
    const { sheet, prefix } = this;
    const wanted = this.filters.wanted();
    const shown = filtered(sheet, wanted);
    this.shown = shown;
    this.filters.markWrong(shown.wrongAt);
    const isEmpty = shown.lines.length === 0 || shown.columns.length === 0;
    this.empty.hidden = !isEmpty;
    this.grid.view.hidden = isEmpty;
    this.empty.textContent = isEmpty ? this.emptyText() : "";
    this.status.textContent = this.statusText(shown);
    const path = isPattern(wanted.path) ? "" : wanted.path.toLowerCase();
    this.grid.show({ ...shown, sheet, prefix, path });
  }

  private emptyText(): string {
    if (this.filters.areSet()) return "No value matches these filters. Escape clears the one you are in.";
    const { builds } = this.sheet;
    return builds.length === 0
      ? "No builds were compared."
      : `No value differs between ${count(builds.length, "build")}.`;
  }

  private statusText({ rows, columns, wrongAt }: Shown): string {
    const { sheet } = this;
    const part = (shown: number, all: number, noun: string): string =>
      shown === all ? count(all, noun) : `${shown.toLocaleString("en")} of ${count(all, noun)}`;
    const wrong = wrongAt === undefined ? "" : `; the path cannot be read from character ${wrongAt} on`;
    return `${part(rows, sheet.rows.length, "path")}, ${part(columns.length, sheet.builds.length, "build")}${wrong}`;
  }

  private open(cell: Cell, isByKey: boolean): void {
    this.panel.hidden = false;
    // The matrix is smaller now, and the cell may be out of sight.
    this.grid.resize();
    this.grid.activate(cell);
    if (isByKey) this.panel.focus();
  }

  /** While the panel is open it follows the active cell. */
  private fillPanel({ line, column }: Cell): void {
    if (this.panel.hidden) return;
    const row = this.shown?.lines[line]?.row;
    const build = this.shown?.columns[column];
    if (row === undefined || build === undefined) return;
    this.content.replaceChildren(
      ...panelContent(this.sheet, row, build).filter((child) => child !== undefined),
    );
    this.panel.scrollTop = 0;
  }

  private close(): void {
    this.panel.hidden = true;
    this.grid.resize();
    this.grid.view.focus();
  }

  private press(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { target } = event;
    if (event.key === "/" && !(target instanceof HTMLInputElement)) this.filters.focus();
    else if (event.key !== "Escape") return;
    else if (target instanceof HTMLInputElement && target.value !== "") this.filters.clear(target);
    else if (!this.panel.hidden) this.close();
    else return;
    event.preventDefault();
  }
}

/** The folders that all names start with. */
function prefixOf([first = "", ...others]: readonly string[]): string {
  let prefix = others.length === 0 ? "" : first.slice(0, first.lastIndexOf("/") + 1);
  while (prefix !== "" && !others.every((name) => name.startsWith(prefix)))
    prefix = prefix.slice(0, prefix.lastIndexOf("/", prefix.length - 2) + 1);
  return prefix;
}
