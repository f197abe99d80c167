// Peak memory of the built program on 32 MB of input, as the system counts it.
// @module-tag law
import { spawnSync } from "node:child_process";
import { mkdtempSync, openSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { appList, fewAppsAmongStrangers } from "../support/large-lists.ts";

const folder = mkdtempSync(join(tmpdir(), "valuefold-memory-"));
const program = new URL("../../dist/valuefold.cjs", import.meta.url).pathname;
const probe = join(folder, "probe.cjs");
writeFileSync(
  probe,
  'process.on("exit", () => require("node:fs").writeSync(2, `peak ${process.resourceUsage().maxRSS}\\n`));\n',
);

function peakMebibytes(list: string): number {
  const file = join(folder, "list.yaml");
  writeFileSync(file, list);
  // The system counts a process from the size of the one that started it: a small shell starts the program.
  const words = ["-c", '"$@"; exit', "sh", process.execPath, "--require", probe, program];
  const { status, stderr } = spawnSync("sh", words, {
    stdio: [openSync(file, "r"), "ignore", "pipe"],
  });
  expect(status).toBe(0);
  return Number(/peak (\d+)/.exec(stderr.toString("utf8"))?.[1]) / 1024;
}

test("a list of which little is folded fits into 256 MiB", () => {
  expect(peakMebibytes(fewAppsAmongStrangers(32_000_000))).toBeLessThan(256);
});

test("a list of nothing but Apps and their layers fits into 320 MiB", () => {
  expect(peakMebibytes(appList(32_000_000))).toBeLessThan(320);
});
