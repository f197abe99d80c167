// Regular expressions as Go reads them, because Helm does: linear time, and no lookahead. Loaded only where a schema
// has a pattern.
import { RE2JS } from "re2js";

export interface Pattern {
  /** States times characters of a search in a text of this length; none where there will be no search. */
  work(length: number): number;
  /** Undefined where telling would take too long. */
  test(text: string): boolean | undefined;
}

/** The work of one search at most. */
const mostWork = 50_000_000;

/** Undefined for what Go's syntax does not know. Never throws. */
export function compilePattern(text: string): Pattern | undefined {
  try {
    const pattern = RE2JS.compile(text);
    const size = pattern.programSize();
    const isTooMuch = (length: number): boolean => size * length > mostWork;
    return {
      work: (length) => (isTooMuch(length) ? 0 : size * length),
      test: (value) => (isTooMuch(value.length) ? undefined : pattern.test(value)),
    };
  } catch {
    return undefined;
  }
}
