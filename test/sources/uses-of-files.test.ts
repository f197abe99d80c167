// One file in several roles: each use is a document of its own, and what another one brings is not said to be of it.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { runCommand } from "../../src/cli/commands.ts";
import type { Explanation } from "../../src/explanation.ts";
import { worldOf } from "../support/world.ts";

const release = (name: string, values: string): string =>
  `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: ${name}}\nspec: {values: ${values}}\n`;

const files = {
  "a.yaml": release("a", "{both: 1, own: 1}"),
  "b.yaml": release("b", "{both: 2, rest: 2}"),
} as const;

/** Where items are from, and their values. */
async function explained(more: Readonly<Record<string, string>>): Promise<Readonly<Record<string, unknown>>> {
  const folder = mkdtempSync(join(tmpdir(), "valuefold-uses-"));
  mkdirSync(join(folder, ".git"));
  for (const [name, text] of Object.entries({ ...files, ...more })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const world = worldOf("", { directory: folder, env: {}, terminal: { stdin: true, stdout: false } });
  const { output } = await runCommand(["explain", "--json", "."], world);
  rmSync(folder, { recursive: true });
  const { targets } = JSON.parse(Buffer.concat(output).toString("utf8")) as Explanation;
  return Object.fromEntries(
    targets.map(({ name, at, stacks }) => [
      name,
      {
        at: at?.file,
        ...Object.fromEntries(
          stacks.flatMap(({ values }) =>
            values.map(({ path, text, at: place }) => [path.join("."), `${text} ${place?.file}`]),
          ),
        ),
      },
    ]),
  );
}

const own = { at: "a.yaml", both: "1 a.yaml", own: "1 a.yaml" };
const patched = { at: "b.yaml", both: "1 a.yaml", own: "1 a.yaml", rest: "2 b.yaml" };
const target = "target: {kind: HelmRelease, name: b}";

test.for([
  ["resource, and patch", `patches: [{path: a.yaml, ${target}}]\n`],
  ["resource, and patch twice", `patches: [{path: a.yaml, ${target}}, {path: ./a.yaml, ${target}}]\n`],
  ["patch before resource", `patches: [{path: a.yaml, ${target}}]\nresources: [b.yaml, a.yaml]\n`],
] as const)("%s", async ([, text]) => {
  const kustomization = text.includes("resources") ? text : `resources: [a.yaml, b.yaml]\n${text}`;
  expect(await explained({ "kustomization.yaml": kustomization })).toEqual({ a: own, b: patched });
});

test("resource, and strategic merge in another kustomization", async () => {
  const found = await explained({
    "over/kustomization.yaml": "resources: [../base]\npatchesStrategicMerge: [../a.yaml]\n",
    "base/kustomization.yaml": "resources: [c.yaml]\n",
    "base/c.yaml": release("a", "{both: 3, rest: 3}"),
    "kustomization.yaml": "resources: [over, b.yaml]\n",
    "other/kustomization.yaml": "namePrefix: x-\nresources: [../a.yaml]\n",
  });
  expect(found).toMatchObject({ a: { at: "base/c.yaml", both: "1 a.yaml", rest: "3 base/c.yaml" } });
});

test("one patch of two kustomizations", async () => {
  const over = (name: string): string =>
    `namePrefix: ${name}-\nresources: [../base]\npatches: [{path: ../a.yaml}]\n`;
  const found = await explained({
    "one/kustomization.yaml": over("one"),
    "two/kustomization.yaml": over("two"),
    "base/kustomization.yaml": "resources: [c.yaml]\n",
    "base/c.yaml": release("a", "{both: 3, rest: 3}"),
    "kustomization.yaml": "resources: [one, two]\n",
  });
  const each = { at: "base/c.yaml", both: "1 a.yaml", own: "1 a.yaml", rest: "3 base/c.yaml" };
  expect(found).toEqual({ "one-a": each, "two-a": each });
});

test("resource, and text of two data keys", async () => {
  const generated = (name: string): string => `{name: ${name}, files: [values.yaml=c.yaml]}`;
  const found = await explained({
    "c.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {x: y}\n",
    "b.yaml": release("b", "{rest: 2}, valuesFrom: [{kind: ConfigMap, name: two}]"),
    "kustomization.yaml":
      "resources: [a.yaml, b.yaml, c.yaml]\ngeneratorOptions: {disableNameSuffixHash: true}\n" +
      `configMapGenerator: [${generated("one")}, ${generated("two")}]\n`,
  });
  expect(found).toMatchObject({ a: own, b: { kind: "ConfigMap c.yaml", "data.x": "y c.yaml" } });
});
