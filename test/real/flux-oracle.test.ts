// The Flux oracle: helm-controller's own code finds the same values before and after folding, whatever
// late-bound layers turn out to hold, and Helm computes the same from them over a chart's defaults. Counts
// what the cases exercised; an empty run fails.
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { unsupplied } from "../../src/core/fold.ts";
import { finalValues } from "../../src/explain/final-values.ts";
import { type ClusterObject, listOf, readItems } from "../support/app-list.ts";
import { foldText, itemsOnly } from "../support/fold.ts";
import { arbitraryHelmRelease } from "../support/generate-helm.ts";
import { HelmCoverage } from "../support/helm-coverage.ts";
import { fluxRows, rowStream } from "../support/flux-rows.ts";
import { helmItems, type HelmWorld, helmWorldOf, worldOfStream } from "../support/helm-list.ts";
import { Oracle, withoutWarnings } from "./oracle.ts";

interface Answer {
  readonly values: object | null;
  readonly computed: object | null;
  readonly error?: string;
}

const oracle = new Oracle<HelmWorld, Answer>(
  process.env["VALUEFOLD_FLUX_ORACLE"] ?? new URL(".tools/flux-oracle", import.meta.url).pathname,
);
afterAll(() => oracle.close());

const numRuns = Number(process.env["VALUEFOLD_ORACLE_RUNS"] ?? 800);
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
      expect(withoutWarnings(folded.messages)).toBe("");
      const before = await oracle.ask(helmWorldOf(one, readItems(input), true));
      const after = await oracle.ask(helmWorldOf(one, readItems(folded.output), false));
      expect(after).toEqual(before);
      coverage.add(one, readItems(folded.output), before.error !== undefined);
      expect(itemsOnly(foldText(folded.output).output)).toBe(itemsOnly(folded.output));
      const stream = foldText(helmItems(one).join("---\n")).output;
      const streamed = stream.split(/^---\n/m).map((text) => parse(text) as ClusterObject);
      expect(await oracle.ask(helmWorldOf(one, streamed, false))).toEqual(before);
      expect(foldText(stream).output).toBe(stream);
    }),
    { numRuns, seed },
  );
  console.log(coverage.summary());
  expect(coverage.gaps(Math.min(20, numRuns / 250))).toEqual([]);
});

/** A release with one layer. */
function releaseOf(text: string): string {
  const layer = { name: "all", namespace: "org" };
  const items = [
    { apiVersion: "v1", kind: "ConfigMap", metadata: layer, data: { "values.yaml": text } },
    {
      apiVersion: "helm.toolkit.fluxcd.io/v2",
      kind: "HelmRelease",
      metadata: { name: "shop", namespace: "org" },
      spec: { valuesFrom: [{ kind: "ConfigMap", name: "all" }] },
    },
  ];
  return items.map((item) => JSON.stringify(item)).join("\n---\n");
}

// One case in some sixty compares values that a path sets: fewer would prove little about them.
const valuesRuns = Math.max(400, Math.ceil(numRuns / 5));

test(`values are what Flux computes, with those that a path sets (${valuesRuns} cases)`, async () => {
  const counts = { same: 0, passedOver: 0, incomplete: 0, byPath: 0 };
  await fc.assert(
    fc.asyncProperty(arbitraryHelmRelease, async (one) => {
      const input = helmItems(one).join("---\n");
      const wanted = await oracle.ask(worldOfStream(foldText(input).output));
      const request = { input: Buffer.from(input, "utf8"), form: "stream", secrets: true } as const;
      const { exitCode, output, diagnostics } = unsupplied(
        finalValues({ ...request, target: "HelmRelease/shop" }),
      );
      // What Flux substitutes is a matter of other tests.
      if (wanted.error !== undefined || input.includes("$")) {
        counts.passedOver++;
        return;
      }
      if (exitCode !== 0 || diagnostics.some(({ code }) => code === "values-missing")) {
        counts.incomplete++;
        return;
      }
      const text = Buffer.concat(output).toString("utf8");
      if (text.includes("$")) return;
      counts.same++;
      if (one.entries.some(({ targetPath }) => targetPath !== undefined)) counts.byPath++;
      const got = await oracle.ask(worldOfStream(releaseOf(text)));
      expect(got.values ?? {}, text).toEqual(wanted.values ?? {});
    }),
    { numRuns: valuesRuns, seed },
  );
  console.log(JSON.stringify(counts));
  expect(counts.byPath).toBeGreaterThan(valuesRuns / 100);
});

const overlayRuns = Math.ceil(numRuns / 5);

test(`a base and an overlay that both fold, with kustomize writing the list anew between (${overlayRuns} cases)`, async () => {
  let twice = 0;
  await fc.assert(
    fc.asyncProperty(
      arbitraryHelmRelease,
      fc.nat(6),
      fc.nat(3),
      fc.boolean(),
      async (one, own, noted, front) => {
        const base = { ...one, entries: one.entries.slice(0, own), annotated: one.annotated.slice(0, noted) };
        const later = one.entries.slice(own);
        const all = front ? { ...one, entries: [...later, ...base.entries] } : one;
        const first = foldText(listOf(helmItems(base), ""));
        const known = new Set(base.entries.map(({ object }) => object.name));
        const added = readItems(
          listOf(helmItems({ ...one, entries: later, annotated: one.annotated.slice(noted) }), ""),
        );
        const second = foldText(withOverlay(readItems(first.output), added, known, front));
        expect([first.exitCode, withoutWarnings(second.messages)]).toEqual([0, ""]);
        const before = await oracle.ask(helmWorldOf(all, readItems(listOf(helmItems(all), "")), true));
        const after = await oracle.ask(helmWorldOf(all, readItems(second.output), false));
        expect(after).toEqual(before);
        expect(itemsOnly(foldText(second.output).output)).toBe(itemsOnly(second.output));
        if (first.output.includes("shop-folded") && later.length > 0) twice++;
      },
    ),
    { numRuns: overlayRuns, seed },
  );
  expect(twice).toBeGreaterThan(overlayRuns / 10);
});

/** The overlay's own items beside the base's, and its entries in the release's list. */
function withOverlay(
  items: readonly ClusterObject[],
  added: readonly ClusterObject[],
  known: ReadonlySet<string>,
  front: boolean,
): string {
  const isRelease = ({ kind }: ClusterObject): boolean => kind === "HelmRelease";
  const more = (added.find(isRelease) as Release).spec.valuesFrom ?? [];
  const releases = items.filter(isRelease).map((item) => {
    const { spec } = item as Release;
    const list = spec.valuesFrom ?? [];
    return { ...item, spec: { ...spec, valuesFrom: front ? [...more, ...list] : [...list, ...more] } };
  });
  const others = added.filter((item) => !isRelease(item) && !known.has(item.metadata.name));
  const all = [...items.filter((item) => !isRelease(item)), ...others, ...releases];
  // Folding long lines, the library moves newlines of indented text.
  return stringify(
    { apiVersion: "config.kubernetes.io/v1", kind: "ResourceList", items: all },
    { lineWidth: 0 },
  );
}

interface Release extends ClusterObject {
  readonly spec: { readonly valuesFrom?: readonly object[] };
}
