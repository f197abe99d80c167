// What `explain` prints, case by case: a directory holds the input, the words on the command line, and the answer.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { type InferOutput, parse } from "valibot";
import { expect, test } from "vitest";
import { ExplanationSchema } from "../../scripts/explanation-source.ts";
import { runCommand } from "../../src/cli/commands.ts";
import type { Explanation } from "../../src/explanation.ts";
import { explainText } from "../support/explain.ts";
import { worldOf } from "../support/world.ts";

const folder = new URL("explanations/", import.meta.url);

test("the schema says what the types say", () => {
  const told = (explanation: Explanation): InferOutput<typeof ExplanationSchema> =>
    structuredClone(explanation) as InferOutput<typeof ExplanationSchema>;
  const read = (explanation: InferOutput<typeof ExplanationSchema>): Explanation => explanation;
  const nothing = { kind: "Explanation", version: 1, targets: [] } as const;
  expect(read(told(nothing))).toEqual(nothing);
});

test.for(readdirSync(folder))("%s", async (name) => {
  const own = new URL(`${name}/`, folder);
  const told = new URL("arguments.txt", own);
  const words = existsSync(told) ? readFileSync(told, "utf8").trim().split(" ") : [];
  const named = words.map((word) => (word.endsWith(".yaml") ? new URL(word, own).pathname : word));
  const { exitCode, output, messages } = await runCommand(
    ["explain", ...named, "-"],
    worldOf(readFileSync(new URL("input.yaml", own))),
  );
  const { explanation } = explainText(readFileSync(new URL("input.yaml", own), "utf8"));
  if (explanation !== undefined) expect(parse(ExplanationSchema, explanation)).toEqual(explanation);
  const text = `exit ${exitCode}\n${messages}\n${Buffer.concat(output).toString("utf8")}`;
  await expect(text).toMatchFileSnapshot(new URL("output.txt", own).pathname);
});
