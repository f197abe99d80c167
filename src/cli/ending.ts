// How a command ends: its diagnostics in the form that was asked for, and its output on stdout or in a file.
import {
  legibleText,
  renderDiagnostics,
  renderGithub,
  renderJson,
  renderJunit,
  renderSarif,
  type TextStyle,
} from "../report/index.ts";
import { docs, version } from "../version.ts";
import { sarifRule } from "./sarif-rule.ts";
import type { CommandResult, Ending, Io } from "./io.ts";
import { writeOutput } from "./output-file.ts";
import { writePage } from "./page-file.ts";

/** What the flags of a command say about its ending. All commands have the first. */
export interface EndingFlags {
  readonly help?: boolean;
  readonly format?: string;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
  readonly output?: string;
  readonly "output-file"?: string;
}

/** Writes the file of `--output-file`; without one, stdout gets the output. */
export function endingFor(result: CommandResult, flags: EndingFlags, io: Io): Ending {
  const ending = { ...result, ...reportOf(result, flags, io) };
  const { "output-file": file, output: form } = flags;
  // A command that fails has no output, and leaves the file as it was.
  if (file === undefined || file === "-" || ending.output.length === 0) return ending;
  if (form === "html") writePage(io.directory, file, ending.output);
  else writeOutput(io.directory, file, ending.output);
  return { ...ending, output: [] };
}

/** A report takes the place of the output of a command that has none. */
function reportOf(
  result: CommandResult,
  flags: EndingFlags,
  io: Io,
): Pick<Ending, "output" | "messages" | "closing"> {
  const { diagnostics, account, isReport = false, output } = result;
  const report = renderedAs(isReport ? flags.output : flags.format, result);
  if (report !== undefined)
    return isReport ? { output: [Buffer.from(report, "utf8")], messages: "" } : { output, messages: report };
  const closing = legibleText(flags.quiet === true ? "" : (account?.().text ?? ""));
  return { output, messages: renderDiagnostics(diagnostics, styleOf(flags, io)) + closing, closing };
}

/** Undefined for text. */
function renderedAs(format: string | undefined, { diagnostics, account }: CommandResult): string | undefined {
  if (format === "json") return renderJson(diagnostics, account?.());
  if (format === "github") return renderGithub(diagnostics);
  if (format === "junit") return renderJunit(diagnostics);
  return format === "sarif" ? renderSarif(diagnostics, version, (code) => sarifRule(code, docs)) : undefined;
}

function styleOf({ verbose = false }: EndingFlags, { env, errorColumns }: Io): TextStyle {
  return {
    ...(errorColumns === undefined ? {} : { columns: errorColumns }),
    colour: isColoured(env, errorColumns !== undefined),
    all: verbose,
  };
}

/** The environment as `--color` has it: the flag decides over variables. */
export function environmentFor({ color = "auto" }: { readonly color?: string }, env: Io["env"]): Io["env"] {
  return color === "auto" ? env : { ...env, FORCE_COLOR: color === "always" ? "1" : "0" };
}

/** Whether text is coloured: on terminals, unless the environment says otherwise. */
export function isColoured(env: Io["env"], isTerminal: boolean): boolean {
  const { FORCE_COLOR: force = "", NO_COLOR: no = "", CLICOLOR_FORCE: always = "", CLICOLOR: wanted } = env;
  if (force !== "") return force !== "0" && force !== "false";
  if (no !== "") return false;
  if (always !== "" && always !== "0") return true;
  return isTerminal && wanted !== "0" && env["TERM"] !== "dumb";
}
