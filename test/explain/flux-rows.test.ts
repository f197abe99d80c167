// Flux' measured behaviour, row by row: what is made of each. `npm run test:real` shows for the same rows that
// Flux finds the same values before and after.
import { describe, expect, test } from "vitest";
import { fluxRows, readFolded, rowStream } from "../support/flux-rows.ts";
import { foldText } from "../support/fold.ts";

describe("HelmRelease", () => {
  test.for(fluxRows)("$row: $says", (row) => {
    const { exitCode, output, diagnostics } = foldText(rowStream(row));
    const errors = diagnostics.filter(({ severity }) => severity === "error").map(({ code }) => code);
    expect(errors).toEqual(row.fault === undefined ? [] : [row.fault]);
    if (row.fault !== undefined) return expect([exitCode, output]).toEqual([1, ""]);
    expect(readFolded(output)).toEqual({ list: row.list, folded: row.folded ?? {} });
    expect(foldText(output).output).toBe(output);
  });

  test("what folds nothing is not touched", () => {
    for (const row of fluxRows.filter(({ folded, fault }) => folded === undefined && fault === undefined)) {
      expect(foldText(rowStream(row)).output).toBe(rowStream(row));
    }
  });
});
