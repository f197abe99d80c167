// Regular expressions as Go reads them, because Helm does: linear time, and no lookahead. Loaded only where a schema
// has a pattern.
import { RE2JS } from "re2js";

export interface Pattern {
  /** Undefined where telling would take too long. */
  test(text: string): boolean | undefined;
}

/** Steps of a search at most: the states of a pattern times the length of a text. */
const mostSteps = 50_000_000;

/** Undefined for what Go's syntax does not know. Never throws. */
export function compilePattern(text: string): Pattern | undefined {
  try {
    const pattern = RE2JS.compile(text);
    const size = pattern.programSize();
    return {
      test: (value) => (size * value.length > mostSteps ? undefined : pattern.test(value)),
    };
  } catch {
    return undefined;
  }
}
