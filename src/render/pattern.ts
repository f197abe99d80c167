// Regular expressions as Go's `regexp` has them: RE2's syntax, linear time, matching anywhere in the text. Loaded only
// where a scope holds one.
import { RE2JS } from "re2js";

export interface Pattern {
  matches(text: string): boolean;
}

/** Undefined for what RE2 does not take. Its message quotes the pattern and is not shown. */
export function compilePattern(source: string): Pattern | undefined {
  try {
    const compiled = RE2JS.compile(source);
    return { matches: (text) => compiled.matcher(text).find() };
  } catch {
    return undefined;
  }
}
