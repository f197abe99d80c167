// Sizes and places in the matrix, in pixels: all lines have one height and all columns one width, so that a place in it
// is a multiplication.
import type { Drawing } from "./cells.ts";
import type { Sheet } from "./sheet.ts";

const lineHeight = 28;
const headHeight = 40;
/** Of a letter in the font of values, at its size. */
const letter = 7.3;
const padding = 18;
const pathPadding = 26;
const badgeWidth = 26;

/** A place in the matrix: a line, and a column among those shown. */
export interface Cell {
  readonly line: number;
  readonly column: number;
}

interface Range {
  readonly from: number;
  readonly to: number;
}

export class Measures {
  private readonly view: HTMLElement;
  private lengths: ReturnType<typeof lengthsIn> | undefined;
  private width = 0;
  private height = 0;
  private column = 100;
  private path = 200;

  constructor(view: HTMLElement) {
    this.view = view;
  }

  /** True if the size of the whole is not the one that was measured. */
  isOutdated(): boolean {
    const { clientWidth, clientHeight } = this.view;
    return clientHeight > 0 && (clientWidth !== this.width || clientHeight !== this.height);
  }

  /** Columns are as wide as most of their values, and wider if there is room. */
  fit({ sheet, columns, lines, prefix }: Drawing): void {
    const { clientWidth: width, clientHeight: height } = this.view;
    Object.assign(this, { width, height });
    const { letters, longest } = (this.lengths ??= lengthsIn(sheet, prefix));
    this.path = Math.round(
      Math.min(width * 0.45, Math.max(150, Math.min(440, longest * letter + pathPadding))),
    );
    const wanted = Math.min(24, Math.max(9, letters)) * letter + padding;
    const room = (width - this.path) / Math.max(1, columns.length);
    this.column = Math.floor(Math.max(wanted, Math.min(room, 2 * wanted)));
    this.set("--column", this.column);
    this.set("--path", this.path);
    this.set("--view", width);
    this.set("--line-height", lineHeight);
    this.set("--head-height", headHeight);
    this.set("--width", this.path + columns.length * this.column);
    this.set("--height", lines.length * lineHeight);
  }

  /** What is in sight. */
  window(): { readonly lines: Range; readonly columns: Range } {
    const { scrollTop, scrollLeft, clientHeight, clientWidth } = this.view;
    return {
      lines: range(scrollTop, scrollTop + clientHeight - headHeight, lineHeight),
      columns: range(scrollLeft, scrollLeft + clientWidth - this.path, this.column),
    };
  }

  /** The columns that are left out before the first one that is drawn. */
  indent(columns: number): void {
    this.set("--indent", columns * this.column);
  }

  reveal({ line, column }: Cell): void {
    const { view } = this;
    const top = line * lineHeight;
    const left = column * this.column;
    const height = view.clientHeight - headHeight - lineHeight;
    const width = view.clientWidth - this.path - this.column;
    const to = {
      top: Math.min(top, Math.max(view.scrollTop, top - height)),
      left: Math.min(left, Math.max(view.scrollLeft, left - width)),
    };
    if (to.top !== view.scrollTop || to.left !== view.scrollLeft) view.scrollTo(to.left, to.top);
  }

  /** The cell that a key leads to. */
  step({ line, column }: Cell, key: string, isFar: boolean): Cell | undefined {
    const page = Math.max(1, Math.floor((this.view.clientHeight - headHeight) / lineHeight) - 1);
    const end = Number.MAX_SAFE_INTEGER;
    const steps: Readonly<Record<string, Cell>> = {
      ArrowUp: { line: isFar ? 0 : line - 1, column },
      ArrowDown: { line: isFar ? end : line + 1, column },
      ArrowLeft: { line, column: isFar ? 0 : column - 1 },
      ArrowRight: { line, column: isFar ? end : column + 1 },
      PageUp: { line: line - page, column },
      PageDown: { line: line + page, column },
      Home: { line: isFar ? 0 : line, column: 0 },
      End: { line: isFar ? end : line, column: end },
    };
    return steps[key];
  }

  private set(name: string, pixels: number): void {
    this.view.style.setProperty(name, `${pixels}px`);
  }
}

/** Where a line is. */
export function topOf(line: number): string {
  return `${line * lineHeight}px`;
}

function range(start: number, end: number, size: number): Range {
  return { from: Math.floor(start / size), to: Math.ceil(end / size) };
}

/** In letters: what most columns and most paths need. Of many values a sample is enough. */
function lengthsIn(sheet: Sheet, prefix: string): { readonly letters: number; readonly longest: number } {
  const step = Math.ceil(sheet.texts.length / 5000);
  const texts = sheet.texts.flatMap((_, group) => (group % step === 0 ? [sheet.textOf(group).length] : []));
  const names = sheet.builds.map((name) => name.length - prefix.length);
  const letters = Math.max(most(texts) + badgeWidth / letter, Math.min(most(names), 18));
  return { letters, longest: most(sheet.rows.map(({ text }) => text.length)) };
}

/** The length that nine of ten do not exceed. */
function most(lengths: readonly number[]): number {
  return lengths.toSorted((a, b) => a - b)[Math.floor(lengths.length * 0.9)] ?? 0;
}
