// `node dist/compile.cjs`: has the engine compile the program, and writes what it made beside it. The build runs it;
// whoever has the package from elsewhere may run it, once for each version of Node. A function counts once it has run, so
// child processes do with a list what is done every day.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { codeFolder, codeOf, runProgram } from "./compiled.ts";
import { everydayList, everydayStream } from "./everyday.ts";

const needsNothing = "compile.cjs takes no arguments\n  hint  leave them out: it knows where the program is";

/** Tells a child where its code goes. */
const variable = "VALUEFOLD_COMPILE_INTO";

const into = process.env[variable];
if (into !== undefined) compileByRunning(into);
else {
  const wrong = process.argv.length > 2 ? needsNothing : compile(codeFolder(__dirname, process));
  if (wrong !== undefined) process.stderr.write(`error[usage]: ${wrong}\n`);
  process.exitCode = wrong === undefined ? 0 : 1;
}

/** What went wrong, if anything did. */
function compile(folder: string): string | undefined {
  const beside = `${folder}.${process.pid}`;
  try {
    mkdirSync(beside, { recursive: true });
  } catch {
    return `cannot write compiled code beside the program, in \`${dirname(folder)}\`\n  hint  run it as who installed valuefold`;
  }
  try {
    removeUnfinished(folder);
    runEveryday(beside);
    // Whoever starts meanwhile finds all of it or nothing.
    rmSync(folder, { recursive: true, force: true });
    renameSync(beside, folder);
    return undefined;
  } catch {
    rmSync(beside, { recursive: true, force: true });
    return "the program does not run, or its code cannot be kept, so nothing was compiled\n  hint  install valuefold again, whole, and look for room on the disk";
  }
}

/** What runs left that were stopped half-way. */
function removeUnfinished(folder: string): void {
  const start = `${basename(folder)}.`;
  const unfinished = readdirSync(dirname(folder)).filter((name) => name.startsWith(start));
  for (const name of unfinished)
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
  // What they ask of Node and of the program is for other runs than these.
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

/** Runs the program with the arguments of this process. A file that an earlier run loaded stays as that run left it. */
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
