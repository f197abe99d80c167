// The file that Node starts. Runs the program, from compiled code where that lies beside it.
import { readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { damaged, damagedCode, incomplete } from "../incomplete.ts";
import { scalarOf } from "../scalar.ts";
import { codeOf, writeAll } from "../stdio.ts";
import { codeFolder, runProgram } from "./compiled.ts";

// Node may have been told to take a link for the file that it leads to.
const folder = dirname(realpathSync(__filename));
const compiled = codeFolder(folder, process);

function written(file: string): Buffer | undefined {
  try {
    return readFileSync(join(compiled, file));
  } catch {
    return undefined;
  }
}

/** Why the program could not even begin; undefined for what nobody expects. */
function reasonOf(error: unknown): string | undefined {
  if (codeOf(error) === "MODULE_NOT_FOUND") return incomplete;
  if (error instanceof Error && codeOf(error) === damagedCode) return error.message;
  return error instanceof Error && "path" in error
    ? `error[usage]: cannot read \`${String(error.path)}\` (${codeOf(error)})\n`
    : undefined;
}

try {
  const program = runProgram({ folder, load: require, written });
  // One that was cut between two statements ends before it begins.
  if (!("started" in program) || program.started !== true) throw damaged(join(folder, "program.cjs"));
} catch (error) {
  const reason = reasonOf(error);
  if (reason === undefined) throw error;
  const asksForFault = process.argv.length === 2 && process.env["VALUEFOLD_FAULTS"] === "stdout";
  writeAll(2, [Buffer.from(reason, "utf8")]);
  if (asksForFault) writeAll(1, [Buffer.from(scalarOf(reason), "utf8")]);
  process.exitCode = codeOf(error) === damagedCode ? 2 : 1;
}
