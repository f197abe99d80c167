// The examples are tests: what they say comes out, comes out.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { runCommand } from "../src/cli/commands.ts";
import { foldText } from "./support/fold.ts";
import { worldOf } from "./support/world.ts";

const quickstart = new URL("../examples/quickstart/", import.meta.url);

test.for([
  ["prod", "east"],
  ["dev", "west"],
] as const)("quickstart: %s", ([stage, region]) => {
  const files = [
    "base/app.yaml",
    "base/credentials.yaml",
    "base/values.yaml",
    `stages/${stage}.yaml`,
    `regions/${region}.yaml`,
  ];
  const input = files.map((file) => readFileSync(new URL(file, quickstart), "utf8")).join("---\n");
  const { output, messages } = foldText(input);
  expect(messages).toBe("");
  expect(output).toBe(readFileSync(new URL(`expected/${stage}-${region}.yaml`, quickstart), "utf8"));
  expect(foldText(output).output).toBe(output);
});

const kyma = new URL("../examples/kyma-overrides/", import.meta.url);

test.for([
  ["local", ["common.yaml"]],
  ["cluster", ["common.yaml", "cluster.yaml", "extension.yaml", "release.yaml"]],
] as const)("kyma-overrides: %s", async ([name, files]) => {
  const input = files.map((file) => readFileSync(new URL(file, kyma), "utf8")).join("---\n");
  const config = readFileSync(new URL("fold.yaml", kyma), "utf8");
  const { output, messages } = foldText(input, config);
  expect(messages).toBe("");
  await expect(output).toMatchFileSnapshot(new URL(`expected/${name}.yaml`, kyma).pathname);
  expect(foldText(output, config).output).toBe(output);
});

const lists = new URL("../examples/lists/", import.meta.url);

test("lists", async () => {
  const input = ["base.yaml", "prod.yaml"]
    .map((file) => readFileSync(new URL(file, lists), "utf8"))
    .join("---\n");
  const config = readFileSync(new URL("fold.yaml", lists), "utf8");
  const { output, messages } = foldText(input, config);
  expect(messages).toBe("");
  await expect(output).toMatchFileSnapshot(new URL("expected/prod.yaml", lists).pathname);
  expect(foldText(output, config).output).toBe(output);
});

const schema = new URL("../examples/schema/", import.meta.url).pathname;

test.for(["prod", "mistaken"])("schema: %s", async (name) => {
  const layer = name === "prod" ? "prod.yaml" : "prod-mistaken.yaml";
  const files = ["base.yaml", layer].map((file) => `${schema}${file}`);
  const { exitCode, output, messages } = await runCommand(
    ["fold", "--quiet", "-c", `${schema}fold.yaml`, ...files],
    worldOf(),
  );
  const [written, told] = [Buffer.concat(output).toString("utf8"), messages.replaceAll(schema, "")];
  if (name === "prod") {
    expect([exitCode, told]).toEqual([0, ""]);
    await expect(written).toMatchFileSnapshot(`${schema}expected/prod.yaml`);
  } else {
    expect([exitCode, written]).toEqual([1, ""]);
    await expect(told).toMatchFileSnapshot(`${schema}expected/mistaken.txt`);
  }
});

const repeats = new URL("../examples/repeat/", import.meta.url);

test.for(["files", "proxies", "kafka"])("repeat: %s", async (name) => {
  const input = readFileSync(new URL(`${name}.yaml`, repeats), "utf8");
  const { output, messages } = foldText(input);
  expect(messages).toBe("");
  await expect(output).toMatchFileSnapshot(new URL(`expected/${name}.yaml`, repeats).pathname);
  expect(foldText(output).output).toBe(output);
});
