// Values as rows, to and from text. A row is the difference from the one before it, and its place the difference from the
// one before it of the same layer: lines go up by little, so most numbers are one letter.
import type { OverriddenValue } from "../../explanation.ts";
import { NumberReader, writeDifference, writeNumber } from "./numbers.ts";

/** Numbers are those of the tables of the page. */
export interface Row {
  /** Among all layers of the target. */
  readonly layer: number;
  readonly mapping: boolean;
  /** 0 for none: counted from 1, as all that may be absent. */
  readonly text: number;
  readonly ground: number;
  readonly line: number;
  readonly column: number;
}

const effects: readonly OverriddenValue["effect"][] = ["replaced", "nulled", "same"];

interface Last {
  ground: number;
  line: number;
  column: number;
}

class LastPlaces {
  private readonly byLayer: Last[] = [];

  of(layer: number): Last {
    return (this.byLayer[layer] ??= { ground: 0, line: 0, column: 0 });
  }
}

export class RowWriter {
  private readonly last = new LastPlaces();
  private readonly pieces: string[] = [];
  private path = 0;

  /** A value; as many rows of overridden values must follow. */
  value(row: Row, path: number, overs: number): void {
    this.head(row, overs);
    this.pieces.push(writeDifference(path - this.path));
    this.path = path;
    this.rest(row);
  }

  over(row: Row, effect: OverriddenValue["effect"]): void {
    this.head(row, effects.indexOf(effect));
    this.rest(row);
  }

  get text(): string {
    return this.pieces.join("");
  }

  private head({ layer, mapping, ground }: Row, more: number): void {
    const moved = ground === this.last.of(layer).ground ? 0 : 2;
    this.pieces.push(writeNumber((mapping ? 1 : 0) + moved + 4 * more), writeNumber(layer));
  }

  private rest({ layer, text, ground, line, column }: Row): void {
    const last = this.last.of(layer);
    this.pieces.push(writeNumber(text));
    if (ground !== last.ground) this.pieces.push(writeNumber(ground));
    this.pieces.push(writeDifference(line - last.line), writeDifference(column - last.column));
    Object.assign(last, { ground, line, column });
  }
}

/** One row at a time; a million of them are read at every search, so a row is this reader's own fields. */
export class RowReader implements Row {
  layer = 0;
  mapping = false;
  text = 0;
  ground = 0;
  line = 0;
  column = 0;
  /** The path of the value, or of the value that overrides it. */
  path = 0;
  /** True for the value itself, false for one that it overrides. */
  isValue = false;
  effect: OverriddenValue["effect"] = "replaced";
  private left = 0;
  private readonly last = new LastPlaces();
  private readonly numbers: NumberReader;

  constructor(text: string) {
    this.numbers = new NumberReader(text);
  }

  /** Goes to the next row; false after the last. */
  next(): boolean {
    const { numbers } = this;
    if (numbers.isDone) return false;
    const head = numbers.number();
    const more = head >> 2;
    this.mapping = head % 2 === 1;
    this.layer = numbers.number();
    this.isValue = this.left === 0;
    if (this.isValue) this.path += numbers.difference();
    else this.effect = effects[more] ?? "replaced";
    this.left = this.isValue ? more : this.left - 1;
    this.readRest((head & 2) !== 0);
    return true;
  }

  private readRest(isMoved: boolean): void {
    const { numbers } = this;
    const last = this.last.of(this.layer);
    this.text = numbers.number();
    if (isMoved) last.ground = numbers.number();
    this.ground = last.ground;
    this.line = last.line += numbers.difference();
    this.column = last.column += numbers.difference();
  }
}
