// Regular expressions in Go's syntax, because Helm is written in Go: linear time, and no lookahead. Loaded only if a
// schema has a pattern.
import { RE2JS } from "re2js";

export interface Pattern {
  /** The steps of judging that a search in a text costs. */
  steps(text: string): number;
  /** Undefined if a search would take too long. */
  test(text: string): boolean | undefined;
}

/** Of one search, as states times characters. With more, `test` does not search. */
const mostCost = 50_000_000;
const costPerStep = 256;

/** Undefined if the text is not valid in Go's syntax. Never throws. */
export function compilePattern(text: string): Pattern | undefined {
  try {
    const pattern = RE2JS.compile(text);
    // Of an empty text, too: there may be thousands of patterns, and of keys.
    const costOf = ({ length }: string): number => pattern.programSize() * (length + 1);
    const isTooMuch = (value: string): boolean => costOf(value) > mostCost;
    return {
      steps: (value) => (isTooMuch(value) ? 0 : costOf(value) / costPerStep),
      test: (value) => (isTooMuch(value) ? undefined : pattern.test(value)),
    };
  } catch {
    return undefined;
  }
}
