// Patterns of names and paths: what fits, and that none takes more than its length times that of the name.
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { expect, test } from "vitest";
import { openPath } from "../../src/sources/disk.ts";
import { looseMatch, pathMatch, pathsThatFit, treeMatch } from "../../src/sources/glob.ts";
import { cpuClock } from "../support/cpu.ts";

test.for([
  ["*", "a", true],
  ["*", "", true],
  ["?", "", false],
  ["a*b*c", "abbcbc", true],
  ["a*b*c", "abbcb", false],
  ["*.yaml", ".yaml", true],
  ["[a-c]?", "bx", true],
  ["[!a-c]?", "bx", false],
  ["[^a-c]", "d", true],
  ["[z-a]", "z", false],
  ["[[]", "[", true],
  ["[", "[", true],
  ["\\*", "*", true],
  ["\\*", "a", false],
  ["\u{1F600}?", "\u{1F600}\u{1F600}", true],
  ["a/*/c", "a/b/c", true],
  ["a/*", "a/b/c", false],
] as const)("%s and %s: %s", ([pattern, path, isFitting]) => {
  expect(pathMatch(pattern)(path)).toBe(isFitting);
});

test.for([
  ["*.yaml", "a/b.yaml", true],
  ["{a,b/*}.yaml", "b/c.yaml", true],
  ["{a,{b,c}}.yaml", "c.yaml", true],
  ["{a", "{a", true],
] as const)("%s and %s: %s, where `*` fits a slash", ([pattern, path, isFitting]) => {
  expect(looseMatch(pattern)?.(path)).toBe(isFitting);
});

function folderOf(...files: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), "valuefold-glob-"));
  for (const file of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), "");
  }
  openPath(folder);
  return folder;
}

test("files are found in order, each once", () => {
  const folder = folderOf("a/b/x.yaml", "a/x.yaml", "b/x.yaml", "x.yaml");
  const found = (pattern: string): readonly string[] | undefined =>
    pathsThatFit(join(folder, pattern))?.map((path) => relative(folder, path));
  expect(found("**/x.yaml")).toEqual(["x.yaml", "a/x.yaml", "a/b/x.yaml", "b/x.yaml"]);
  expect(found("{b,a}/*.yaml")).toEqual(["b/x.yaml", "a/x.yaml"]);
  expect(found("a/**/**/x.yaml")).toEqual(["a/x.yaml", "a/b/x.yaml"]);
});

test(
  "links around in circles are not entered again, and those that multiply are too many",
  { tags: "law" },
  () => {
    const folder = folderOf("a/x.yaml", "b/y.yaml");
    for (const name of ["a/up", "b/up"]) symlinkSync("..", join(folder, name));
    const found = pathsThatFit(join(folder, "**/*.yaml"))?.map((path) => relative(folder, path));
    expect(found).toEqual(["a/x.yaml", "b/y.yaml"]);
    const many = folderOf("l0/x.yaml");
    for (let level = 1; level < 22; level++) {
      mkdirSync(join(many, `l${level}`));
      for (const name of ["a", "b"]) symlinkSync(`../l${level - 1}`, join(many, `l${level}/${name}`));
    }
    expect(pathsThatFit(join(many, "l21/**/x.yaml"))).toBe(undefined);
  },
);

test("patterns that could be tried in any number of ways end", { tags: "law" }, () => {
  const deep = Array.from({ length: 30 }, () => "a").join("/");
  const folder = folderOf(`${deep}/x`);
  expect(pathMatch("*a".repeat(100))("a".repeat(99))).toBe(false);
  expect(looseMatch(`${"*a".repeat(100)}b`)?.("a".repeat(5000))).toBe(false);
  expect(pathsThatFit(`${folder}${"/**/a".repeat(15)}/none`)).toEqual([]);
  expect(looseMatch("{a,b}".repeat(30))).toBe(undefined);
  expect(pathsThatFit(`/${"{a,b}".repeat(30)}`)).toBe(undefined);
  expect(looseMatch("{".repeat(5000) + "}".repeat(5000))).toBe(undefined);
});

test.for([
  ["a/**", "a", true],
  ["a/**", "a/b/c", true],
  ["a/**", "ab", false],
  ["**/b", "b", true],
  ["**/b", "a/c/b", true],
  ["**/b", "a/b/c", false],
  ["a/**/c", "a/c", true],
  ["a/**/c", "a/b/d/c", true],
  ["a/**/c/**/d", "a/c/b/c/d", true],
  ["**", "a/b", true],
  ["*", "a/b", false],
  ["a/*.yaml", "a/b.yaml", true],
  ["a/*.yaml", "a/b/c.yaml", false],
  ["{a,b/c}/d", "b/c/d", true],
  ["a**", "a/b", false],
] as const)("in a tree %s and %s: %s", ([pattern, path, isFitting]) => {
  expect(treeMatch([pattern])?.(path)).toBe(isFitting);
  expect(treeMatch(["none", pattern])?.(path)).toBe(isFitting);
});

test("several patterns have no more alternatives than can be tried with each path", () => {
  expect(treeMatch(["{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}"])?.("aaaaaab")).toBe(true);
  const many = Array.from({ length: 20 }, (_, index) => `{a,b}{a,b}{a,b}{a,b}${index}`);
  expect(treeMatch(many)).toBeUndefined();
});

test("no pattern takes long with a long path", () => {
  const match = treeMatch([`${"**/a*a*a*b/".repeat(80)}c`]);
  const path = `${"aaaaaaaaaaaa/".repeat(300)}d`;
  const elapsed = cpuClock();
  expect(match?.(path)).toBe(false);
  expect(elapsed()).toBeLessThan(2);
});
