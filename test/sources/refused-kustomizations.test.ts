// What kustomize refuses is refused: its own code reads what a kustomization says. Reasons have no tokens of URLs.
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCommand } from "../../src/cli/commands.ts";
import { withoutCredentials } from "../../src/sources/not-built.ts";
import type { UsageError } from "../../src/sources/usage-error.ts";
import { worldOf } from "../support/world.ts";

const release =
  "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: a}\nspec: {values: {a: 1}}\n";

async function explain(
  files: Readonly<Record<string, string>>,
  link?: readonly [string, string],
): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "valuefold-refused-"));
  mkdirSync(join(folder, ".git"));
  for (const [name, text] of Object.entries({ "hr.yaml": release, ...files }))
    writeFileSync(join(folder, name), text);
  if (link !== undefined) symlinkSync(link[1], join(folder, link[0]));
  const world = worldOf("", { directory: folder, env: {}, terminal: { stdin: true, stdout: false } });
  const { output, messages } = await runCommand(["explain", "HelmRelease/a", "."], world).catch(
    (error: unknown) => {
      const { reason = [] } = error as Partial<UsageError>;
      return { output: [], messages: `${String(error)}\n${reason.join("\n")}\n` };
    },
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
  ["an empty mapping", { "kustomization.yaml": "{}\n" }],
  ["an empty file", { "kustomization.yaml": "" }],
  ["a kind alone", { "kustomization.yaml": "kind: Kustomization\n" }],
  ["nulls alone", { "kustomization.yaml": "resources:\nnamePrefix: ''\n" }],
  ["an order that is none", { "kustomization.yaml": "resources: [hr.yaml]\nsortOptions: {order: x}\n" }],
  [
    "an order of another kind of order",
    {
      "kustomization.yaml":
        "resources: [hr.yaml]\nsortOptions: {order: fifo, legacySortOptions: {orderFirst: [Secret]}}\n",
    },
  ],
] as const)("%s is refused", async (_, files) => {
  const text = await explain(files);
  expect(text).toContain("kustomize cannot build");
  expect(text).not.toContain("not shown");
});

test.each([
  ["an empty list", "resources: []\n"],
  ["a mark of the order of bytes", "\ufeffresources: [hr.yaml]\n"],
  ["`<<` among labels", "resources: [hr.yaml]\ncommonLabels: {<<: {a: b}, c: d}\n"],
  ["an alias", "resources: [hr.yaml]\nlabels: [{pairs: &p {a: b}}, {pairs: {<<: *p, c: d}}]\n"],
  ["a component", "kind: Component\napiVersion: kustomize.config.k8s.io/v1alpha1\nresources: [hr.yaml]\n"],
] as const)("%s is not", async (_, text) => {
  expect(await explain({ "kustomization.yaml": text })).not.toContain("cannot build");
});

test("the order of objects is that of kustomize: the last of two layers of one priority wins", async () => {
  const layer = (name: string): string =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, annotations: {valuefold.dev/into: HelmRelease/a}}\n` +
    `data: {values.yaml: "x: ${name}"}\n`;
  const text = await explain({
    "z.yaml": layer("z"),
    "b.yaml": layer("b"),
    "kustomization.yaml": "resources: [z.yaml, b.yaml, hr.yaml]\nsortOptions: {order: fifo}\n",
  });
  expect(text).toContain("x: b ");
});

test("a link to what is not there, and one that leads out", async () => {
  const text = await explain({ "kustomization.yaml": "resources: [hr.yaml, gone.yaml]\n" }, [
    "gone.yaml",
    "none",
  ]);
  expect(text).toContain("kustomization.yaml:1  `gone.yaml` is a link to nothing\n");
  const out = await explain({ "kustomization.yaml": "resources: [hr.yaml, out.yaml]\n" }, [
    "out.yaml",
    "/etc/hostname",
  ]);
  expect(out).toContain("kustomization.yaml:1  `out.yaml` leads out of the repository, and is not read\n");
});

test("a token in a query is not shown", () => {
  const text = "`git::https://h/x?ref=v1&token=hunter2` and https://h/y?sig=hunter2";
  expect(withoutCredentials(text)).toBe("`git::https://h/x?ref=v1&token=…` and https://h/y?sig=…");
});
