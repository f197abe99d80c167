// The file that Node starts. Runs the program, from compiled code where that lies beside it.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { incomplete } from "../cli/incomplete.ts";
import { codeFolder, runProgram } from "./compiled.ts";

const folder = codeFolder(__dirname, process);

function written(file: string): Buffer | undefined {
  try {
    return readFileSync(join(folder, file));
  } catch {
    return undefined;
  }
}

try {
  runProgram({ folder: __dirname, load: require, written });
} catch (error) {
  if (!(error instanceof Error && "code" in error && error.code === "MODULE_NOT_FOUND")) throw error;
  process.stderr.write(incomplete);
  process.exitCode = 1;
}
