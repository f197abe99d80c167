// Inputs as large as nobody writes them: what grows with the input is never spread into the arguments of a call.
// @module-tag law
import { expect, test } from "vitest";
import { readValues } from "../../src/layers/values.ts";
import { cpuClock } from "../support/cpu.ts";
import { foldText } from "../support/fold.ts";

const many = 150_000;

test("an item of kpt loses 150,000 comments", () => {
  const comments = "    # c\n".repeat(many);
  const { exitCode, output } = foldText(`apiVersion: config.kubernetes.io/v1
kind: ResourceList
items:
- apiVersion: v1
  kind: ConfigMap
  metadata:
    name: extra
    namespace: org
    annotations:
      internal.config.kubernetes.io/id: '1'
      valuefold.dev/into: HelmRelease/shop
  data:
${comments}    values.yaml: |
      a: 1
- apiVersion: helm.toolkit.fluxcd.io/v2
  kind: HelmRelease
  metadata:
    name: shop
    namespace: org
    annotations:
      internal.config.kubernetes.io/id: '2'
  spec: {}
`);
  expect([exitCode, output.includes("# c"), output.includes("shop-folded")]).toEqual([0, false, true]);
});

test.each([
  ["brackets that close nothing", (count: number) => `x: ${"}".repeat(count)}\n`],
  ["tags in a list", (count: number) => `a: [${"!t x, ".repeat(count)}]\n`],
  ["plain text that needs quotes", (count: number) => `a: [${"x?, ".repeat(count)}]\n`],
  ["nothing between commas", (count: number) => `a: [${",".repeat(count)}]\n`],
])("%s: refused in little time", (_, textOf) => {
  const elapsed = cpuClock();
  const { faults } = readValues(Buffer.from(textOf(many)));
  expect(faults.length).toBeGreaterThan(0);
  expect(elapsed()).toBeLessThan(30);
});
