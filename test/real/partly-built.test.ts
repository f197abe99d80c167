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
    expect(said).toContain("web replicas 1  app/release.yaml:5:22  spec.values");
    expect(said).toMatch(/status 0\n$/);
  },
);

const remote = "https://example.org/operator.yaml";
const patch = "{apiVersion: v1, kind: ConfigMap, metadata: {name: defaults, namespace: op}, data: {a: b}}";
const ofRemote = { ...app, "op/kustomization.yaml": `resources: ['${remote}', ../app]\n` };

test.for([
  ["inline", { "kustomization.yaml": `resources: [op]\npatches: [{patch: '${patch}'}]\n` }],
  [
    "in a file, with one that has its object",
    {
      "kustomization.yaml": "resources: [op]\npatches: [{path: patch.yaml}]\n",
      "patch.yaml": `${patch}\n---\n${release.replace("replicas: 1", "replicas: 2")}`,
    },
  ],
  ["in the old field", { "kustomization.yaml": `resources: [op]\npatchesStrategicMerge: ['${patch}']\n` }],
  [
    "that deletes",
    {
      "kustomization.yaml": `resources: [op]\npatches: [{patch: '${patch.replace("{", "{$patch: delete, ")}'}]\n`,
    },
  ],
  [
    "in a component, beside the URL",
    {
      "kustomization.yaml": "resources: [op]\ncomponents: [more]\n",
      "more/kustomization.yaml": `apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\npatches: [{patch: '${patch}'}]\n`,
    },
  ],
  [
    "of Flux",
    {
      "clusters/a/ks.yaml": `${kustomization("op", "./op")}  patches: [{patch: '${patch}'}]\n`,
    },
  ],
] as const)("a patch %s, of an object that is not fetched: the rest is built", async ([, files]) => {
  checkout({ ...ofRemote, ...files });
  const said = await run("explain", "web", "replicas");
  expect(said).toContain(`\`${remote}\` is not fetched: what it brings is missing`);
  expect(said).toContain("a patch of `ConfigMap/op/defaults` is left out");
  expect(said).toMatch(/^web replicas (?:1 {2}app\/release.yaml:5:22|2 {2}patch.yaml:\d)/);
  expect(said).toMatch(/status 0\n$/);
});

test("a patch without an object, where all is read: kustomize's reason", async () => {
  checkout({ ...app, "kustomization.yaml": `resources: [app]\npatches: [{patch: '${patch}'}]\n` });
  const error: unknown = await run("explain", ".").catch((each: unknown) => each);
  expect(JSON.stringify(error)).toContain("no matches for Id ConfigMap");
});

test.for([
  ["a generator adds to", `configMapGenerator: [{name: defaults, behavior: merge, literals: [a=b]}]\n`],
  [
    "a replacement takes from",
    `replacements: [{source: {kind: ConfigMap, name: defaults, fieldPath: data.a}, targets: [{select: {kind: HelmRelease}, fieldPaths: [spec.values.replicas]}]}]\n`,
  ],
])("%s what is not fetched: the URL is a reason, and --enable-exec the cure", async ([, fields]) => {
  checkout({ ...ofRemote, "kustomization.yaml": `resources: [op]\n${fields}` });
  const error: unknown = await run("explain", ".").catch((each: unknown) => each);
  expect(JSON.stringify(error)).toContain(`\`${remote}\` is not fetched without --enable-exec`);
  expect(JSON.stringify(error)).toContain("let kustomize fetch it: --enable-exec");
});

test("a folder that looks like a cluster, and that no sync names: its failure is a warning, and an error if all counts", async () => {
  checkout({
    "clusters/a/ks.yaml": kustomization("apps", "./app"),
    ...app,
    "shared/monitor.yaml": kustomization("monitor", "./shared/parts"),
    "shared/one.yaml": configMap("twice"),
    "shared/two.yaml": configMap("twice"),
    "shared/parts/three.yaml": configMap("once"),
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
