// The examples are tests: what they say comes out, comes out.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { foldText } from "./support/fold.ts";

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
