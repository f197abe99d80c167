// The Flux oracle: helm-controller's own code finds the same values before and after folding, whatever
// late-bound layers turn out to hold, and Helm computes the same from them over a chart's defaults. Counts
// what the cases exercised; an empty run fails.
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { listOf, readItems } from "../support/app-list.ts";
import { foldText } from "../support/fold.ts";
import { arbitraryHelmRelease } from "../support/generate-helm.ts";
import { HelmCoverage } from "../support/helm-coverage.ts";
import { fluxRows, rowStream } from "../support/flux-rows.ts";
import { helmItems, type HelmWorld, helmWorldOf, worldOfStream } from "../support/helm-list.ts";
import { Oracle } from "./oracle.ts";

interface Answer {
  readonly values: object | null;
  readonly computed: object | null;
  readonly error?: string;
}

const oracle = new Oracle<HelmWorld, Answer>(
  process.env["VALUEFOLD_FLUX_ORACLE"] ?? new URL(".tools/flux-oracle", import.meta.url).pathname,
);
afterAll(() => oracle.close());

const numRuns = Number(process.env["VALUEFOLD_ORACLE_RUNS"] ?? 5000);
const seed = Number(process.env["VALUEFOLD_SEED"] ?? 20261120);

test.for(fluxRows.filter(({ fault }) => fault === undefined))("$row: $says", async (row) => {
  const input = rowStream(row);
  const before = await oracle.ask(worldOfStream(input));
  const after = await oracle.ask(worldOfStream(foldText(input).output));
  expect(after).toEqual(before);
  expect(before.error !== undefined).toBe(row.refused === true);
});

test(`Flux and Helm compute the same from the output as from the input (${numRuns} cases)`, async () => {
  const coverage = new HelmCoverage();
  await fc.assert(
    fc.asyncProperty(arbitraryHelmRelease, async (one) => {
      const input = listOf(helmItems(one), "");
      const folded = foldText(input);
      expect(folded.messages.replaceAll(/^warning.*\n/gm, "")).toBe("");
      const before = await oracle.ask(helmWorldOf(one, readItems(input), true));
      const after = await oracle.ask(helmWorldOf(one, readItems(folded.output), false));
      expect(after).toEqual(before);
      coverage.add(one, readItems(folded.output), before.error !== undefined);
      expect(foldText(folded.output).output).toBe(folded.output);
    }),
    { numRuns, seed },
  );
  console.log(coverage.summary());
  expect(coverage.gaps(Math.min(20, numRuns / 250))).toEqual([]);
});
