// Regular expressions of scopes against Go's own: what both take matches the same names.
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { compilePattern } from "../../src/render/scope.ts";
import { Oracle } from "./oracle.ts";
import { seed } from "../support/seed.ts";

interface Answer {
  readonly matches: readonly (readonly string[] | null)[];
}

const oracle = new Oracle<
  { readonly patterns: readonly string[]; readonly names: readonly string[] },
  Answer
>("konfigure-oracle");
afterAll(() => oracle.close());

const runs = Number(process.env["VALUEFOLD_RENDER_RUNS"] ?? 2000);

const piece = fc.constantFrom(
  "a",
  "b",
  "app",
  "operator",
  "-",
  ".",
  ".*",
  ".+",
  "\\.",
  "^",
  "$",
  "|",
  "(",
  ")",
  "(?:",
  "(?i)",
  "(?P<n>",
  "[a-c]",
  "[^-]",
  "[[:alpha:]]",
  "\\d",
  "\\w+",
  "\\b",
  "*",
  "+",
  "?",
  "{2}",
  "{1,3}",
  "{,2}",
  "{1001}",
  "*?",
  "++",
  "(?=a)",
  "(?!a)",
  "\\1",
  "\\pL",
  "\\p{Greek}",
  "\\x61",
  "\\Q.\\E",
  "\\z",
  "\\Z",
  "(?s:.)",
  "[",
  "]",
  "\\",
  "é",
  "0",
);
const pattern = fc.array(piece, { minLength: 1, maxLength: 6 }).map((pieces) => pieces.join(""));
const name = fc.oneof(
  fc.constantFrom("app-operator", "trivy", "trivy-operator", "a", "", "A.B", "aa", "abc0", "é", "x\ny"),
  fc
    .array(fc.constantFrom("a", "b", "app", "-", ".", "0", "A", "é"), { maxLength: 5 })
    .map((parts) => parts.join("")),
);

test(`${runs} patterns`, async () => {
  const batch = 200;
  let both = 0;
  for (let done = 0; done < runs; done += batch) {
    const patterns = fc.sample(pattern, { numRuns: Math.min(batch, runs - done), seed: seed + done });
    const names = fc.sample(name, { numRuns: 40, seed: seed + done });
    const { matches } = await oracle.ask({ patterns, names });
    for (const [index, source] of patterns.entries()) {
      const compiled = compilePattern(source);
      const ours = compiled === undefined ? null : names.filter((each) => compiled.matches(each));
      expect([source, ours]).toEqual([source, matches[index]]);
      if (ours !== null) both++;
    }
  }
  expect(both).toBeGreaterThan(runs / 5);
});
