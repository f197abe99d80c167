// The last line of `verify`.
import { expect, test } from "vitest";
import { nothingChecked, verdictOn } from "../../src/cli/verdict.ts";
import type { VerifiedInput, Outcome } from "../../src/report/index.ts";
import type { Diagnostic } from "../../src/diagnostic.ts";

let number = 0;
const fault = (severity: Diagnostic["severity"]): Diagnostic => ({
  code: "tie",
  severity,
  message: `x${number++}`,
});

function outcome(checked: VerifiedInput | undefined, ...found: readonly Diagnostic["severity"][]): Outcome {
  const account = checked === undefined ? {} : { account: () => ({ text: "", checked }) };
  return { exitCode: 0, output: [], diagnostics: found.map(fault), ...account };
}

test.for([
  [[outcome({ targets: 1 })], "checked 1 target in 1 build; nothing found\n"],
  [[outcome({ targets: 0, what: "a.yaml, b.yaml" }, "info")], "checked a.yaml, b.yaml; nothing found\n"],
  [
    [
      outcome({ targets: 20 }, "warning"),
      outcome({ targets: 11 }, "warning", "info"),
      outcome(undefined, "error"),
    ],
    "checked 31 targets in 2 builds; 1 error, 2 warnings\n",
  ],
  // What could not be read is no build that was checked.
  [[outcome(undefined, "error", "error")], "checked 0 targets in 0 builds; 2 errors\n"],
] as const)("%#", ([outcomes, line]) => {
  expect(verdictOn(outcomes)).toBe(line);
});

test.for([
  [[outcome({ targets: 0 })], 1],
  [[outcome({ targets: 0 }, "warning"), outcome({ targets: 0 })], 1],
  [[outcome({ targets: 0 }), outcome({ targets: 1 })], 0],
  [[outcome({ targets: 0, what: "a.yaml" })], 0],
  // An error says why.
  [[outcome({ targets: 0 }, "error")], 0],
] as const)("a run that checks nothing is no success: %#", ([outcomes, warnings]) => {
  expect(nothingChecked(outcomes)).toHaveLength(warnings);
});

test("what several builds read is counted once, as it is printed once", () => {
  const shared = { ...fault("error"), at: { text: "values.yaml", line: 2, column: 1 } };
  const both = [1, 2].map(() => ({ ...outcome({ targets: 1 }), diagnostics: [shared, { ...shared }] }));
  expect(verdictOn(both)).toBe("checked 2 targets in 2 builds; 1 error\n");
});
