// What the program tells V8 before a long fold: only what this V8 knows, and nothing that anybody sees.
import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { engineFlags } from "../../src/cli/engine.ts";
import { foldSync } from "../../src/index.ts";
import { appList } from "../support/large-lists.ts";

const large = 1_000_000;
const program = new URL("../../dist/valuefold.cjs", import.meta.url).pathname;

test.each([
  ["Node 20", { v8: "11.3.244.8-node.34" }, 2],
  ["Node 22", { v8: "12.4.254.21-node.33" }, 1],
  ["Node 24", { v8: "13.6.233.17-node.41" }, 1],
  ["a later engine", { v8: "14.1.1" }, 0],
  ["an executable", { v8: "13.6.233.10-node.18", bun: "1.3.1" }, 0],
  ["no V8 at all", {}, 0],
])("%s", (_name, versions, count) => {
  expect(engineFlags(large, versions)).toHaveLength(count);
  expect(engineFlags(1000, versions)).toHaveLength(0);
});

test("a long list folds to the same, and the engine does not complain", () => {
  const input = appList(large);
  expect(engineFlags(input.length, process.versions)).not.toHaveLength(0);
  const { status, stdout, stderr } = spawnSync(process.execPath, [program], { input, maxBuffer: 64 * large });
  const { output } = foldSync({ input: Buffer.from(input), form: "resource-list" });
  expect({ status, stderr: stderr.toString("utf8") }).toEqual({ status: 0, stderr: "" });
  expect(stdout.equals(output)).toBe(true);
});
