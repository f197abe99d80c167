// A record of very many layers: the API server bounds the annotations of an object.
// @module-tag law
import { expect, test } from "vitest";
import { foldText } from "../support/fold.ts";

function listOf(count: number): string {
  const layers = Array.from({ length: count }, (_, index) => {
    const name = `layer-${index}-${"x".repeat(180)}`;
    return `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, namespace: org, annotations: {valuefold.dev/into: HelmRelease/web}}\ndata: {values.yaml: "k${index}: 1"}\n`;
  });
  const target =
    "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: web, namespace: org}\nspec: {}\n";
  return [...layers, target].join("---\n");
}

test("a record beyond the bound is an error here, and not in the cluster", () => {
  const { exitCode, output, diagnostics } = foldText(listOf(1200));
  expect({ exitCode, output, codes: diagnostics.map(({ code }) => code) }).toEqual({
    exitCode: 1,
    output: "",
    codes: expect.arrayContaining(["fold-too-large"]),
  });
  expect(foldText(listOf(800)).exitCode).toBe(0);
});
