// Random sets of copied files: in every mode each file comes back, by our merge and by another reader with another merge.
// VALUEFOLD_RUNS says how many sets.
// @module-tag law
import { expect, test } from "vitest";
import { type Failure, hunt } from "../fuzz/hunt.ts";
import { copiedSet } from "../support/copied-set.ts";
import { foldText } from "../support/fold.ts";
import { layersOf, lossOf, modes, plainOf, sourcesOf, textsOf } from "../support/factored.ts";
import { factor, type Factored } from "../../src/factor/factor.ts";
import { settingsWith } from "../../src/factor/outputs.ts";
import { mergePlain } from "../support/list-model.ts";
import { oddPair } from "../support/odd-values.ts";

const counts = { sets: 0, files: 0, shared: 0, keyed: 0, middles: 0, reordered: 0 };

function check(texts: readonly string[], isOdd: boolean): Failure | undefined {
  const sources = sourcesOf(texts);
  if (sources.length < 2) return undefined;
  counts.sets++;
  for (const [mode, options] of Object.entries(modes)) {
    const made = factor({ ...options, sources, below: [] });
    if (made.unproven.length > 0) return { kind: `${mode}: unproven`, detail: textsOf(made).join("---\n") };
    counts.files += sources.length;
    counts.shared += Number(made.base.part !== undefined);
    counts.keyed += made.listKeys.length;
    counts.middles += made.middles.length;
    counts.reordered += made.reordered;
    for (const [index, { bytes }] of isOdd ? [] : sources.entries()) {
      const loss = lossOf(made, index, plainOf(bytes.toString()), options.reorder);
      if (loss !== undefined)
        return {
          kind: `${mode}: another value`,
          detail: `want ${loss.wanted}\ngot  ${loss.got}\n${textsOf(made).join("---\n")}`,
        };
    }
  }
  return undefined;
}

test("copies come back", async () => {
  await hunt({ name: "factor-copies", cases: 60, make: copiedSet, check: (texts) => check(texts, false) });
  console.log(JSON.stringify(counts));
  expect(Math.min(...Object.values(counts))).toBeGreaterThan(0);
  expect(plainOf("a: yes")).toEqual({ a: true });
});

test("odd documents come back", async () => {
  await hunt({
    name: "factor-odd",
    cases: 60,
    make: (random) => [...oddPair(random), ...oddPair(random)],
    check: (texts) => check(texts, true),
  });
});

test("copies come back over a file below, only what all have, and spelled alike", async () => {
  const ways = Object.entries(modes).flatMap(([mode, options]) => [
    [`${mode}, all`, { ...options, shared: "all" as const }] as const,
    [`${mode}, spelled`, { ...options, isSpelled: true }] as const,
  ]);
  const found = { base: 0, below: 0 };
  const checkBelow = (texts: readonly string[]): Failure | undefined => {
    for (const [mode, options] of ways) {
      const [lowest, ...sources] = sourcesOf(texts, options.isSpelled);
      if (lowest === undefined || sources.length < 2) return undefined;
      const made = factor({ ...options, sources, below: [lowest.root] });
      if (made.unproven.length > 0) return { kind: `${mode}: unproven`, detail: textsOf(made).join("---\n") };
      found.base += Number(made.base.part !== undefined);
      for (const [index, { bytes }] of sources.entries()) {
        const below = plainOf(lowest.bytes.toString());
        const wanted = mergePlain(below, plainOf(bytes.toString()), []) ?? {};
        const loss = lossOf(made, index, wanted, options.reorder, below);
        if (loss !== undefined)
          return {
            kind: `${mode}: another value`,
            detail: `want ${loss.wanted}\ngot  ${loss.got}\n${textsOf(made).join("---\n")}`,
          };
        found.below += Number(made.own[index]?.part?.isWhole === false);
      }
    }
    return undefined;
  };
  await hunt({ name: "factor-below", cases: 20, make: copiedSet, check: checkBelow });
  expect(Math.min(...Object.values(found))).toBeGreaterThan(0);
});

test("the fold makes each file of a ConfigMap and annotated layers, by the rules that are written", async () => {
  const found = { folded: 0 };
  const item = (name: string, text: string, priority?: number): string =>
    JSON.stringify({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: {
        name,
        ...(priority !== undefined && {
          annotations: {
            "valuefold.dev/into": "ConfigMap/values",
            "valuefold.dev/priority": String(priority),
          },
        }),
      },
      data: { "values.yaml": text },
    });
  const checkFold = (texts: readonly string[]): Failure | undefined => {
    for (const [mode, options] of Object.entries(modes)) {
      const sources = sourcesOf(texts, true);
      const made = factor({ ...options, isSpelled: true, sources, below: [] });
      if (made.base.part === undefined) continue;
      for (const [index, { bytes }] of sources.entries()) {
        const [base = "", ...others] = layersOf(made, index);
        const layers = others.map((text, at) => item(`layer-${at}`, text, 10 + at));
        const settings = settingsWith(made.listKeys.map(({ rule }) => rule));
        const { exitCode, output, messages } = foldText(
          [item("values", base), ...layers].join("\n---\n"),
          settings,
        );
        if (exitCode !== 0) return { kind: `${mode}: exit ${exitCode}`, detail: messages };
        const { data } = plainOf(output) as { readonly data: { readonly [key: string]: string } };
        const folded: Factored = {
          ...made,
          middles: [],
          base: { part: undefined, text: Buffer.from(data["values.yaml"] ?? "") },
          own: [],
        };
        const loss = lossOf(folded, index, plainOf(bytes.toString()), options.reorder);
        if (loss !== undefined)
          return { kind: `${mode}: another value`, detail: `want ${loss.wanted}\ngot  ${loss.got}` };
        found.folded++;
      }
    }
    return undefined;
  };
  await hunt({ name: "factor-fold", cases: 20, make: copiedSet, check: checkFold });
  expect(found.folded).toBeGreaterThan(50);
});
