// A values file whose last line has no end, and is one of a block. Helm 4 ends that line, so the value has it; Helm 3 and Flux do not.
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { merge } from "../../src/index.ts";
import { runCommand } from "../../src/cli/commands.ts";
import { worldOf } from "../support/world.ts";

async function values(
  files: Readonly<Record<string, string>>,
  ...words: readonly string[]
): Promise<unknown> {
  const directory = mkdtempSync(join(tmpdir(), "valuefold-last-line-"));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, name)), { recursive: true });
    writeFileSync(join(directory, name), content);
  }
  const { output, messages } = await runCommand(
    ["values", "-o", "json", ...words],
    worldOf("", { directory }),
  );
  return output.length === 0 ? messages : JSON.parse(Buffer.concat(output).toString("utf8"));
}

describe.each([
  ["a: |\n  x\n  y", "x\ny\n", "x\ny"],
  ["a: |+\n  x", "x\n", "x"],
  ["a: |+\n  x\n  ", "x\n\n", "x\n"],
  ["a: |-\n  x", "x", "x"],
  ["a: >\n  x\n  y # no comment", "x y # no comment\n", "x y # no comment"],
  ["a: | # a comment\n  x", "x\n", "x"],
  ["a: |2\n   x", " x\n", " x"],
  ["a: |\n  x\n", "x\n", "x\n"],
  ["a: |\n  x\n# a comment", "x\n", "x\n"],
  ["a: 'x |'", "x |", "x |"],
])("%j", (text, four, three) => {
  test("a file", async () => {
    expect(await values({ "a.yaml": text }, "a.yaml")).toEqual({ a: four });
    expect(await values({ "a.yaml": text }, "--helm", "3", "a.yaml")).toEqual({ a: three });
    const files = [{ name: "a.yaml", text }];
    expect(JSON.parse(Buffer.from(merge({ files, json: true }).output).toString("utf8"))).toEqual({
      a: four,
    });
  });

  test("a chart's defaults", async () => {
    const files = {
      "c/Chart.yaml": "apiVersion: v2\nname: c\nversion: 1.0.0\n",
      "c/values.yaml": text,
      "b.yaml": "b: 1\n",
    };
    expect(await values(files, "--chart", "c", "b.yaml")).toEqual({ a: four, b: 1 });
    expect(await values(files, "--helm", "3", "--chart", "c", "b.yaml")).toEqual({ a: three, b: 1 });
  });

  test("a file beside a chart", async () => {
    const files = { "c/Chart.yaml": "apiVersion: v2\nname: c\nversion: 1.0.0\n", "c/values-x.yaml": text };
    expect(await values(files, "Chart/c@x", ".")).toEqual({ a: four });
    expect(await values(files, "--helm", "3", "Chart/c@x", ".")).toEqual({ a: three });
  });

  test("values of an Application, as a file and as a text", async () => {
    const inline = text.replaceAll("\n", "\n        ");
    const app = (helm: string): string =>
      `apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: a, namespace: argocd}\nspec:\n  destination: {namespace: x}\n  source:\n    repoURL: https://git.example/o/r.git\n    path: c\n    helm:\n${helm}\n`;
    const chart = {
      ".git/config": "",
      "c/Chart.yaml": "apiVersion: v2\nname: c\nversion: 1.0.0\n",
      "c/own.yaml": text,
    };
    for (const helm of ["      valueFiles: [own.yaml]", `      values: |-\n        ${inline}`]) {
      const files = { ...chart, "apps/a.yaml": app(helm) };
      if (helm.includes("|-") && text.endsWith("\n")) continue;
      expect(await values(files, "Application/a", "apps")).toEqual({ a: four });
      expect(await values(files, "--helm", "3", "Application/a", "apps")).toEqual({ a: three });
    }
  });

  test("values of a HelmChart", async () => {
    const chart = `apiVersion: helm.cattle.io/v1\nkind: HelmChart\nmetadata: {name: c, namespace: kube-system}\nspec: {valuesContent: ${JSON.stringify(text)}}\n`;
    expect(await values({ "all.yaml": chart }, "HelmChart/c", "all.yaml")).toEqual({ a: four });
    expect(await values({ "all.yaml": chart }, "--helm", "3", "HelmChart/c", "all.yaml")).toEqual({
      a: three,
    });
  });

  test("a file of a chart in a kustomization: kustomize reads it where it merges it", async () => {
    const chart = { "charts/c/Chart.yaml": "apiVersion: v2\nname: c\nversion: 1.0.0\n", "own.yaml": text };
    const files = (more: string): Record<string, string> => ({
      ...chart,
      "kustomization.yaml": `helmCharts: [{name: c, releaseName: c, ${more}}]\n`,
    });
    for (const field of ["valuesFile: own.yaml", "additionalValuesFiles: [own.yaml]"]) {
      expect(await values(files(field), "Chart/c", ".")).toEqual({ a: four });
      expect(await values(files(field), "--helm", "3", "Chart/c", ".")).toEqual({ a: three });
    }
    const merged = files("valuesFile: own.yaml, valuesInline: {b: 1}");
    expect(await values(merged, "Chart/c", ".")).toEqual({ a: three, b: 1 });
  });

  test("a ConfigMap", async () => {
    const release =
      "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: r, namespace: d}\nspec:\n  valuesFrom: [{kind: ConfigMap, name: v}]\n";
    const map = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: v, namespace: d}\ndata:\n  values.yaml: ${JSON.stringify(text)}\n`;
    expect(await values({ "all.yaml": `${release}---\n${map}` }, "HelmRelease/r", "all.yaml")).toEqual({
      a: three,
    });
  });
});
