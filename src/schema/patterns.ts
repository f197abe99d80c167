// Regular expressions in Go's syntax, because Helm is written in Go: linear time, and no lookahead. Loaded only if a
// schema has a pattern.
import { RE2JS } from "re2js";

export interface Pattern {
  /** Of a search in a text of this length: states times characters. 0 if that is too much and `test` does not search. */
  cost(length: number): number;
  /** Undefined if a search would take too long. */
  test(text: string): boolean | undefined;
}

/** Of one search. */
const mostCost = 50_000_000;

/** Undefined if the text is not valid in Go's syntax. Never throws. */
export function compilePattern(text: string): Pattern | undefined {
  try {
    const pattern = RE2JS.compile(text);
    const size = pattern.programSize();
    const isTooMuch = (length: number): boolean => size * length > mostCost;
    return {
      cost: (length) => (isTooMuch(length) ? 0 : size * length),
      test: (value) => (isTooMuch(value.length) ? undefined : pattern.test(value)),
    };
  } catch {
    return undefined;
  }
}
