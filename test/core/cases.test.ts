// Every directory in test/core/cases is one case: input.yaml (a ResourceList or a plain stream), perhaps
// config.yaml (function config of a stream), and what comes out: output.yaml, stderr.txt. The first line of
// stderr.txt is the exit status. Run with `-u` to write what is missing; CI refuses to.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { foldText } from "../support/fold.ts";

const folder = new URL("cases/", import.meta.url);
const names = readdirSync(folder);

function read(name: string, file: string): string | undefined {
  const url = new URL(`${name}/${file}`, folder);
  return existsSync(url) ? readFileSync(url, "utf8") : undefined;
}

function inputOf(name: string): Uint8Array {
  const coded = read(name, "input.json");
  if (coded !== undefined) return Buffer.from((JSON.parse(coded) as { base64: string }).base64, "base64");
  return readFileSync(new URL(`${name}/input.yaml`, folder));
}

test("there are cases", () => {
  expect(names.length).toBeGreaterThan(40);
});

test.for(names)("case %s", async (name) => {
  const [input, config] = [inputOf(name), read(name, "config.yaml")];
  const { exitCode, output, messages } = foldText(input, config);
  await expect(output).toMatchFileSnapshot(`cases/${name}/output.yaml`);
  await expect(`exit ${exitCode}\n${messages}`).toMatchFileSnapshot(`cases/${name}/stderr.txt`);
  const text = Buffer.from(input).toString("utf8");
  const isList =
    text.includes("ResourceList") && !/^error\[(?:input-unreadable|not-a-resource-list)\]/.test(messages);
  // What is folded folds to itself. A list that fails comes back unchanged; a stream that fails gives nothing to apply.
  if (exitCode === 0) expect(withoutResults(foldText(output, config).output)).toBe(withoutResults(output));
  else expect(withoutResults(output)).toBe(isList ? withoutResults(text) : "");
});

/** A failed list comes back with `results` at its end and nothing else changed. */
function withoutResults(list: string): string {
  return list
    .replace(/\nresults:\n[\s\S]*$/, "\n")
    .replace(/,? ?"results": \[.*\]\}\s*$/, "}")
    .trimEnd();
}
