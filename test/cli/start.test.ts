// The program from compiled code: it fits, it changes nothing, and code that does not fit is not used.
// @module-tag law
import { execFileSync, spawnSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { codeFolder } from "../../src/cli/start/compiled.ts";
import { everydayList, everydayStream } from "../../src/cli/start/everyday.ts";

const built = new URL("../../dist/", import.meta.url).pathname;

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "valuefold-start-"));
  cpSync(built, folder, { recursive: true });
  return () => rmSync(folder, { recursive: true });
});

interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function run(args: readonly string[], input: string, program = "valuefold.cjs"): Ended {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(folder, program), ...args], {
    input,
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

function filesIn(path: string): string[] {
  return readdirSync(path, { recursive: true, encoding: "utf8" }).toSorted();
}

/** Files that were compiled when they were loaded, as the engine says. */
function compiled(args: readonly string[], input: string): string[] {
  const watch = join(folder, "watch.cjs");
  writeFileSync(
    watch,
    `const vm = require("node:vm");
const { Script } = vm;
const seen = [];
vm.Script = class extends Script {
  constructor(text, options) {
    super(text, options);
    if (options.cachedData === undefined || this.cachedDataRejected) seen.push(options.filename);
  }
};
process.on("exit", () => require("node:fs").writeFileSync(${JSON.stringify(join(folder, "seen"))}, JSON.stringify(seen)));`,
  );
  spawnSync(process.execPath, ["--require", watch, join(folder, "valuefold.cjs"), ...args], { input });
  return JSON.parse(readFileSync(join(folder, "seen"), "utf8")) as string[];
}

const program = join(built, "valuefold.cjs");
const folded = execFileSync(process.execPath, [program, "fold", "--quiet", "-"], {
  input: everydayStream,
  encoding: "utf8",
});

test("the file that Node starts holds only what starts: its code is compiled at each start", () => {
  expect(statSync(program).size).toBeLessThan(8 * 1024);
});

test("each start reads `program.cjs`: what no everyday run calls is in parts, and an everyday run loads few of them", () => {
  expect(statSync(join(built, "program.cjs")).size).toBeLessThan(272 * 1024);
  expect(filesIn(join(codeFolder(built, process), "parts"))).toEqual([
    "commands.cjs",
    "config.cjs",
    "files.cjs",
    "questions.cjs",
    "verify.cjs",
  ]);
});

const everyday: readonly (readonly [readonly string[], string])[] = [
  [[], everydayList],
  [["fold", "-"], everydayStream],
  [["verify", "-"], folded],
  [["explain", "-"], folded],
];

test.for(everyday)("%j: nothing is compiled, and all is as without code", ([args, input]) => {
  const before = filesIn(folder);
  const withCode = run(args, input);
  expect(withCode.stdout + withCode.stderr).toMatch(/shop|checked 2 folded items/);
  expect(filesIn(folder)).toEqual(before);
  expect(compiled(args, input)).toEqual([]);
  rmSync(join(folder, "code"), { recursive: true });
  expect(run(args, input)).toEqual(withCode);
});

test("what nobody compiled is compiled when it is loaded", () => {
  const args = ["render", "-c", "nothing.yaml"];
  expect(compiled(args, "")).toContain(join(folder, "parts/render.cjs"));
  expect(run(args, "").stderr).toContain("nothing.yaml");
});

test.for(["one bit", "half of it", "nothing"])("damaged code, %s: it is not used", (damage) => {
  const file = join(codeFolder(folder, process), "program.cjs");
  const code = readFileSync(file);
  code.writeUInt8(code.readUInt8(100_000) ^ 1, 100_000);
  const left = { "one bit": code.length, "half of it": code.length / 2, nothing: 0 }[damage] ?? 0;
  writeFileSync(file, code.subarray(0, left));
  expect(compiled([], everydayList)).toEqual([join(folder, "program.cjs")]);
  expect(run([], everydayList)).toMatchObject({ status: 0, stderr: "" });
});

test("code of another text of the same length is not used", () => {
  const file = join(folder, "program.cjs");
  const text = readFileSync(file, "utf8");
  writeFileSync(file, text.replaceAll("folded-from", "folded-farm"));
  expect(run([], everydayList).stdout).toContain("valuefold.dev/folded-farm");
});

test("flags of Node that the code was not made for", () => {
  const args = ["--stack-size=900", join(folder, "valuefold.cjs")];
  const stdout = execFileSync(process.execPath, args, { input: everydayList, encoding: "utf8" });
  expect(stdout).toBe(run([], everydayList).stdout);
});

test("`compile.cjs` writes it anew, and says nothing", () => {
  const before = filesIn(folder);
  rmSync(join(folder, "code"), { recursive: true });
  expect(run([], "", "compile.cjs")).toEqual({ status: 0, stdout: "", stderr: "" });
  expect(run([], "", "compile.cjs")).toEqual({ status: 0, stdout: "", stderr: "" });
  expect(filesIn(folder)).toEqual(before);
  expect(compiled([], everydayList)).toEqual([]);
});

test("`compile.cjs` removes what a run left that was stopped, and nothing else", () => {
  const before = filesIn(folder);
  const { pid } = spawnSync(process.execPath, ["--version"]);
  for (const owner of [pid, process.pid]) {
    mkdirSync(`${codeFolder(folder, process)}.${owner}`);
    writeFileSync(join(`${codeFolder(folder, process)}.${owner}`, "half"), "");
  }
  expect(run([], "", "compile.cjs").status).toBe(0);
  const left = filesIn(folder).filter((name) => !before.includes(name));
  expect(left.map((name) => name.replace(/.*\.(\d+)/, "$1"))).toEqual([
    String(process.pid),
    `${process.pid}/half`,
  ]);
});

test.for([
  ["--help", "takes no arguments"],
  ["", "takes no arguments"],
])("`compile.cjs` refuses %j", ([argument = "", told]) => {
  const before = filesIn(folder);
  const { status, stdout, stderr } = run([argument], everydayList, "compile.cjs");
  expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
  expect(stderr).toContain(told);
  expect(filesIn(folder)).toEqual(before);
});

test.for([
  ["where nobody may write", "code", "cannot write compiled code"],
  ["without a program", "program.cjs", "the program does not run"],
] as const)("`compile.cjs` %s", ([, spoiled, told]) => {
  rmSync(join(folder, spoiled), { recursive: true });
  if (spoiled === "code") writeFileSync(join(folder, "code"), "");
  const before = filesIn(folder);
  const { status, stdout, stderr } = run([], "", "compile.cjs");
  expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
  expect(stderr).toMatch(new RegExp(`^error\\[usage\\]: ${told}.*\n  hint  .*\n$`));
  expect(filesIn(folder)).toEqual(before);
});

test("by a link that Node takes for the file itself", () => {
  const link = join(folder, "types", "link");
  symlinkSync(join(folder, "valuefold.cjs"), link);
  const args = ["--preserve-symlinks-main", link];
  const stdout = execFileSync(process.execPath, args, { input: everydayList, encoding: "utf8" });
  expect(stdout).toBe(run([], everydayList).stdout);
});

test("what cannot even begin is told on stdout as well, where that is asked for", () => {
  rmSync(join(folder, "program.cjs"));
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(folder, "valuefold.cjs")], {
    input: everydayList,
    encoding: "utf8",
    env: { ...process.env, VALUEFOLD_FAULTS: "stdout" },
  });
  expect(status).toBe(1);
  expect(stdout).toBe(`|-\n${stderr.replaceAll(/^(?=.)/gm, "  ")}`);
});

test.for(["program.cjs", "parts"])("without `%s` next to it, it says so", (missing) => {
  rmSync(join(folder, missing), { recursive: true });
  const { status, stdout, stderr } = run(["--version"], "");
  expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
  expect(stderr).toContain("are not next to it");
});

test.for([
  ["program.cjs", (text: string) => text.slice(0, text.length / 2)],
  ["program.cjs", () => ""],
  ["program.cjs", (text: string) => text.replaceAll("}", ")")],
  ["parts/page.cjs", (text: string) => text.slice(0, text.length / 2)],
] as const)("a damaged `%s`: it says so, with exit status 2 (%#)", ([file, damage]) => {
  const path = join(folder, file);
  writeFileSync(path, damage(readFileSync(path, "utf8")));
  const args = file === "program.cjs" ? ["fold", "-"] : ["explain", "--html", join(folder, "p.html"), "-"];
  const { status, stdout, stderr } = run(args, everydayStream);
  expect([status, stdout]).toEqual([2, ""]);
  expect(stderr).toBe(
    `error[usage]: \`${path}\`, a file of valuefold, is damaged\n  hint  install valuefold again\n`,
  );
});
