// What is recorded of a build: no change of a file that is not among its reads alters what it gives.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { closeAll, entriesIn, existsSync, isDirectory, openPath, readFile } from "../../src/sources/disk.ts";
import { buildKustomization } from "../../src/sources/kustomize/build.ts";
import { nothingAdded, type Overlay } from "../../src/sources/kustomize/overlay.ts";
import { reading } from "../../src/sources/reads.ts";
import { worldOf } from "../support/world.ts";

let top = "";
beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), "valuefold-reads-")));
  closeAll();
  openPath(top);
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(top, path)), { recursive: true });
  rmSync(join(top, path), { force: true });
  if (text.startsWith("-> ")) symlinkSync(text.slice(3), join(top, path));
  else writeFileSync(join(top, path), text);
}

const object = (name: string, more = ""): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\ndata: {a: b}\n${more}`;

const checkout: Readonly<Record<string, string>> = {
  "app/kustomization.yaml":
    "resources: [../base, link/one.yaml, lost.yaml]\npatches: [{path: patch.yaml}]\n" +
    "configMapGenerator: [{name: g, files: [values=values.yaml]}]\n",
  "app/patch.yaml": object("one"),
  "app/values.yaml": "a: 1\n",
  "app/lost.yaml": "-> ../there/lost.yaml",
  "app/other.yaml": object("other"),
  "app/link": "-> ../second",
  "there/lost.yaml": object("lost"),
  second: "-> third",
  "third/one.yaml": object("one"),
  "third/two.yaml": object("two"),
  "base/kustomization.yaml": "resources: [x.yaml]\n",
  "base/x.yaml": object("x"),
  "base/README.yaml": object("readme"),
  "flux/a.yaml": object("a"),
  "flux/deep/b.yaml": object("b"),
  "flux/.hidden/c.yaml": object("c"),
};

async function built(directory: string, overlay?: Overlay): Promise<string> {
  const { env, tidily, render, stdin } = worldOf();
  const options = { env, tidily, render, stdin, enableExec: false, from: top, ...(overlay && { overlay }) };
  try {
    const { bytes } = await buildKustomization(join(top, directory), options);
    return Buffer.from(bytes).toString("utf8");
  } catch (error) {
    return String(error);
  }
}

const changes = [
  ["app/kustomization.yaml", "resources: [../base]\n", true],
  ["app/kustomization.yml", "resources: [../base]\n", true],
  ["app/patch.yaml", object("one", "immutable: true\n"), true],
  ["app/values.yaml", "a: 2\n", true],
  ["app/lost.yaml", "-> ../third/two.yaml", true],
  ["there/lost.yaml", object("found"), true],
  ["app/link", "-> ../base", true],
  ["second", "-> base", true],
  ["third/one.yaml", object("one", "immutable: true\n"), true],
  ["third/two.yaml", object("one"), false],
  ["app/other.yaml", object("one"), false],
  ["base/x.yaml", object("x", "immutable: true\n"), true],
  ["base/README.yaml", object("x"), false],
  ["base/Kustomization", "resources: []\n", true],
  ["new/x.yaml", object("x"), false],
] as const;

test.for(changes)("a change of %s", async ([path, text, isRead]) => {
  for (const [name, content] of Object.entries(checkout)) write(name, content);
  const { value, reads } = await reading(() => built("app"));
  expect(value).toContain("name: lost");
  expect(reads.isTouchedBy(join(top, path))).toBe(isRead);
  write(path, text);
  expect((await built("app")) === value).toBe(!isRead);
});

const changesBelow = [
  ["flux/new.yaml", object("new"), true],
  ["flux/one/two/new.yaml", object("new"), true],
  ["flux/deep/kustomization.yaml", "namePrefix: x-\nresources: [b.yaml]\n", true],
  ["flux/.hidden/c.yaml", object("new"), false],
  ["flux/.hidden/kustomization.yaml", "resources: [c.yaml]\n", false],
  ["base/x.yaml", object("new"), false],
] as const;

test.for(changesBelow)(
  "of a directory without a kustomization, a change of %s",
  async ([path, text, isRead]) => {
    for (const [name, content] of Object.entries(checkout)) write(name, content);
    const { value, reads } = await reading(() => built("flux", nothingAdded));
    expect(value).toContain("name: b");
    expect(reads.isTouchedBy(join(top, path))).toBe(isRead);
    write(path, text);
    expect((await built("flux", nothingAdded)) === value).toBe(!isRead);
  },
);

test("what is not there is recorded, with the link that leads there; of a failed build, too", async () => {
  for (const [name, content] of Object.entries(checkout)) write(name, content);
  rmSync(join(top, "there/lost.yaml"));
  const { value, reads } = await reading(() => built("app"));
  expect(value).toContain("kustomize cannot build");
  for (const path of ["there/lost.yaml", "app/lost.yaml", "there"])
    expect([path, reads.isTouchedBy(join(top, path))]).toEqual([path, true]);
});

test("work beside other work, and in it, has its own record", async () => {
  for (const path of ["a.yaml", "b.yaml", "c.yaml"]) write(path, "");
  const waiting = async (path: string): Promise<void> => {
    await new Promise((resolve) => setTimeout(resolve, 1));
    readFile(join(top, path));
  };
  const [one, other] = await Promise.all([
    reading(async () => {
      await waiting("a.yaml");
      return (await reading(() => waiting("b.yaml"))).reads;
    }),
    reading(() => waiting("c.yaml")),
  ]);
  const filesOf = (files: ReadonlySet<string>): string[] => [...files].map((each) => relative(top, each));
  expect(filesOf(one.reads.files)).toEqual(["a.yaml", "b.yaml"]);
  expect(filesOf(one.value.files)).toEqual(["b.yaml"]);
  expect(filesOf(other.reads.files)).toEqual(["c.yaml"]);
});

test("paths that no disk takes, and links in a circle, are recorded as not there", async () => {
  write("circle", "-> circle");
  const paths = ["circle", "circle/x", "a".repeat(5000), `${"b/".repeat(3000)}c`, "nul\0"].map((each) =>
    join(top, each),
  );
  const { reads } = await reading(() => paths.map((each) => existsSync(each)));
  expect(paths.map((each) => reads.isTouchedBy(each))).toEqual(paths.map(() => true));
});

test("a directory that is asked for, and one that becomes a file", async () => {
  write("d/x.yaml", "");
  const { reads } = await reading(() => [isDirectory(join(top, "d")), existsSync(join(top, "e"))]);
  for (const [path, isRead] of [
    ["d", true],
    ["d/x.yaml", false],
    ["e/y.yaml", true],
    ["f", false],
  ] as const)
    expect([path, reads.isTouchedBy(join(top, path))]).toEqual([path, isRead]);
  const { reads: list } = await reading(() => entriesIn(top));
  for (const [path, isRead] of [
    ["d", true],
    ["d/x.yaml", false],
    ["e/y.yaml", true],
    ["f", true],
  ] as const)
    expect([path, list.isTouchedBy(join(top, path))]).toEqual([path, isRead]);
});
