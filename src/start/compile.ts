// `node dist/compile.cjs`: has the engine compile the program, and writes what it made beside it. The build runs it;
// whoever has the package from elsewhere may run it, once for each version of Node. A function counts once it has run, so
// child processes do with a list what is done every day.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { codeFolder, codeOf, runProgram } from "./compiled.ts";
import { everydayList, everydayStream } from "./everyday.ts";

const [, , into, ...args] = process.argv;
if (into !== undefined) compileByRunning(into, args);
else if (!compiles(codeFolder(__dirname, process))) {
  process.stderr.write(
    `error[usage]: cannot write compiled code beside the program, in \`${join(__dirname, "code")}\`\n` +
      "  hint  run it as who installed valuefold\n",
  );
  process.exitCode = 1;
}

function compiles(folder: string): boolean {
  const beside = `${folder}.${process.pid}`;
  try {
    mkdirSync(beside, { recursive: true });
    compile(folder, beside);
    return true;
  } catch {
    if (existsSync(beside)) rmSync(beside, { recursive: true });
    return false;
  }
}

/** Under another name first: who starts meanwhile finds all of it or nothing. */
function compile(folder: string, beside: string): void {
  const run = (input: string | Buffer, ...own: readonly string[]): Buffer =>
    execFileSync(process.execPath, [__filename, beside, ...own], {
      input,
      env: {},
      stdio: ["pipe", "pipe", "ignore"],
    });
  run(everydayList);
  const folded = run(everydayStream, "fold", "-");
  run(folded, "verify", "-");
  run(folded, "explain", "-");
  rmSync(folder, { recursive: true, force: true });
  renameSync(beside, folder);
}

/** The program sees the arguments of the run alone. A file that an earlier run loaded stays as that run left it. */
function compileByRunning(folder: string, own: readonly string[]): void {
  const scripts = new Map<string, () => Buffer>();
  process.argv.splice(2, Infinity, ...own);
  process.on("exit", () => {
    for (const [path, code] of scripts) writeCode(path, code());
  });
  runProgram({
    folder: __dirname,
    load: require,
    written: () => undefined,
    onScript: (file, script, text) => {
      const path = join(folder, file);
      if (!existsSync(path)) scripts.set(path, () => codeOf(script, text));
    },
  });
}

function writeCode(file: string, code: Buffer): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, code);
}
