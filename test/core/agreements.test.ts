// Nasty stacks by hand: `fold`, `values` and `explain` come to the values that plain merging gives, and `verify` finds
// nothing wrong with what was folded. What one of them refuses, all three refuse. Every file is a stream to read.
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { renderAnnotated } from "../../src/explain/annotate.ts";
import { unsupplied } from "../../src/core/fold.ts";
import type { Outcome } from "../../src/report/outcome.ts";
import { finalValues } from "../../src/explain/final-values.ts";
import { verify } from "../../src/explain/verify.ts";
import { explainText, type Manifest, manifestsOf, meaning } from "../support/explain.ts";
import { foldText } from "../support/fold.ts";

const folder = new URL("agreements/", import.meta.url);
const files = readdirSync(folder);
const inputOf = (file: string): string => readFileSync(new URL(file, folder), "utf8");
const isRefused = (file: string): boolean => file.startsWith("refused-");

type Json = { readonly [key: string]: unknown };

const isMapping = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function over(base: unknown, upper: unknown): unknown {
  if (!isMapping(base) || !isMapping(upper)) return upper;
  const merged = new Map(Object.entries(base));
  for (const [key, value] of Object.entries(upper))
    merged.set(key, merged.has(key) ? over(merged.get(key), value) : value);
  return Object.fromEntries(merged);
}

interface Release extends Manifest {
  readonly spec: { readonly valuesFrom: readonly { readonly name: string }[]; readonly values?: object };
}

/** As Flux composes them. */
function composed(stream: string): unknown {
  const all = manifestsOf(stream);
  const release = all.find(({ kind }) => kind === "HelmRelease") as Release;
  const texts = release.spec.valuesFrom.map(
    ({ name }) => all.find(({ metadata }) => metadata.name === name)?.data?.["values.yaml"] ?? "",
  );
  return [...texts.map(firstDocument), release.spec.values ?? {}].reduce<unknown>(over, {});
}

/** Of several documents the first counts. */
function firstDocument(text: string): unknown {
  const body = text.replace(/^\uFEFF/, "").replace(/^---(?=\s)/, "");
  const end = body.search(/^(?:---|\.\.\.)(?=\s)/m);
  return meaning(end < 0 ? body : body.slice(0, end));
}

function valuesOf(stream: string): Outcome {
  const input = Buffer.from(stream, "utf8");
  return unsupplied(finalValues({ input, form: "stream", target: "HelmRelease/shop", secrets: false }));
}

const finalOf = (stream: string): unknown => meaning(Buffer.concat(valuesOf(stream).output).toString("utf8"));

test.for(files.filter((file) => !isRefused(file)))("%s", (file) => {
  const input = inputOf(file);
  const expected = composed(input);
  const { output, exitCode } = foldText(input);
  expect(exitCode).toBe(0);
  expect(composed(output)).toEqual(expected);
  expect(finalOf(input)).toEqual(expected);
  expect(finalOf(output)).toEqual(expected);
  for (const stream of [input, output]) {
    const { explanation } = explainText(stream);
    expect(meaning(explanation === undefined ? "" : renderAnnotated(explanation))).toEqual(expected);
  }
  const found = verify({ input: Buffer.from(output, "utf8"), strict: false });
  expect(found.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
});

test.for(files.filter(isRefused))("%s", (file) => {
  const input = inputOf(file);
  const [, code = ""] = /^# refused: (\S+)/.exec(input) ?? [];
  for (const { exitCode, diagnostics } of [foldText(input), valuesOf(input), explainText(input).outcome]) {
    expect(exitCode).toBe(1);
    expect(diagnostics.filter(({ severity }) => severity === "error").map((each) => each.code)).toContain(
      code,
    );
  }
});
