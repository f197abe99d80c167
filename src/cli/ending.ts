// How a command ends: its diagnostics in the form that was asked for, and its output on stdout or in a file.
import {
  legibleText,
  renderDiagnostics,
  renderGithub,
  renderJson,
  renderSarif,
  type TextStyle,
} from "../report/index.ts";
import { docs, version } from "../version.ts";
import { sarifRule } from "./fault-catalogue.ts";
import type { CommandResult, Ending, Io } from "./io.ts";
import { writeOutput } from "./output-file.ts";

/** What the flags of a command say about its ending. All commands have the first. */
export interface EndingFlags {
  readonly help?: boolean;
  readonly format?: string;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
  readonly output?: string;
}

/** Writes the file of `--output`; without one, stdout gets the output. */
export function endingFor(result: CommandResult, flags: EndingFlags, io: Io): Ending {
  const ending = { ...result, ...reportOf(result, flags, io) };
  const { output: file } = flags;
  // A command that fails has no output, and leaves the file as it was.
  if (file === undefined || file === "-" || ending.output.length === 0) return ending;
  writeOutput(io.directory, file, ending.output);
  return { ...ending, output: [] };
}

/** A report takes the place of the output of a command that has none. */
function reportOf(result: CommandResult, flags: EndingFlags, io: Io): Pick<Ending, "output" | "messages"> {
  const { diagnostics, account, isReport = false, hasOwnForms, output } = result;
  const report = hasOwnForms === true ? undefined : renderedAs(flags.format, result);
  if (report !== undefined)
    return isReport ? { output: [Buffer.from(report, "utf8")], messages: "" } : { output, messages: report };
  const closing = flags.quiet === true ? "" : (account?.().text ?? "");
  return { output, messages: renderDiagnostics(diagnostics, styleOf(flags, io)) + legibleText(closing) };
}

/** Undefined for text, and for the forms of another output. */
function renderedAs(format: string | undefined, { diagnostics, account }: CommandResult): string | undefined {
  if (format === "json") return renderJson(diagnostics, account?.());
  if (format === "github") return renderGithub(diagnostics);
  return format === "sarif" ? renderSarif(diagnostics, version, (code) => sarifRule(code, docs)) : undefined;
}

function styleOf({ verbose = false }: EndingFlags, { env, errorColumns }: Io): TextStyle {
  return {
    ...(errorColumns === undefined ? {} : { columns: errorColumns }),
    colour: isColoured(env, errorColumns !== undefined),
    all: verbose,
  };
}

/** Whether text is coloured: on terminals, unless the environment says otherwise. */
export function isColoured(env: Io["env"], isTerminal: boolean): boolean {
  const { FORCE_COLOR: force = "", NO_COLOR: no = "", CLICOLOR_FORCE: always = "", CLICOLOR: wanted } = env;
  if (force !== "") return force !== "0" && force !== "false";
  if (no !== "") return false;
  if (always !== "" && always !== "0") return true;
  return isTerminal && wanted !== "0" && env["TERM"] !== "dumb";
}
