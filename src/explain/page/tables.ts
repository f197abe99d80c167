// Texts, paths and files of a page: each is written once, and named by its number.
import type { Place } from "../../explanation.ts";
import type { Ground } from "./encoded.ts";
import { writeNumber } from "./numbers.ts";

export class Once<Thing> {
  readonly all: Thing[] = [];
  private readonly numbers = new Map<string, number>();

  numberOf(key: string, make: () => Thing): number {
    const known = this.numbers.get(key);
    if (known !== undefined) return known;
    this.numbers.set(key, this.all.length);
    return this.all.push(make()) - 1;
  }
}

export class Tables {
  readonly strings = new Once<string>();
  readonly paths = new Once<string>();
  readonly grounds = new Once<Ground>();

  string(text: string): number {
    return this.strings.numberOf(text, () => text);
  }

  path(keys: readonly string[]): number {
    let path = 0;
    for (const key of keys) {
      const step = writeNumber(path) + writeNumber(this.string(key));
      path = 1 + this.paths.numberOf(step, () => step);
    }
    return path;
  }

  /** From 1: a value may have no place. */
  ground({ line: _line, column: _column, ...ground }: Place): number {
    return 1 + this.grounds.numberOf(JSON.stringify(ground), () => ground);
  }
}
