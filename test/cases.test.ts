// Every directory in test/cases is one case: input.yaml (a ResourceList or a plain stream), perhaps
// config.yaml (function config of a stream), and what comes out: output.yaml, stderr.txt. The first line of
// stderr.txt is the exit status. Run with `-u` to write what is missing; CI refuses to.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { foldText } from "./support/fold.ts";

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
  const { exitCode, output, messages } = foldText(inputOf(name), read(name, "config.yaml"));
  await expect(output).toMatchFileSnapshot(`cases/${name}/output.yaml`);
  await expect(`exit ${exitCode}\n${messages}`).toMatchFileSnapshot(`cases/${name}/stderr.txt`);
});

test.for(names)("case %s: what was folded folds to itself, what failed is unchanged", (name) => {
  const input = Buffer.from(inputOf(name)).toString("utf8");
  const config = read(name, "config.yaml");
  const { exitCode, output } = foldText(inputOf(name), config);
  if (exitCode === 0) expect(withoutResults(foldText(output, config).output)).toBe(withoutResults(output));
  else if (output !== "") expect(withoutResults(output)).toBe(withoutResults(input));
});

/** A failed list comes back with `results` at its end and nothing else changed. */
function withoutResults(list: string): string {
  return list
    .replace(/\nresults:\n[\s\S]*$/, "\n")
    .replace(/,? ?"results": \[.*\]\}\s*$/, "}")
    .trimEnd();
}
