// A directory that kustomize builds: files of origin as the user names them, and names from before a prefix or a hash.
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { UsageError } from "../../src/cli/io.ts";
import { runCommand } from "../../src/cli/commands.ts";
import type { Explanation } from "../../src/explanation.ts";
import { worldOf } from "../support/world.ts";

function configMap(name: string, annotations = ""): string {
  return `apiVersion: v1
data:
  values: |
    a: 1
kind: ConfigMap
metadata:
${annotations}  name: ${name}
  namespace: org
`;
}

function app(name: string, slots: readonly string[], annotations = ""): string {
  const [config = "", userConfig = config] = slots;
  return `apiVersion: application.giantswarm.io/v1alpha1
kind: App
metadata:
${annotations}  name: ${name}
  namespace: org
spec:
  catalog: giantswarm
  config: {configMap: {name: ${config}, namespace: org}}
  userConfig: {configMap: {name: ${userConfig}, namespace: org}}
`;
}

function origin(file: string): string {
  return `  annotations:\n    config.kubernetes.io/origin: |\n      path: ORIGIN/${file}\n`;
}

/** What is printed where kustomize fails with these words. */
async function failing(files: { readonly [path: string]: string }, words: string): Promise<UsageError> {
  const folder = mkdtempSync(join(tmpdir(), "valuefold-kustomize-"));
  for (const name of ["bin", "over"]) mkdirSync(join(folder, name));
  for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text);
  const script = `#!${process.execPath}\nprocess.stderr.write(${JSON.stringify(words)});process.exit(1);\n`;
  writeFileSync(join(folder, "bin/kustomize"), script.replaceAll("FOLDER", folder), { mode: 0o755 });
  const world = worldOf("", { directory: folder, env: { PATH: join(folder, "bin") } });
  return runCommand(["explain", "over"], world).then(
    () => expect.unreachable(),
    (error: UsageError) => error,
  );
}

test("why kustomize fails is shown: the first lines, with paths as they were given", async () => {
  const words = "# Warning: old\n\nError: no FOLDER/over/a.yaml\u001b[31m\ntwo\nthree\nfour\n";
  const { message, reason, hint } = await failing(
    { "over/kustomization.yaml": "resources: [a.yaml]\n" },
    words,
  );
  expect(message).toBe("kustomize cannot build `over`");
  expect(reason).toEqual(["Error: no over/a.yaml\u001b[31m", "two", "three"]);
  expect(hint).toBe("see why: kustomize build --enable-alpha-plugins over");
});

test("why kustomize fails is not shown where a Secret may be quoted", async () => {
  const secret = "apiVersion: v1\nkind: Secret\nmetadata: {name: a}\nstringData: {a: c4n4ry}\n";
  const files = { "over/kustomization.yaml": "resources: [a.yaml]\n", "over/a.yaml": secret };
  const { reason } = await failing(files, "Error: c4n4ry\n");
  expect(reason).toEqual(["(not shown: it may quote a Secret that the build reads)"]);
});

/** Explains `over` in a folder with these files, where kustomize prints `built`. */
async function explain(files: { readonly [path: string]: string }, built: string): Promise<Explanation> {
  const folder = mkdtempSync(join(tmpdir(), "valuefold-kustomize-"));
  for (const name of ["bin", "over", "base"]) mkdirSync(join(folder, name));
  for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text);
  writeFileSync(join(folder, "over/kustomization.yaml"), "resources: [../base]\n");
  writeFileSync(
    join(folder, "bin/kustomize"),
    `#!${process.execPath}
const origin = require("node:path").relative(process.argv.at(-1), ${JSON.stringify(folder)});
process.stdout.write(${JSON.stringify(built)}.replaceAll("ORIGIN", origin));\n`,
    { mode: 0o755 },
  );
  const env = { PATH: join(folder, "bin") };
  const { output } = await runCommand(["explain", "--json", "over"], worldOf("", { directory: folder, env }));
  return JSON.parse(Buffer.concat(output).toString("utf8")) as Explanation;
}

function layersOf({ targets }: Explanation): string[] {
  return targets.flatMap(({ stacks }) =>
    stacks.flatMap(({ layers }) =>
      layers.flatMap(({ name, state }) => (name === undefined ? [] : `${name} ${state}`)),
    ),
  );
}

test("an item is found by its name in the file, and its text with the line of the file", async () => {
  const explanation = await explain(
    {
      "base/app.yaml": app("shop", ["low", "high"]),
      "base/low.yaml": configMap("low"),
      "base/high.yaml": configMap("high"),
    },
    [
      app("pre-shop", ["low", "high"], origin("base/app.yaml")),
      configMap("pre-low-2bf7gk9d8t", origin("base/low.yaml")),
      configMap("pre-high", origin("base/high.yaml")),
    ].join("---\n"),
  );
  expect(layersOf(explanation)).toEqual(["pre-low-2bf7gk9d8t folded", "pre-high folded"]);
  expect(explanation.targets[0]?.stacks[0]?.values.map(({ at }) => `${at?.file}:${at?.line}`)).toEqual([
    "base/high.yaml:4",
  ]);
});

const all = [configMap("low"), configMap("low-high")].join("---\n");
const twoNames = { "base/app.yaml": app("shop", ["low", "low-high"]), "base/all.yaml": all };

test("of two names that an item may have had, it had the one by which all items of the file are built", async () => {
  const explanation = await explain(
    twoNames,
    [
      app("pre-shop", ["low", "low-high"], origin("base/app.yaml")),
      configMap("pre-low", origin("base/all.yaml")),
      configMap("pre-low-high", origin("base/all.yaml")),
    ].join("---\n"),
  );
  expect(layersOf(explanation)).toEqual(["pre-low folded", "pre-low-high folded"]);
});

test("where that cannot be known, no name is guessed", async () => {
  const explanation = await explain(
    twoNames,
    [
      app("pre-shop", ["low", "low-high"], origin("base/app.yaml")),
      configMap("pre-low-high", origin("base/all.yaml")),
    ].join("---\n"),
  );
  expect(layersOf(explanation)).toEqual(["low late", "low-high late"]);
});
