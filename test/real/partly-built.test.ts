// Kustomizations of which a part cannot be built here: the rest is explained, and what is missing is said with its reason.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { runCommand } from "../../src/cli/commands.ts";
import { worldOf } from "../support/world.ts";
import { tools } from "./stamps.ts";

const release =
  "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: web, namespace: shop}\nspec:\n  values: {replicas: 1}\n";
const kustomization = (name: string, path: string): string =>
  `apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: ${name}, namespace: flux-system}\nspec:\n  path: ${path}\n  sourceRef: {kind: GitRepository, name: flux-system}\n`;
const configMap = (name: string): string => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n`;

let folder = "";
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function checkout(files: Readonly<Record<string, string>>): void {
  folder = mkdtempSync(join(tmpdir(), "valuefold-partly-"));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  execFileSync("git", ["-C", folder, "init", "-q"]);
}

async function run(...words: readonly string[]): Promise<string> {
  const world = worldOf("", {
    directory: folder,
    env: { PATH: tools },
    terminal: { stdin: true, stdout: false },
  });
  const { output, messages, exitCode } = await runCommand(words, world);
  return `${Buffer.concat(output).toString("utf8")}${messages}status ${exitCode}\n`.replaceAll(
    /\n {8}/g,
    " ",
  );
}

const app = { "app/kustomization.yaml": "resources: [release.yaml]\n", "app/release.yaml": release };

test.for([
  ["of URLs alone", "resources: ['https://example.org/crds.yaml']\n"],
  ["of nothing", "resources: []\n"],
] as const)("a build %s is empty, and no error", async ([, text]) => {
  checkout({ ...app, "crds/kustomization.yaml": text });
  for (const words of [["explain", "web", "replicas"], ["verify"]]) {
    const said = await run(...words);
    expect(said).not.toContain("the input is empty");
    expect(said).toMatch(/status 0\n$/);
  }
});

test.for(["files: [board.json=https://example.org/b.json]", "envs: ['http://127.0.0.1:1/x.env']"])(
  "a generator with a URL is left out with a warning: %s",
  async (field) => {
    checkout({
      ...app,
      "kustomization.yaml": "resources: [app, dash]\n",
      "dash/kustomization.yaml": `configMapGenerator: [{name: board, ${field}}, {name: own, literals: [a=b]}]\n`,
    });
    const said = await run("explain", "web", "replicas");
    expect(said).toContain("is not fetched");
    expect(said).toContain("replicas: 1  A app/release.yaml:5:22");
    expect(said).toMatch(/status 0\n$/);
  },
);

test("a patch of what is not fetched: the URL is the reason, and --enable-exec the cure", async () => {
  checkout({
    "clusters/a/ks.yaml": kustomization("op", "./op"),
    "op/kustomization.yaml":
      "resources: ['https://example.org/operator.yaml']\npatches: [{patch: '{apiVersion: v1, kind: ConfigMap, metadata: {name: defaults}, data: {a: b}}'}]\n",
  });
  const said = await run("explain", "clusters/a");
  expect(said).toContain("`https://example.org/operator.yaml` is not fetched without --enable-exec");
  expect(said).toContain("hint  let kustomize fetch it: --enable-exec");
});

test("a folder that looks like a cluster, and that no sync names: its failure is a warning, and an error if all counts", async () => {
  checkout({
    "clusters/a/ks.yaml": kustomization("apps", "./app"),
    ...app,
    "shared/monitor.yaml": kustomization("monitor", "./shared/parts"),
    "shared/one.yaml": configMap("twice"),
    "shared/parts/two.yaml": configMap("twice"),
  });
  expect(await run("verify")).toMatch(/warning\[not-built\]: kustomize cannot build `shared`[^]*status 0\n$/);
  expect(await run("verify", "--strict")).toMatch(
    /error\[not-built\]: kustomize cannot build `shared`[^]*status 1\n$/,
  );
});

test("what leads out of the repository is not read, and the reason says so", async () => {
  checkout({ "app/kustomization.yaml": "resources: [link]\n" });
  mkdirSync(join(folder, "../valuefold-outside"), { recursive: true });
  symlinkSync(join(folder, "../valuefold-outside"), join(folder, "app/link"));
  const error: unknown = await run("explain", "app").catch((each: unknown) => each);
  expect(JSON.stringify(error)).toContain("`link` leads out of the repository, and is not read");
});

test("kustomizations in a circle are refused, and the file is named", async () => {
  checkout({
    "k1/kustomization.yaml": "resources: [../k2]\n",
    "k2/kustomization.yaml": "resources: [../k1]\n",
  });
  await expect(run("explain", "k1")).rejects.toThrow("kustomize cannot build `k1`");
});

test.for([
  ["a field in other letters", "Resources: [release.yaml]\n", "`Resources` is written `resources`"],
  [
    "a file of a generator in other letters",
    "configMapGenerator: [{name: a, Files: [x]}]\n",
    "`Files` is written `files`",
  ],
] as const)("%s: kustomize would read it, so it is refused", async ([, text, reason]) => {
  checkout({ "app/kustomization.yaml": text, "app/release.yaml": release });
  const error: unknown = await run("explain", "app").catch((each: unknown) => each);
  expect(JSON.stringify(error)).toContain(reason);
});
