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

/** What `verify` warns of the names of fields and variables in a checkout with these files. */
async function warnings(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const lines = (await verified(files)).split("\n");
  return lines.filter((line) => /^warning\[unknown-|^ {2}hint {2}did you mean/.test(line));
}

async function verified(files: Readonly<Record<string, string>>): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), "valuefold-slips-"));
  mkdirSync(join(directory, ".git"));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, name)), { recursive: true });
    writeFileSync(join(directory, name), text);
  }
  const world = worldOf("", { directory, terminal: { stdin: true, stdout: false } });
  const { messages, exitCode } = await runCommand(["verify"], world);
  expect(exitCode).toBe(0);
  return messages;
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

test("a slip that a Secret has is not shown", async () => {
  const base64 = Buffer.from("${domian}").toString("base64");
  const secret = `kind: Secret\napiVersion: v1\nmetadata: {name: x, namespace: default}\n`;
  const part = "stringData: {a: a domian b}\n";
  for (const held of [`stringData: {a: "x\${domian}"}\n`, `data: {a: ${base64}}\n`, part]) {
    const found = await warnings({
      "clusters/one/apps.yaml": kustomization("substitute: {domain: one.example}"),
      "apps/web.yaml": release("chart: {spec: {chart: web}}", "${domian}"),
      "apps/secret.yaml": secret + held,
      "apps/kustomization.yaml": "resources: [web.yaml, secret.yaml]\n",
    });
    expect(found).toEqual([]);
  }
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
      ["`spec.sources[0].helm.valuesFiles` is not a field of this Application", "valueFiles"],
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

test("a field of what is built is placed in the file that has it, unless a patch changes it", async () => {
  const from = (name: string): string => `valuesFrom: [{kind: ConfigMap, name: ${name}}]`;
  const patch = release(from("patched"), "x").replace("namespace: default", "");
  const messages = await verified({
    "clusters/one/apps.yaml": kustomization("substitute: {a: b}"),
    "apps/web.yaml": release(`${from("absent")}\n  chartref: {}`, "x"),
    "apps/other.yaml": release(from("base"), "x").replace("name: web", "name: other"),
    "apps/patch.yaml": patch.replace("name: web", "name: other"),
    "apps/defaults.yaml": `kind: ConfigMap\napiVersion: v1\nmetadata: {name: absen, namespace: default}\ndata: {values.yaml: "a: 1"}\n`,
    "apps/kustomization.yaml":
      "resources: [web.yaml, other.yaml, defaults.yaml]\npatches: [{path: patch.yaml}]\n",
  });
  expect(messages).toContain("  at    HelmRelease/default/web in apps/web.yaml:6:3\n");
  expect(messages).toContain("\n  at    HelmRelease/default/web in apps/web.yaml:5:16\n");
  expect(messages).not.toContain("apps/other.yaml:5");
});
