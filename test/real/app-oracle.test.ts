// The App oracle: app-operator's own code finds the same values before and after folding, whatever the
// late-bound and unseen layers turn out to hold. Counts what the cases exercised; an empty run fails.
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { parse } from "yaml";
import { type ClusterObject, configOf, itemsOf, listOf, readItems } from "../support/app-list.ts";
import { coverageOf } from "../support/coverage.ts";
import { foldText, itemsOnly } from "../support/fold.ts";
import { type AppCase, arbitraryApp } from "../support/generate-app.ts";
import { type World, worldOf } from "./app-world.ts";
import { Oracle, withoutWarnings } from "./oracle.ts";

interface Answer {
  readonly configMap: object | null;
  readonly secret: object | null;
  readonly error?: string;
}

const oracle = new Oracle<World, Answer>(
  process.env["VALUEFOLD_APP_ORACLE"] ?? new URL(".tools/app-oracle", import.meta.url).pathname,
);
afterAll(() => oracle.close());

const numRuns = Number(process.env["VALUEFOLD_ORACLE_RUNS"] ?? 800);
const seed = Number(process.env["VALUEFOLD_SEED"] ?? 20261120);

test(`app-operator computes the same from the output as from the input (${numRuns} cases)`, async () => {
  const coverage = coverageOf();
  await fc.assert(
    fc.asyncProperty(arbitraryApp, async (one) => {
      const input = listOf(itemsOf(one), configOf(one));
      const folded = foldText(input);
      expect(withoutWarnings(folded.messages)).toBe("");
      const before = await oracle.ask(worldOf(one, readItems(input), true));
      const after = await oracle.ask(worldOf(one, readItems(folded.output), false));
      expect(before.error).toBeUndefined();
      expect(normal(after)).toEqual(normal(before));
      coverage.add(one, folded.output);
      checkFoldAgain(folded.output);
      await checkStream(one, before);
    }),
    { numRuns, seed },
  );
  console.log(coverage.summary());
  expect(coverage.gaps(Math.min(20, numRuns / 250))).toEqual([]);
});

function checkFoldAgain(output: string, config?: string): void {
  expect(itemsOnly(foldText(output, config).output)).toBe(itemsOnly(output));
}

/** The same as a plain stream, where annotated layers go. */
async function checkStream(one: AppCase, before: Answer): Promise<void> {
  const config = configOf(one).replace("functionConfig:\n", "").replaceAll(/^ {2}/gm, "");
  const { output } = foldText(itemsOf(one).join("---\n"), config);
  const items = output.split(/^---\n/m).map((text) => parse(text) as ClusterObject);
  expect(normal(await oracle.ask(worldOf(one, items, false)))).toEqual(normal(before));
  checkFoldAgain(output, config);
}

/** No values at all and an empty document are the same to a chart. */
function normal({ configMap, secret, error }: Answer): object {
  return { configMap: configMap ?? {}, secret: secret ?? {}, error };
}
