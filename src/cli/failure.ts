// What is said of what was thrown: a mishap of the process, or a bug.
import { Exit } from "../core/index.ts";
import { version } from "../version.ts";
import type { Ending } from "./asking.ts";
import { damagedCode, incomplete } from "./incomplete.ts";
import { codeOf } from "./stdio.ts";

/** The end of a run that threw. */
export function endingOf(error: unknown): Ending {
  // A reader that has gone needs no message; a file that cannot be read is the user's to mend.
  if (codeOf(error) === "EPIPE") return complaint("");
  if (error instanceof Error && "hint" in error)
    return complaint(`error[usage]: ${error.message}\n  hint  ${String(error.hint)}\n`);
  if (codeOf(error) === "EISDIR")
    return complaint(
      "error[usage]: expected files, got a folder\n  hint  name the files in it, or pipe a build: kustomize build FOLDER | valuefold fold\n",
    );
  if (isOfOutput(error)) return complaint(`error[usage]: cannot write the output (${codeOf(error)})\n`);
  if (error instanceof Error && codeOf(error) === damagedCode)
    return { exitCode: Exit.bug, output: [], messages: error.message };
  if (codeOf(error) === "MODULE_NOT_FOUND") return complaint(incomplete);
  if (error instanceof Error && "path" in error)
    return complaint(`error[usage]: cannot read \`${String(error.path)}\` (${codeOf(error)})\n`);
  return { exitCode: Exit.bug, output: [], messages: bugReport(error) };
}

/** True if writing failed: what is on stdout then is not to be added to. */
export function isOfOutput(error: unknown): boolean {
  return error instanceof Error && "syscall" in error && error.syscall === "write";
}

function complaint(messages: string): Ending {
  return { exitCode: Exit.faults, output: [], messages };
}

/** Only our own frames: a message of a library may quote its input. */
function bugReport(error: unknown): string {
  const frames =
    error instanceof Error ? (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line)) : [];
  const name = error instanceof Error ? error.name : "unknown";
  return `error[bug]: valuefold ${version} failed (${name}); please report these lines\n${frames.map((line) => `${line}\n`).join("")}`;
}
