// A revision as git has it: links in it, and files that git lacks.
import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runCommand } from "../../src/cli/commands.ts";
import { MemoryTree } from "../../src/sources/tree.ts";
import { worldOf } from "../support/world.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "valuefold-revision-"));
  git("init", "-q", "-b", "main");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function git(...args: readonly string[]): string {
  return execFileSync("git", ["-C", folder, ...args], { encoding: "utf8" }).trim();
}

function commit(files: Readonly<Record<string, string>>, links: Readonly<Record<string, string>> = {}): void {
  const within = (name: string): string => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    return join(folder, name);
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(within(name), text);
  for (const [name, target] of Object.entries(links)) symlinkSync(target, within(name));
  git("add", "-A");
  git("-c", "user.name=a", "-c", "user.email=a@b.example", "commit", "-qm", "x");
}

async function diff(...words: readonly string[]): Promise<string> {
  const { PATH = "" } = process.env;
  const world = worldOf("", { directory: folder, env: { PATH }, terminal: { stdin: true, stdout: false } });
  const { output, messages } = await runCommand(["diff", ...words], world);
  return `${Buffer.concat(output).toString("utf8")}${messages}`;
}

const release = (name: string, value: number): string =>
  `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: ${name}}\nspec: {values: {a: ${value}}}\n`;

test("a file that git lacks is not one that the revision does not have", async () => {
  commit({ "d/a.yaml": release("a", 1), "d/b.yaml": release("b", 1) });
  const id = git("rev-parse", "HEAD:d/b.yaml");
  commit({ "d/a.yaml": release("a", 2), "d/b.yaml": release("b", 2) });
  unlinkSync(join(folder, ".git/objects", id.slice(0, 2), id.slice(2)));
  await expect(diff("HEAD^", "HEAD", "d")).rejects.toThrow("git lacks `d/b.yaml`, in revision `HEAD^`");
});

test("`..` in a link leaves the directory that another link leads to", async () => {
  const own = {
    "o/kustomization.yaml": "resources: [l.yaml]\n",
    "o/hr.yaml": release("a", 9),
    "far/in/x": "",
  };
  commit({ ...own, "far/hr.yaml": release("a", 1) }, { "o/ln": "../far/in", "o/l.yaml": "ln/../hr.yaml" });
  commit({ "far/hr.yaml": release("a", 2) });
  expect(await diff("HEAD^", "HEAD", "o")).toContain("a  1 → 2");
});

test("an absolute link leads to the file of the revision, as in the work tree", async () => {
  const own = { "o/kustomization.yaml": "resources: [l.yaml]\n", "hr.yaml": release("a", 1) };
  commit(own, { "o/l.yaml": join(realpathSync(folder), "hr.yaml") });
  commit({ "hr.yaml": release("a", 2) });
  expect(await diff("HEAD^", "HEAD", "o")).toContain("a  1 → 2");
});

/** A repository with a commit for each text of the file `hr.yaml`, and the names of the commits. */
function repositoryWith(at: string, texts: readonly string[]): readonly string[] {
  const run = (...args: readonly string[]): string =>
    execFileSync("git", ["-C", at, "-c", "user.name=a", "-c", "user.email=a@b.example", ...args], {
      encoding: "utf8",
    }).trim();
  mkdirSync(at, { recursive: true });
  run("init", "-q", "-b", "main");
  return texts.map((text) => {
    writeFileSync(join(at, "hr.yaml"), text);
    run("add", "-A");
    run("commit", "-qm", "x");
    return run("rev-parse", "HEAD");
  });
}

/** Commits `o`, which builds the file of the submodule `sub` at a commit. */
function commitSubmodule(id: string): void {
  mkdirSync(join(folder, "o"), { recursive: true });
  writeFileSync(join(folder, "o/kustomization.yaml"), "resources: [../sub/hr.yaml]\n");
  git("add", "o");
  git("update-index", "--add", "--cacheinfo", `160000,${id},sub`);
  git("-c", "user.name=a", "-c", "user.email=a@b.example", "commit", "-qm", "x");
}

test("the files of a submodule are those of its commit", async () => {
  const own = join(folder, ".git/modules/sub");
  const [one = "", other = ""] = repositoryWith(join(folder, "sub"), [release("a", 1), release("a", 2)]);
  mkdirSync(dirname(own), { recursive: true });
  renameSync(join(folder, "sub/.git"), own);
  writeFileSync(join(folder, "sub/.git"), "gitdir: ../.git/modules/sub\n");
  commitSubmodule(one);
  commitSubmodule(other);
  expect(await diff("HEAD^", "HEAD", "o")).toContain("a  1 → 2");
  expect(await diff("HEAD^", "o")).toContain("a  1 → 2");
  writeFileSync(join(folder, "sub/hr.yaml"), release("a", 3));
  expect(await diff("HEAD", "o")).toContain("a  2 → 3");
});

