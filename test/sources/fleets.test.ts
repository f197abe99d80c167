// Kustomizations below a `fleet.yaml`: over a chart they change what Helm makes, and are no builds; without one Fleet builds them.
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { runCommand } from "../../src/cli/commands.ts";
import { worldOf } from "../support/world.ts";

type Files = Readonly<Record<string, string>>;

const patches =
  "patches:\n  - patch: |\n      apiVersion: apps/v1\n      kind: Deployment\n      metadata: {name: meter}\n      spec: {paused: true}\n";
const chart = "apiVersion: v2\nname: meter\nversion: 1.0.0\n";
const other: Files = { "other/fleet.yaml": "helm:\n  values: {a: 1}\n" };

async function ran(
  files: Files,
  ...words: readonly string[]
): Promise<{ text: string; messages: string; status: number }> {
  const folder = mkdtempSync(join(tmpdir(), "valuefold-fleets-"));
  for (const [name, text] of Object.entries({ ...other, ...files })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const { output, messages, exitCode } = await runCommand(words, worldOf("", { directory: folder }));
  return { text: Buffer.concat(output).toString("utf8"), messages, status: exitCode };
}

/** Values of a Fleet, and of its customization. */
function fleet(helm: string, own: string, customization: string): string {
  return `helm: {${helm}values: {replicas: 2}}\n${own}targetCustomizations:\n  - name: prod\n    helm: {values: {replicas: 5}}\n${customization}`;
}

const url = "chart: 'https://charts.example/meter-1.0.0.tgz', ";

const overCharts: readonly (readonly [string, Files])[] = [
  [
    "of a customization, over a chart by URL",
    {
      "meter/fleet.yaml": fleet(url, "", "    kustomize: {dir: overlays/prod}\n"),
      "meter/overlays/prod/kustomization.yaml": patches,
    },
  ],
  [
    "of all clusters, over a chart of a repository",
    {
      "meter/fleet.yaml": fleet(
        "repo: 'https://charts.example', chart: meter, ",
        "kustomize: {dir: ./over}\n",
        "",
      ),
      "meter/over/kustomization.yaml": patches,
    },
  ],
  [
    "over the chart that is beside it, with a base",
    {
      "meter/fleet.yaml": fleet("", "", "    kustomize: {dir: overlays/prod}\n"),
      "meter/Chart.yaml": chart,
      "meter/overlays/prod/kustomization.yaml": `resources: [../../base]\n${patches}`,
      "meter/base/kustomization.yaml": "commonAnnotations: {team: metering}\n",
    },
  ],
  [
    "in the same directory, which no field names",
    { "meter/fleet.yaml": fleet(url, "", ""), "meter/kustomization.yaml": patches },
  ],
];

test.for(overCharts)("a kustomization %s is no build, and the Fleet is one", async ([, files]) => {
  const all = await ran(files, "explain", ".");
  expect(all.text).toMatch(/^meter +Fleet\nother +Fleet\n$/);
  const { text, status } = await ran(files, "explain", "meter");
  expect(text).toMatch(/^Bundle\/meter .*\nBundle\/meter@prod .*\n$/);
  expect(status).toBe(0);
  const verified = await ran(files, "verify", ".");
  expect(verified.messages).not.toMatch(/error|warning/);
  expect(verified.status).toBe(0);
});

test("a kustomization without a chart is built by itself, and the Fleet has its values", async () => {
  const files = {
    "meter/fleet.yaml": fleet("", "", "    kustomize: {dir: overlays/prod}\n"),
    "meter/overlays/prod/kustomization.yaml": "resources: []\n",
  };
  const all = await ran(files, "explain", ".");
  expect(all.text).toMatch(/^meter +Fleet\nother +Fleet\nmeter\/overlays\/prod +kustomization\n$/);
  const { text, messages, status } = await ran(files, "explain", "meter");
  expect(text).toMatch(/^Bundle\/meter .*\nBundle\/meter@prod .*\n$/);
  expect(messages).toContain("did not build 1 kustomization: meter/overlays/prod");
  expect(status).toBe(0);
});
