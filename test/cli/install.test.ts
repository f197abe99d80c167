// `install`: what is copied, and what is refused.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { runCommand } from "../../src/cli/commands.ts";
import { worldOf } from "../support/world.ts";

let folder = "";
let program = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "valuefold-install-"));
  mkdirSync(join(folder, "home/lib"), { recursive: true });
  program = join(folder, "home/program");
  for (const name of ["program", "lib/libc.so.6", "lib/ld-linux-x86-64.so.2", "lib/other.so"])
    writeFileSync(join(folder, "home", name), name);
});

function install(...words: readonly string[]): ReturnType<typeof runCommand> {
  return runCommand(["install", ...words], worldOf("", { directory: folder, executable: () => program }));
}

test("the program and its libraries are copied, for all users, and replace what is there", async () => {
  mkdirSync(join(folder, "to"));
  writeFileSync(join(folder, "to/valuefold"), "earlier");
  const { exitCode, messages } = await install("to");
  expect([exitCode, messages]).toEqual([
    0,
    expect.stringMatching(/^installed valuefold .* into .*to\n {2}note/),
  ]);
  expect(readFileSync(join(folder, "to/valuefold"), "utf8")).toBe("program");
  expect(readdirSync(join(folder, "to/lib"))).toEqual(["ld-linux-x86-64.so.2", "libc.so.6"]);
  expect(statSync(join(folder, "to/valuefold")).mode & 0o777).toBe(0o755);
  expect(readdirSync(join(folder, "to"))).toEqual(["lib", "valuefold"]);
});

test.for([
  [["home"], "`home` is the folder of the program itself"],
  [["/usr"], "the libraries of this executable would mix with those of the system, in `/usr/lib`"],
  [["home/program"], /^cannot install into `.*home\/program` \(EEXIST\)$/],
  [[], "expected one folder to install into"],
  [["a", "b"], "expected one folder to install into"],
] as const)("%j is refused", async ([words, message]) => {
  await expect(install(...words)).rejects.toThrow(message);
  expect(existsSync(join(folder, "a"))).toBe(false);
});

test("a script that Node runs is not copied", async () => {
  const world = worldOf("", { directory: folder });
  await expect(runCommand(["install", "to"], world)).rejects.toThrow(/only an executable copies itself/);
});
