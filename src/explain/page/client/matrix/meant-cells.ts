// The cells that the filters by value and layer mean. Every text is compared once, and cells only look up whether theirs is
// marked.
import type { Sheet } from "./sheet.ts";

export class MeantCells {
  private readonly sheet: Sheet;
  private readonly value: string;
  private readonly isAnyLayer: boolean;
  private readonly values: Uint8Array;
  private readonly layers: Uint8Array;

  constructor(sheet: Sheet, { value, layer }: { readonly value: string; readonly layer: string }) {
    const marks = (query: string): Uint8Array =>
      Uint8Array.from(["", ...sheet.lower], (text) => (text.includes(query) ? 1 : 0));
    this.sheet = sheet;
    this.value = value;
    this.isAnyLayer = layer === "";
    this.values = marks(value);
    this.layers = marks(layer);
    this.layers[0] = 0;
  }

  has(row: number, build: number): boolean {
    const layer = this.sheet.layerAt(row, build);
    if (!this.isAnyLayer && this.layers[layer] !== 1) return false;
    const group = this.sheet.groupAt(row, build);
    return group === 0 ? this.sheet.textAt(row, build).includes(this.value) : this.hasGroup(group);
  }

  isIn(row: number, columns: readonly number[]): boolean {
    const { first = 0, end = 0 } = this.sheet.rows[row] ?? {};
    // Rows have fewer groups than cells; builds without a value are in none.
    let isPossible = "no target, not compared".includes(this.value);
    for (let group = first; group < end && !isPossible; group++) isPossible = this.hasGroup(group);
    if (!isPossible) return false;
    for (const build of columns) if (this.has(row, build)) return true;
    return false;
  }

  private hasGroup(group: number): boolean {
    const text = this.sheet.texts[group] ?? 0;
    return text > 0 ? this.values[text] === 1 : this.sheet.textOf(group).includes(this.value);
  }
}
