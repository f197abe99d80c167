// The file that Node starts. Runs the program, from compiled code if there is any.
import { readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { damaged, damagedCode, loadFault, scalarOf } from "../bare-faults.ts";
import { writeAll } from "../stdio.ts";
import { codeOf } from "../../sources/index.ts";
import { codeFolder, runProgram } from "./compiled.ts";

// With `--preserve-symlinks-main` Node gives the path of a link in place of the file's own.
const folder = dirname(realpathSync(__filename));
const compiled = codeFolder(folder, process);

function written(file: string): Buffer | undefined {
  try {
    return readFileSync(join(compiled, file));
  } catch {
    return undefined;
  }
}

try {
  const program = runProgram({ folder, load: require, written });
  // A file that was cut between two statements is valid, and does nothing.
  if (!("started" in program) || program.started !== true) throw damaged(join(folder, "program.cjs"));
} catch (error) {
  const reason = loadFault(error);
  if (reason === undefined) throw error;
  const onStdout = process.argv.length === 2 && process.env["VALUEFOLD_FAULTS"] === "stdout";
  writeAll(2, [Buffer.from(reason, "utf8")]);
  if (onStdout) writeAll(1, [Buffer.from(scalarOf(reason), "utf8")]);
  process.exitCode = codeOf(error) === damagedCode ? 2 : 1;
}
