// `node dist/compile.cjs`: writes the program's compiled code into a folder next to it. The build runs it; users of the package
// may run it, once for each version of Node. V8 keeps the code of functions that have run, so child processes fold, verify
// and explain a typical list.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { codeFolder, codeOf, runProgram } from "./compiled.ts";
import { everydayList, everydayStream } from "./everyday.ts";

const needsNothing = "compile.cjs takes no arguments\n  hint  leave them out: it knows where the program is";

/** Set for a child: the folder for its code. */
const variable = "VALUEFOLD_COMPILE_INTO";

const into = process.env[variable];
if (into !== undefined) compileByRunning(into);
else {
  const wrong = process.argv.length > 2 ? needsNothing : compile(codeFolder(__dirname, process));
  if (wrong !== undefined) process.stderr.write(`error[usage]: ${wrong}\n`);
  process.exitCode = wrong === undefined ? 0 : 1;
}

/** Returns what went wrong, if anything did. */
function compile(folder: string): string | undefined {
  const unfinished = `${folder}.${process.pid}`;
  try {
    mkdirSync(unfinished, { recursive: true });
  } catch {
    return `cannot write compiled code next to the program, in \`${dirname(folder)}\`\n  hint  run it as the user that installed valuefold`;
  }
  try {
    removeUnfinished(folder);
    runEveryday(unfinished);
    // A program that starts meanwhile finds all of it or nothing.
    rmSync(folder, { recursive: true, force: true });
    renameSync(unfinished, folder);
    return undefined;
  } catch {
    rmSync(unfinished, { recursive: true, force: true });
    return "the program does not run, or its code cannot be written, so nothing was compiled\n  hint  install valuefold again, and check for free space on the disk";
  }
}

/** Removes folders of runs that were stopped half-way. */
function removeUnfinished(folder: string): void {
  const start = `${basename(folder)}.`;
  const names = readdirSync(dirname(folder)).filter((name) => name.startsWith(start));
  for (const name of names)
    if (!isRunning(Number(name.slice(start.length))))
      rmSync(join(dirname(folder), name), { recursive: true, force: true });
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return !(error instanceof Error && "code" in error && error.code === "ESRCH");
  }
}

function runEveryday(folder: string): void {
  // These variables are meant for the user's own runs.
  const { NODE_OPTIONS: _options, VALUEFOLD_FAULTS: _faults, ...env } = process.env;
  const run = (input: string | Buffer, ...args: readonly string[]): Buffer =>
    execFileSync(process.execPath, [__filename, ...args], {
      input,
      env: { ...env, [variable]: folder },
      stdio: ["pipe", "pipe", "ignore"],
    });
  run(everydayList);
  const folded = run(everydayStream, "fold", "-");
  run(folded, "verify", "-");
  run(folded, "explain", "-");
}

/** Runs the program with the arguments of this process, and writes the code of files that no earlier run loaded. */
function compileByRunning(folder: string): void {
  const codes = new Map<string, () => Buffer>();
  process.on("exit", () => {
    for (const [path, code] of codes) writeCode(path, code());
  });
  runProgram({
    folder: __dirname,
    load: require,
    written: () => undefined,
    onScript: (file, script, text) => {
      const path = join(folder, file);
      if (!existsSync(path)) codes.set(path, () => codeOf(script, text));
    },
  });
}

function writeCode(file: string, code: Buffer): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, code);
}
