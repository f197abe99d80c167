// Rare spellings of values against Flux' own code: what it finds in two layers, it finds in what they fold into; and what
// it cannot read, we do not fold. We may be stricter, but seldom.
import { afterAll, expect, test } from "vitest";
import { type Failure, hunt } from "../fuzz/hunt.ts";
import type { ClusterObject } from "../support/app-list.ts";
import { foldText } from "../support/fold.ts";
import { type HelmWorld, worldOfStream } from "../support/helm-list.ts";
import { mergeTexts } from "../support/layers.ts";
import { oddPair } from "../support/odd-values.ts";
import { Oracle } from "./oracle.ts";

interface Answer {
  readonly values: object | null;
  readonly error?: string;
}

const oracle = new Oracle<HelmWorld, Answer>(new URL(".tools/flux-oracle", import.meta.url).pathname);
afterAll(() => oracle.close());

function streamOf(texts: readonly string[]): string {
  const layers = texts.map(
    (text, index) =>
      `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: layer${index}, namespace: org}\ndata:\n  values.yaml: ${JSON.stringify(text)}\n`,
  );
  const entries = texts.map((_, index) => `  - {kind: ConfigMap, name: layer${index}}\n`).join("");
  const release = `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: shop, namespace: org}\nspec:\n  valuesFrom:\n${entries}`;
  return [...layers, release].join("---\n");
}

/** An error of Go's reader without places and texts. */
function whyOf(error: string): string {
  return error.replace(/^.*yaml: (?:line \d+: )?/, "").replace(/[\d`].*$/, "");
}

const counts = { same: 0, bothRefuse: 0, stricter: 0 };

async function check(texts: readonly string[]): Promise<Failure | undefined> {
  const input = streamOf(texts);
  const before = await oracle.ask(worldOfStream(input));
  const { exitCode, output, messages } = foldText(input);
  if (before.error !== undefined) {
    counts.bothRefuse++;
    return exitCode === 1
      ? undefined
      : { kind: `exit ${exitCode}, where Flux refuses: ${whyOf(before.error)}`, detail: before.error };
  }
  if (exitCode !== 0) {
    counts.stricter++;
    return exitCode === 1 ? undefined : { kind: `exit ${exitCode}`, detail: messages };
  }
  counts.same++;
  const after = await oracle.ask(worldOfStream(output));
  if (JSON.stringify(after) !== JSON.stringify(before)) {
    const detail = `want ${JSON.stringify(before.values)}\ngot  ${JSON.stringify(after.values ?? after.error)}`;
    return { kind: after.error === undefined ? "other values" : "output that Flux refuses", detail };
  }
  return foldText(output).output === output ? undefined : { kind: "the second fold differs" };
}

const cases = Number(process.env["VALUEFOLD_ORACLE_RUNS"] ?? 1500);

test("Flux finds the same before and after, or refuses as we do", async () => {
  await hunt({ name: "odd values", cases, make: oddPair, check });
  const all = counts.same + counts.bothRefuse + counts.stricter;
  console.log(JSON.stringify(counts));
  expect(counts.same).toBeGreaterThan(all * 0.6);
  expect(counts.bothRefuse).toBeGreaterThan(all * 0.02);
  // The generator is fond of byte order marks in keys and of tags that a comma ends: what Go makes of them is seldom meant.
  expect(counts.stricter).toBeLessThan(all * 0.1);
});

/** What Flux makes of texts under one another, with no list to read around them. */
function worldOf(texts: readonly string[]): HelmWorld {
  const metadata = (index: number): ClusterObject["metadata"] => ({ name: `l${index}`, namespace: "org" });
  return {
    namespace: "org",
    references: texts.map((_, index) => ({ kind: "ConfigMap", name: `l${index}` })),
    inline: {},
    configMaps: texts.map((text, index) => ({
      kind: "ConfigMap",
      metadata: metadata(index),
      data: { "values.yaml": text },
    })),
    secrets: [],
    defaults: "",
  };
}

function mergedOf(texts: readonly string[]): string | undefined {
  try {
    return mergeTexts(texts).text;
  } catch (fault) {
    // A fault is a list of diagnostics; all else is a bug.
    if (fault instanceof Error && fault.message.startsWith("[{")) return undefined;
    throw fault;
  }
}

async function checkMerge(texts: readonly string[]): Promise<Failure | undefined> {
  const before = await oracle.ask(worldOf(texts));
  const merged = mergedOf(texts);
  if (merged === undefined) return undefined;
  if (before.error !== undefined)
    return { kind: `merged, where Flux refuses: ${whyOf(before.error)}`, detail: before.error };
  const after = await oracle.ask(worldOf([merged]));
  if (JSON.stringify(after) === JSON.stringify(before)) return undefined;
  const detail = `want ${JSON.stringify(before.values)}\ngot  ${JSON.stringify(after.values ?? after.error)}`;
  return { kind: after.error === undefined ? "other values" : "text that Flux refuses", detail };
}

test("Flux finds the same in two texts and in what they merge to", async () => {
  await hunt({ name: "merges of odd values", cases, make: oddPair, check: checkMerge });
});
