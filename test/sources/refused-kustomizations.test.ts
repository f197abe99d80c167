// What kustomize refuses is refused: its own code reads what a kustomization says. Reasons have no tokens of URLs.
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCommand } from "../../src/cli/commands.ts";
import { withoutCredentials } from "../../src/sources/not-built.ts";
import { worldOf } from "../support/world.ts";

const release =
  "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: a}\nspec: {values: {a: 1}}\n";

async function explain(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "valuefold-refused-"));
  mkdirSync(join(folder, ".git"));
  for (const [name, text] of Object.entries({ "hr.yaml": release, ...files }))
    writeFileSync(join(folder, name), text);
  const world = worldOf("", { directory: folder, env: {}, terminal: { stdin: true, stdout: false } });
  const { output, messages } = await runCommand(["explain", "HelmRelease/a", "."], world).catch(
    (error: unknown) => ({ output: [], messages: String(error) }),
  );
  return `${Buffer.concat(output).toString("utf8")}${messages}`;
}

test("a kustomization of the release is explained", async () => {
  expect(await explain({ "kustomization.yaml": "resources: [hr.yaml]\n" })).toContain("a: 1");
});

test.each([
  ["a text in place of a list", { "kustomization.yaml": "resources: hr.yaml\n" }],
  ["a number in a list", { "kustomization.yaml": "resources: [hr.yaml, 1]\n" }],
  ["a mapping in a list", { "kustomization.yaml": "resources: [hr.yaml, {a: b}]\n" }],
  [
    "a mapping of generators",
    { "kustomization.yaml": "resources: [hr.yaml]\nconfigMapGenerator: {name: x}\n" },
  ],
  [
    "two kustomizations in a directory",
    { "kustomization.yaml": "resources: [hr.yaml]\n", "kustomization.yml": "resources: [hr.yaml]\n" },
  ],
] as const)("%s is refused", async (_, files) => {
  expect(await explain(files)).toContain("kustomize cannot build");
});

test("a token in a query is not shown", () => {
  const text = "`git::https://h/x?ref=v1&token=hunter2` and https://h/y?sig=hunter2";
  expect(withoutCredentials(text)).toBe("`git::https://h/x?ref=v1&token=…` and https://h/y?sig=…");
});
