// How a failed run ends: what it writes to stderr, and to stdout if VALUEFOLD_FAULTS asks for that.
import { relative } from "node:path";
import { Exit, legible, legibleText, type Outcome, renderDiagnostics, shortened } from "../report/index.ts";
import { version } from "../version.ts";
import { damagedCode, loadFault, scalarOf } from "./bare-faults.ts";
import type { Ending } from "./io.ts";
import { writeFault } from "./output-file.ts";
import { codeOf, pathHint, pathFault } from "../sources/index.ts";

/** The status of a program that SIGPIPE ends: the reader of stdout has gone, as with `| head`, and needs no message. */
const closedPipe = 141;

/** The end of a run that threw: a mistake of the user, a fault of the machine, or a bug. */
export function endingOf(error: unknown): Ending {
  if (codeOf(error) === "EPIPE") return failed("", closedPipe);
  if (error instanceof Error && "hint" in error)
    return usageFault(error.message, String(error.hint), reasonOf(error));
  if (codeOf(error) === "EISDIR")
    return usageFault(
      `expected files, got ${folderOf(error)}`,
      "name the files in it, or pipe a build: kustomize build FOLDER | valuefold fold",
    );
  if (isOfOutput(error)) {
    const [reason, hint] = writeFault(error);
    return usageFault(`cannot write the output: ${reason}`, hint);
  }
  if (error instanceof Error && "syscall" in error && error.syscall === "uv_cwd")
    return usageFault("the working directory was removed", "change to one that exists");
  const fault = codeOf(error) === damagedCode ? undefined : pathFault(error);
  if (fault !== undefined) return usageFault(fault, pathHint(error));
  const reason = loadFault(error);
  if (reason !== undefined) return failed(reason, codeOf(error) === damagedCode ? Exit.bug : Exit.faults);
  return failed(bugReport(error), Exit.bug);
}

/** A folder that is read as a file; stdin has no name. */
function folderOf(error: unknown): string {
  return error instanceof Error && "path" in error
    ? `the folder \`${relative(".", String(error.path)) || "."}\``
    : "a folder";
}

/** True if writing failed: nothing more is written to stdout then. */
export function isOfOutput(error: unknown): boolean {
  return error instanceof Error && "syscall" in error && error.syscall === "write";
}

function usageFault(message: string, hint: string, reason: readonly string[] = []): Ending {
  const lines = [`error[usage]: ${message}`, ...reason.map((line) => `  says  ${line}`), `  hint  ${hint}`];
  return failed(legibleText(lines.map((line) => `${legible(shortened(line))}\n`).join("")));
}

function reasonOf(error: Error): readonly string[] {
  return "reason" in error && Array.isArray(error.reason) ? error.reason.map(String) : [];
}

function failed(messages: string, exitCode: Ending["exitCode"] = Exit.faults): Ending {
  return { exitCode, output: [], messages };
}

/** Only our own frames: a message of a library may quote its input. */
function bugReport(error: unknown): string {
  const frames =
    error instanceof Error ? (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line)) : [];
  const name = error instanceof Error ? error.name : "unknown";
  return `error[bug]: valuefold ${version} failed (${name}); please report these lines\n${frames.map((line) => `${line}\n`).join("")}`;
}

/** The end of a run with an unknown value of `VALUEFOLD_FAULTS`; undefined if it is known, empty or unset. */
export function faultsRefusal(variable: string | undefined): Ending | undefined {
  if (variable === undefined || variable === "" || variable === "stdout") return undefined;
  return usageFault("`VALUEFOLD_FAULTS`: expected `stdout`", "unset it, and faults go to stderr alone");
}

/**
 * A failed ending with its first fault on stdout, as one YAML scalar, for callers that show no stderr: kustomize prints
 * what it finds on stdout in place of a list. A successful ending stays as it is.
 */
export function withFaultOnStdout(ending: Ending & Partial<Pick<Outcome, "diagnostics">>): Ending {
  if (ending.exitCode === Exit.ok) return ending;
  return { ...ending, output: [Buffer.from(scalarOf(firstFault(ending)), "utf8")] };
}

function firstFault({ messages, diagnostics = [] }: Parameters<typeof withFaultOnStdout>[0]): string {
  const [first, ...more] = diagnostics.filter(({ severity }) => severity === "error");
  if (first === undefined) return messages;
  const { length } = more;
  const rest = length === 0 ? "" : `and ${length} more error${length === 1 ? "" : "s"}; stderr has all\n`;
  return renderDiagnostics([first]) + rest;
}
