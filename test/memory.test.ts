// Peak memory of the built program on 32 MB of input, as the system counts it.
import { spawnSync } from "node:child_process";
import { mkdtempSync, openSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "valuefold-memory-"));
const program = new URL("../dist/valuefold.cjs", import.meta.url).pathname;
const probe = join(folder, "probe.cjs");
writeFileSync(
  probe,
  'process.on("exit", () => require("node:fs").writeSync(2, `peak ${process.resourceUsage().maxRSS}\\n`));\n',
);

const head = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n";
const lines = (count: number, line: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => line(at)).join("");

function app(index: number): string {
  const layer = (name: string): string =>
    `- apiVersion: v1\n  data:\n    values: |\n${lines(30, (at) => `      ${name}${at}:\n        value: some text ${index}\n`)}  kind: ConfigMap\n  metadata:\n    name: ${name}-${index}\n    namespace: org\n`;
  const slot = (slotName: string, name: string): string =>
    `    ${slotName}:\n      configMap:\n        name: ${name}-${index}\n        namespace: org\n`;
  return `${layer("base")}${layer("user")}- apiVersion: application.giantswarm.io/v1alpha1\n  kind: App\n  metadata:\n    name: app${index}\n    namespace: org\n  spec:\n    catalog: x\n${slot("config", "base")}    kubeConfig:\n      inCluster: true\n${slot("userConfig", "user")}`;
}

function stranger(index: number): string {
  return `- apiVersion: apps/v1\n  kind: Deployment\n  metadata:\n    name: web${index}\n    namespace: org\n  spec:\n${lines(25, (at) => `    field${at}: some text of no interest ${index}\n`)}`;
}

/** A list of about 32 MB. */
function listOf(item: (index: number) => string, few: string): string {
  const count = Math.floor(32_000_000 / item(10_000).length);
  return head + lines(count, item) + few;
}

function peakMebibytes(list: string): number {
  const file = join(folder, "list.yaml");
  writeFileSync(file, list);
  const { status, stderr } = spawnSync(process.execPath, ["--require", probe, program], {
    stdio: [openSync(file, "r"), "ignore", "pipe"],
  });
  expect(status).toBe(0);
  return Number(/peak (\d+)/.exec(stderr.toString("utf8"))?.[1]) / 1024;
}

test("a list of which little is folded fits into 256 MiB", () => {
  expect(peakMebibytes(listOf(stranger, lines(7, app)))).toBeLessThan(256);
});

test("a list of nothing but Apps and their layers fits into 384 MiB", () => {
  expect(peakMebibytes(listOf(app, ""))).toBeLessThan(384);
});
