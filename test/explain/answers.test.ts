// The answer to a question about one path: what it prints, and what it never leaves out.
import { expect, test } from "vitest";
import { renderAnswers } from "../../src/explain/index.ts";
import type { ExplainedLayer, ExplainedStack, ExplainedTarget, Explanation } from "../../src/explanation.ts";

const release = { kind: "HelmRelease", namespace: "shop", name: "web" };
const own: ExplainedLayer = { id: "B", why: "own", slot: "spec.values", state: "apart" };
const base: ExplainedLayer = {
  id: "A",
  kind: "ConfigMap",
  namespace: "shop",
  name: "base",
  key: "values.yaml",
  why: "reference",
  state: "apart",
};

function at(file: string, line: number): { of: "file"; file: string; line: number } {
  return { of: "file", file, line };
}

function stack(more: Partial<ExplainedStack> = {}): ExplainedStack {
  const over = [{ by: "A", text: "1", at: at("base.yaml", 2), effect: "replaced" as const }];
  const values = [{ path: ["replicas"], by: "B", text: "5", at: at("web.yaml", 7), over }];
  return { layers: [base, own], runs: [], splits: [], values, ...more };
}

function target(build: string | undefined, stacks: ExplainedStack, name = "web"): ExplainedTarget {
  return { ...release, name, ...(build !== undefined && { build }), stacks: [stacks] };
}

function text(...targets: readonly ExplainedTarget[]): string {
  const explanation: Explanation = { kind: "Explanation", version: 1, targets };
  return renderAnswers(explanation, { colour: false, path: "replicas" });
}

test("builds with one answer share it, and a place is named once", () => {
  const other = stack({
    values: [{ path: ["replicas"], by: "A", text: "1", at: at("base.yaml", 2), over: [] }],
  });
  expect(text(target("eu", stack()), target("us", other), target("asia", stack()))).toBe(
    `web replicas
  eu and 1 more  5  web.yaml:7   spec.values
           over  1  base.yaml:2  ConfigMap/shop/base
  us             1  base.yaml:2
`,
  );
});

test("what may override the value is said, and what is below it is not", () => {
  const late = (id: string): ExplainedLayer => ({ ...base, id, name: `late-${id}`, state: "late" });
  const sealed: ExplainedLayer = { ...base, id: "D", name: "creds", kind: "Secret", state: "sealed" };
  const layers = [late("Z"), base, own, late("C"), sealed];
  expect(text(target(undefined, stack({ layers })))).toBe(
    `web replicas
        5  web.yaml:7   spec.values
  over  1  base.yaml:2  ConfigMap/shop/base
          may be overridden by ConfigMap/shop/late-C: bound in the cluster
          may be overridden by Secret/shop/creds: encrypted
`,
  );
});

test("a value of a Secret has no text", () => {
  const values = [{ path: ["replicas"], by: "A", at: at("base.yaml", 2), over: [] }];
  expect(text(target(undefined, stack({ values })))).toContain(
    "(secret)  base.yaml:2  ConfigMap/shop/base\n",
  );
});

test("several values are a document; what is taken away is listed", () => {
  const values = ["a", "b"].map((key) => ({
    path: ["replicas", key],
    by: "B",
    text: key,
    at: at("web.yaml", 7),
    over: [],
  }));
  const removed = [{ path: ["replicas", "c"], at: at("patch.yaml", 3), text: "x", was: at("base.yaml", 4) }];
  expect(
    text(target("eu", stack({ values, removed })), target("us", stack({ values: values.slice(0, 1) }))),
  ).toBe(
    `web replicas
  eu
    replicas:
      a: a               web.yaml:7    spec.values
      b: b               web.yaml:7    spec.values
    replicas.c: removed  patch.yaml:3  was x  base.yaml:4

  us
    replicas:
      a: a  web.yaml:7  spec.values
`,
  );
});

test("targets of one name have their kinds and namespaces", () => {
  const other = { ...target(undefined, stack()), kind: "App" };
  expect(text(target(undefined, stack()), other).match(/^\S+ replicas$/gm)).toEqual([
    "HelmRelease/shop/web replicas",
    "App/shop/web replicas",
  ]);
});
