// Slips in what Flux and Argo CD read: a field that the kind does not have, a variable that is not set.
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { runCommand } from "../../src/cli/commands.ts";
import { worldOf } from "../support/world.ts";

const kustomization = (postBuild: string): string => `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: apps, namespace: flux-system}
spec:
  path: ./apps
  sourceRef: {kind: GitRepository, name: flux-system}
  postBuild: {${postBuild}}
`;

const release = (fields: string, host: string): string => `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: web, namespace: default}
spec:
  ${fields}
  values: {host: "${host}"}
`;

const application = (fields: string): string => `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: web, namespace: argocd}
spec:
  destination: {namespace: web}
  sources:
    - {chart: web, repoURL: https://charts.example, helm: {${fields}}}
`;

/** What `verify` warns of in a checkout with these files. */
async function warnings(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const directory = mkdtempSync(join(tmpdir(), "valuefold-slips-"));
  mkdirSync(join(directory, ".git"));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, name)), { recursive: true });
    writeFileSync(join(directory, name), text);
  }
  const world = worldOf("", { directory, terminal: { stdin: true, stdout: false } });
  const { messages, exitCode } = await runCommand(["verify"], world);
  expect(exitCode).toBe(0);
  const lines = messages.split("\n");
  return lines.filter((line) => /^warning\[unknown-|^ {2}hint {2}did you mean/.test(line));
}

test("a slip of a variable that is set becomes an empty string", async () => {
  const found = await warnings({
    "clusters/one/apps.yaml": kustomization("substitute: {domain: one.example, region_1: x}"),
    // A default is meant, and so is another number.
    "apps/web.yaml": release("chart: {spec: {chart: web}}", "web.${domian}.${domains:=x}.${region_2}"),
    "apps/kustomization.yaml": "resources: [web.yaml]\n",
  });
  expect(found).toEqual([
    "warning[unknown-variable]: `${domian}` becomes an empty string: this Kustomization does not set it",
    "  hint  did you mean `domain`?",
  ]);
});

test("a slip of a field is no field", async () => {
  const found = await warnings({
    "clusters/one/apps.yaml": kustomization("substitue: {domain: x}"),
    "apps/web.yaml": release("chartref: {kind: OCIRepository, name: web}", "x"),
    "apps/kustomization.yaml": "resources: [web.yaml]\n",
    "argo/web.yaml": application("valuesFiles: [a.yaml], values: ''"),
  });
  expect(found.toSorted()).toEqual(
    [
      ["`spec.chartref` is not a field of this HelmRelease", "chartRef"],
      ["`spec.postBuild.substitue` is not a field of this Kustomization", "substitute"],
      ["`spec.sources.helm.valuesFiles` is not a field of this Application", "valueFiles"],
    ]
      .flatMap(([message, meant]) => [
        `warning[unknown-field]: ${message}`,
        `  hint  did you mean \`${meant}\`?`,
      ])
      .toSorted(),
  );
});

test("fields that the kinds have are no slips", async () => {
  const fields = "chart: {spec: {chart: web, version: '1', valuesFiles: [a.yaml]}}\n  test: {enable: true}";
  const found = await warnings({
    "clusters/one/apps.yaml": kustomization("substituteFrom: [{kind: Secret, name: x}], substitute: {}"),
    "apps/web.yaml": release(fields, "x"),
    "apps/kustomization.yaml": "resources: [web.yaml]\n",
    "argo/web.yaml": application("version: v3, valueFiles: [], values: '', valuesObject: {}"),
  });
  expect(found).toEqual([]);
});
