// A checkout is read, and nothing else: one module reads from the disk, and what leads out of what is opened is not there.
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { execFileSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runCommand } from "../../src/cli/commands.ts";
import {
  closeAll,
  entriesIn,
  existsSync,
  isDirectory,
  isFile,
  openPath,
  readFile,
  readNamed,
} from "../../src/sources/disk.ts";
import { remotesOf } from "../../src/sources/repository.ts";
import { worldOf } from "../support/world.ts";

/** The one reads; the other writes what the program kustomize reads where the user allows it to run. */
const onDisk = ["disk.ts", "temporary.ts"];

test("no other module of sources and render reads from a disk", () => {
  const found = ["sources", "render"].flatMap((wing) => {
    const folder = new URL(`../../src/${wing}/`, import.meta.url);
    return readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts") && !onDisk.includes(name))
      .filter((name) => readFileSync(new URL(name, folder), "utf8").includes('from "node:fs'));
  });
  expect(found).toEqual([]);
});

let folder = "";
let top = "";
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "valuefold-confined-")));
  top = join(folder, "repo");
  for (const each of ["repo/.git", "repo/own", "outside"]) mkdirSync(join(folder, each), { recursive: true });
  writeFileSync(join(folder, "outside/values.yaml"), "token: canary\n");
  writeFileSync(join(top, ".git/config"), "[canary]\n");
  writeFileSync(join(top, "own/values.yaml"), "a: 1\n");
  closeAll();
  openPath(top);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const links = [
  ["a link to a file outside", "link.yaml", "../outside/values.yaml", "link.yaml"],
  ["a link to a directory outside", "link", "../outside", "link/values.yaml"],
  ["a link to a link", "second", "first.yaml", "second"],
  ["a link to what the system has", "environ", "/proc/self/environ", "environ"],
  ["a link to what git keeps", "config", ".git/config", "config"],
] as const;

test.for(links)("%s is not there, whoever names it", ([, name, target, path]) => {
  symlinkSync("../outside/values.yaml", join(top, "first.yaml"));
  symlinkSync(target, join(top, name));
  const full = join(top, path);
  expect([existsSync(full), isFile(full), isDirectory(full)]).toEqual([false, false, false]);
  expect(() => readFile(full)).toThrow("EOUTSIDE");
  expect(() => readNamed(full)).toThrow("EOUTSIDE");
  expect(entriesIn(top).map((each) => each.name)).not.toContain(name);
});

test("neither is what a path outside names, nor what git keeps; a link within is", () => {
  for (const path of ["../outside/values.yaml", ".git/config", "own/../../outside/values.yaml"])
    expect([path, existsSync(join(top, path))]).toEqual([path, false]);
  symlinkSync("own", join(top, "within"));
  expect(Buffer.from(readFile(join(top, "within/values.yaml"))).toString("utf8")).toBe("a: 1\n");
});

test("a file outside that a user names is read; a repository beside is, once it is named", () => {
  const outside = join(folder, "outside/values.yaml");
  expect(Buffer.from(readNamed(outside)).toString("utf8")).toBe("token: canary\n");
  expect(() => readFile(outside)).toThrow("EOUTSIDE");
  openPath(join(folder, "outside"));
  expect(Buffer.from(readFile(outside)).toString("utf8")).toBe("token: canary\n");
});

test.for(["explain", "verify", "values", "fold", "merge"])(
  "%s of a link that leads out says so",
  async (command) => {
    symlinkSync("../outside/values.yaml", join(top, "link.yaml"));
    const given = [join(top, "own/values.yaml"), join(top, "link.yaml")];
    const said = await runCommand([command, ...given], worldOf("", { directory: top })).then(
      ({ output, messages }) => Buffer.concat(output).toString("utf8") + messages,
      (error: unknown) => String(error instanceof Error && "code" in error ? error.code : error),
    );
    expect(said).toMatch(/leads out of the repository|EOUTSIDE/);
    expect(said).not.toContain("canary");
  },
);

test("a `.git/config` that is a pipe names no remotes, and is not waited for", () => {
  rmSync(join(top, ".git/config"));
  execFileSync("mkfifo", [join(top, ".git/config")]);
  expect(remotesOf(top)).toEqual([]);
});