test.for([
  ["that is not here", () => undefined],
  ["whose `.git` leads there", (at: string) => ledTo(`${at}/.git`)],
  [
    "with objects of it as alternates",
    (at: string) => keptWith("objects/info/alternates", `${at}/.git/objects\n`),
  ],
  ["with a folder of it", (at: string) => keptWith("commondir", `${at}/.git\n`)],
  [
    "with a link to its objects",
    (at: string) => {
      keptWith("config", "");
      rmSync(join(folder, ".git/modules/sub/objects"), { recursive: true });
      symlinkSync(`${at}/.git/objects`, join(folder, ".git/modules/sub/objects"));
    },
  ],
] as const)("nothing of another repository is read for a submodule %s", async ([, prepare]) => {
  const elsewhere = mkdtempSync(join(tmpdir(), "valuefold-elsewhere-"));
  try {
    const [one = "", other = ""] = repositoryWith(elsewhere, [release("a", 1), release("a", 2)]);
    commitSubmodule(one);
    commitSubmodule(other);
    prepare(elsewhere);
    await expect(diff("HEAD^", "HEAD", "o")).rejects.toThrow("kustomize cannot build `o`");
    await expect(diff("HEAD^", "o")).rejects.toThrow("kustomize cannot build `o`");
  } finally {
    rmSync(elsewhere, { recursive: true, force: true });
  }
});

function ledTo(gitFolder: string): void {
  mkdirSync(join(folder, "sub"), { recursive: true });
  writeFileSync(join(folder, "sub/.git"), `gitdir: ${gitFolder}\n`);
}

/** As git keeps it, with one file more. */
function keptWith(name: string, text: string): void {
  const own = join(folder, ".git/modules/sub");
  execFileSync("git", ["init", "-q", "--bare", own]);
  mkdirSync(dirname(join(own, name)), { recursive: true });
  writeFileSync(join(own, name), text);
  ledTo("../.git/modules/sub");
}

test("a submodule of which git has one of two commits: its files are not added", async () => {
  const own = join(folder, ".git/modules/sub");
  const [only = ""] = repositoryWith(join(folder, "sub"), [release("a", 1)]);
  mkdirSync(dirname(own), { recursive: true });
  renameSync(join(folder, "sub/.git"), own);
  writeFileSync(join(folder, "sub/.git"), "gitdir: ../.git/modules/sub\n");
  commitSubmodule("1".repeat(40));
  commitSubmodule(only);
  for (const words of [["HEAD^", "HEAD"], ["HEAD^"]])
    await expect(diff(...words)).rejects.toThrow("git lacks a commit of the submodule `sub`");
  expect(await diff("HEAD")).toContain("no value changes");
});

test("a submodule that moves and is not here is named, and nothing is said of its files", async () => {
  commitSubmodule("1".repeat(40));
  commitSubmodule("2".repeat(40));
  commit({ "p/kustomization.yaml": "resources: [hr.yaml]\n", "p/hr.yaml": release("a", 1) });
  git("update-index", "--add", "--cacheinfo", `160000,${"3".repeat(40)},sub`);
  git("-c", "user.name=a", "-c", "user.email=a@b.example", "commit", "-qm", "x");
  const text = await diff("HEAD^", "HEAD", "p");
  expect(text).toMatch(/^not compared: sub$/m);
  expect(text).toContain("the submodule `sub` is not compared: git does not have its commits here");
});

test("a clone in the work tree is no part of it", async () => {
  commit({
    ".gitignore": "clone\n",
    "p/kustomization.yaml": "resources: [hr.yaml]\n",
    "p/hr.yaml": release("a", 1),
  });
  repositoryWith(join(folder, "clone"), [release("a", 2)]);
  writeFileSync(join(folder, "clone/Chart.yaml"), "name: a\n");
  expect(await diff("HEAD", "p")).toContain("no build reads a changed file");
});

test("links in a circle lead to nothing", async () => {
  commit(
    { "o/kustomization.yaml": "resources: [hr.yaml]\n", "o/hr.yaml": release("a", 1) },
    { "o/a": "b", "o/b": "a" },
  );
  commit({ "o/hr.yaml": release("a", 2) });
  expect(await diff("HEAD^", "o")).toContain("a  1 → 2");
});

test("links that lead through each other are followed as often as on a disk, and no more", () => {
  const link = (target: string) => ({ content: () => Buffer.from(target), isLink: true });
  const chain = Array.from({ length: 12 }, (_, index) => {
    const before = Array.from({ length: 10 }, () => `l${index}`).join("/");
    return [`l${index + 1}`, link(before)] as const;
  });
  const tree = new MemoryTree("/t", new Map([["l0", link(".")], ...chain]));
  expect(tree.realPath("/t/l1")).toBe("/t");
  expect(tree.realPath("/t/l12")).toBe(undefined);
});

test("a link of more characters than a path may have leads to nothing", () => {
  const long = { content: () => Buffer.from("a/".repeat(500_000)), isLink: true };
  expect(new MemoryTree("/t", new Map([["l", long]])).realPath("/t/l")).toBe(undefined);
});
