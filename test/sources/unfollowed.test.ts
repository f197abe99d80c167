// What a checkout has that nothing follows: helmfiles, charts that make targets. Each is named once,
// with a way to an answer, by every question.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { runCommand } from "../../src/cli/commands.ts";
import { worldOf } from "../support/world.ts";

const program = new URL("../../dist/valuefold.cjs", import.meta.url).pathname;

type Files = Readonly<Record<string, string>>;

function checkout(files: Files): string {
  const folder = mkdtempSync(join(tmpdir(), "valuefold-unfollowed-"));
  mkdirSync(join(folder, ".git"));
  write(folder, files);
  return folder;
}

function write(folder: string, files: Files): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

interface Answer {
  readonly text: string;
  readonly messages: string;
  readonly status: number;
}

async function ran(directory: string, ...words: string[]): Promise<Answer> {
  const world = worldOf("", {
    directory,
    env: { PATH: process.env["PATH"] },
    terminal: { stdin: true, stdout: false },
  });
  const { output, messages, exitCode } = await runCommand(words, world);
  return { text: Buffer.concat(output).toString("utf8"), messages, status: exitCode };
}

/** The headlines of what is not built. */
function namedIn({ messages }: Answer): readonly string[] {
  return messages.split("\n").filter((line) => /^(?:error|warning)\[not-built\]/.test(line));
}

/** All questions name the same, once. */
async function expectNamed(files: Files, names: readonly string[]): Promise<void> {
  const folder = checkout(files);
  const all = await Promise.all(
    [["explain"], ["verify"], ["doctor"], ["verify", "--strict"]].map((words) => ran(folder, ...words)),
  );
  const headlines = names.map((name) => expect.stringContaining(`\`${name}\``) as string);
  expect(all.map(namedIn)).toEqual(all.map(() => headlines));
  expect(all.map(({ status }) => status)).toEqual([0, 0, 0, names.length === 0 ? 0 : 1]);
}

const release =
  "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: shop}\nspec: {values: {replicas: 1}}\n";

test.each<[string, Files, readonly string[]]>([
  ["a helmfile", { "helmfile.yaml": "releases: [{name: a}]\n", "values.yaml": "a: 1\n" }, ["helmfile.yaml"]],
  ["one with templates", { "helmfile.yaml.gotmpl": "{{ if }}\n" }, ["helmfile.yaml.gotmpl"]],
  ["a folder of them", { "helmfile.d/01.yaml": "releases: []\n" }, ["helmfile.d"]],
  ["both: the file counts", { "helmfile.d/01.yaml": "a: 1\n", "helmfile.yaml": "a: 1\n" }, ["helmfile.yaml"]],
  [
    "one that includes others",
    { "helmfile.yaml": "a: 1\n", "apps/a/helmfile.yaml": "a: 1\n" },
    ["helmfile.yaml"],
  ],
  [
    "several, each for itself",
    { "one/helmfile.yaml": "a: 1\n", "two/helmfile.yml": "a: 1\n" },
    ["one/helmfile.yaml", "two/helmfile.yml"],
  ],
  ["one beside manifests", { "helmfile.yaml": "a: 1\n", "release.yaml": release }, ["helmfile.yaml"]],
  ["no helmfile", { "release.yaml": release, "my-helmfile.yaml": "a: 1\n" }, []],
])("helmfiles: %s", (_, files, names) => expectNamed(files, names));

test("the way to an answer names the helmfile that is not where the command runs", async () => {
  const { messages } = await ran(checkout({ "one/helmfile.yaml": "a: 1\n" }), "verify");
  expect(messages).toContain("helmfile -f one/helmfile.yaml template | valuefold explain -");
});

const apps = {
  "apps/Chart.yaml": "apiVersion: v2\nname: apps\nversion: 0.1.0\n",
  "apps/values.yaml": "a: 1\n",
  "apps/templates/app.yaml":
    "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: {{ .Values.a }}}\n",
};
const library = {
  "lib/Chart.yaml": "apiVersion: v2\nname: lib\nversion: 0.1.0\n",
  "lib/templates/a.yaml": "apiVersion: v1\nkind: ConfigMap\n",
};

test.each<[string, Files, readonly string[]]>([
  ["alone", { ...apps, ...library }, ["apps"]],
  ["beside manifests", { ...apps, "release.yaml": release }, ["apps"]],
  [
    "that makes sets",
    { ...apps, "apps/templates/app.yaml": "apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\n" },
    ["apps"],
  ],
  ["that makes no target", { ...library, "release.yaml": release }, []],
])("charts: one %s", (_, files, names) => expectNamed(files, names));

test("a chart that an Application deploys is followed", async () => {
  const application = `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: all}
spec: {source: {repoURL: https://git.example/a/b.git, path: apps}}
`;
  const folder = checkout({ ...apps, "root/all.yaml": application });
  for (const words of [["verify"], ["explain"]]) {
    const answer = await ran(folder, ...words);
    expect(answer.messages).toContain("`Application/1` has no `spec`");
    expect(answer.messages).not.toContain("makes is missing");
  }
});

const set =
  "apiVersion: fluxcd.controlplane.io/v1\nkind: ResourceSet\nmetadata: {name: web, namespace: a}\nspec: {resources: []}\n";
const instance =
  "apiVersion: fluxcd.controlplane.io/v1\nkind: FluxInstance\nmetadata: {name: flux}\nspec: {distribution: {version: 2.x}}\n";

test.each<[string, Files, readonly string[]]>([
  ["a set is followed", { "set.yaml": set }, []],
  ["a set beside others, too", { "set.yaml": set, "release.yaml": release }, []],
  ["a set below others, too", { "sets/set.yaml": set, "one/kustomization.yaml": "resources: []\n" }, []],
  ["an instance without a sync", { "flux.yaml": instance }, []],
])("flux-operator: %s", (_, files, names) => expectNamed(files, names));

test("the list of a checkout and its targets are as they were, and the rest is named below the list", async () => {
  const kustomization = "resources: []\n";
  const files = {
    ...apps,
    "one/kustomization.yaml": kustomization,
    "two/kustomization.yaml": kustomization,
    "helmfile.yaml": "a: 1\n",
  };
  const list = await ran(checkout(files), "explain");
  expect(list.text).toBe("one  kustomization\ntwo  kustomization\n");
  expect(namedIn(list)).toHaveLength(2);
});

test("diff does not compare what it does not follow, and its status shows it", () => {
  const folder = mkdtempSync(join(tmpdir(), "valuefold-unfollowed-"));
  const git = (...words: string[]): void => {
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.example", ...words], { cwd: folder });
  };
  write(folder, {
    "helmfile.yaml": "a: 1\n",
    "values/prod.yaml": "a: 1\n",
    "lib/release.yaml": release,
    ...apps,
  });
  git("init", "-q");
  git("add", "-A");
  git("commit", "-q", "-m", "edit");
  write(folder, { "values/prod.yaml": "a: 2\n" });
  const words = [program, "diff", "HEAD", "--exit-code"];
  const { stdout, status } = spawnSync(process.execPath, words, { cwd: folder, encoding: "utf8" });
  expect(stdout).toBe("not compared: helmfile.yaml; nothing else changes\n");
  expect(status).toBe(2);
});
