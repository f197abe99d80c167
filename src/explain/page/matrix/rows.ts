// Rows of the matrix, to and from text. A cell is the difference from the one before it in its row: builds that set a
// value alike do so on neighbouring lines of files that come one after the other.
import type { ComparedGroup } from "../../../comparison.ts";
import type { OverriddenValue } from "../../../explanation.ts";
import { NumberReader, writeDifference } from "../numbers.ts";

export const effects: readonly OverriddenValue["effect"][] = ["replaced", "nulled", "same"];

/** Numbers are those of the tables of the page. */
export interface CellNumbers {
  readonly set: number;
  readonly source: number;
  /** From 1; 0 for none, and so for lines and columns. */
  readonly chain: number;
  readonly line: number;
  readonly column: number;
}

const fields = ["set", "source", "chain", "line", "column"] as const;

export function groupHead({ secret, unset, cells }: ComparedGroup): number {
  return (secret === true ? 1 : 0) + (unset === true ? 2 : 0) + 4 * cells.length;
}

export class CellWriter {
  private last: CellNumbers = { set: 0, source: 0, chain: 0, line: 0, column: 0 };

  cell(numbers: CellNumbers): string {
    const { last } = this;
    this.last = numbers;
    return fields.map((field) => writeDifference(numbers[field] - last[field])).join("");
  }
}

/** One row, group by group and cell by cell; they are read by the hundred thousand, so a cell is this reader's own fields. */
export class MatrixReader implements CellNumbers {
  readonly path: number;
  /** From 1, as all that may be absent. */
  readonly stack: number;
  isSecret = false;
  isUnset = false;
  text = 0;
  set = 0;
  source = 0;
  chain = 0;
  line = 0;
  column = 0;
  private left = 0;
  private readonly numbers: NumberReader;

  constructor(row: string) {
    this.numbers = new NumberReader(row);
    this.path = this.numbers.number();
    this.stack = this.numbers.number();
  }

  /** Goes to the next group, after all cells of the last one; false after the last. */
  nextGroup(): boolean {
    const { numbers } = this;
    if (numbers.isDone) return false;
    const head = numbers.number();
    this.isSecret = head % 2 === 1;
    this.isUnset = (head & 2) !== 0;
    this.left = head >> 2;
    this.text = numbers.number();
    return true;
  }

  nextCell(): boolean {
    if (this.left === 0) return false;
    const { numbers } = this;
    this.left--;
    this.set += numbers.difference();
    this.source += numbers.difference();
    this.chain += numbers.difference();
    this.line += numbers.difference();
    this.column += numbers.difference();
    return true;
  }
}
