// Rare spellings of values against Flux' own code: what it finds in two layers, it finds in what they fold into; and what
// it cannot read, we do not fold. We may be stricter, but seldom.
import { afterAll, expect, test } from "vitest";
import { foldText } from "../support/fold.ts";
import { type HelmWorld, worldOfStream } from "../support/helm-list.ts";
import { Random } from "../support/nasty-yaml.ts";
import { oddValues } from "../support/odd-values.ts";
import { Oracle } from "./oracle.ts";

interface Answer {
  readonly values: object | null;
  readonly error?: string;
}

const oracle = new Oracle<HelmWorld, Answer>(new URL(".tools/flux-oracle", import.meta.url).pathname);
afterAll(() => oracle.close());

const runs = Number(process.env["VALUEFOLD_ORACLE_RUNS"] ?? 3000);
const firstSeed = Number(process.env["VALUEFOLD_SEED"] ?? 0);

function streamOf(texts: readonly string[]): string {
  const layers = texts.map(
    (text, index) =>
      `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: layer${index}, namespace: org}\ndata:\n  values.yaml: ${JSON.stringify(text)}\n`,
  );
  const entries = texts.map((_, index) => `  - {kind: ConfigMap, name: layer${index}}\n`).join("");
  const release = `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: shop, namespace: org}\nspec:\n  valuesFrom:\n${entries}`;
  return [...layers, release].join("---\n");
}

test(`Flux finds the same before and after, or refuses as we do (${runs} cases)`, async () => {
  const counts = { same: 0, bothRefuse: 0, stricter: 0 };
  for (let seed = firstSeed; seed < firstSeed + runs; seed++) {
    const random = new Random(seed);
    const input = streamOf([oddValues(random), oddValues(random)]);
    const before = await oracle.ask(worldOfStream(input));
    const { exitCode, output } = foldText(input);
    if (before.error !== undefined) {
      expect([seed, exitCode]).toEqual([seed, 1]);
      counts.bothRefuse++;
    } else if (exitCode !== 0) counts.stricter++;
    else {
      expect([seed, await oracle.ask(worldOfStream(output))]).toEqual([seed, before]);
      expect([seed, foldText(output).output]).toEqual([seed, output]);
      counts.same++;
    }
  }
  console.log(JSON.stringify(counts));
  expect(counts.same).toBeGreaterThan(runs * 0.7);
  expect(counts.bothRefuse).toBeGreaterThan(runs * 0.02);
  expect(counts.stricter).toBeLessThan(runs * 0.05);
});
