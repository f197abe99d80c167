// Runs what the words on the command line ask for. Loaded only if there are any: a function has none.
import { isatty } from "node:tty";
import { Exit } from "../report/index.ts";
import type { FoldInput } from "../core/index.ts";
import type { Diagnostic } from "../diagnostic.ts";
import { version } from "../version.ts";
import { type Invocation, parseCommandLine } from "./command-line.ts";
import { completionFor } from "./completion.ts";
import { endingFor, environmentFor } from "./ending.ts";
import {
  doctor,
  init,
  runCompare,
  runDiff,
  runExplain,
  runMerge,
  runUpgrade,
  runValues,
  runVerify,
} from "./questions.ts";
import { runFactor } from "./factor.ts";
import { commandNames, type FlagValues } from "./flags.ts";
import { isSameFile } from "./output-file.ts";
import { namedCharts, unusedCharts } from "./here.ts";
import { helpOf, helpText } from "./help.ts";
import {
  codeOf,
  generalHint,
  openOnly,
  UsageError,
  readInputs,
  type RenderInvocation,
  readNamed,
  settingsFaults,
  settingsNotes,
  configuredBy,
} from "../sources/index.ts";
import { install } from "./install.ts";
import { type CommandResult, type Ending, incomplete, type Io, uncompared } from "./io.ts";
import { nameReference } from "./printed.ts";
import { settingsSchema } from "./settings-schema.ts";

/** Runs what was typed. @throws UsageError, and the errors of reading files */
export async function runCommand(args: readonly string[], io: Io): Promise<Ending> {
  try {
    const invocation = parseCommandLine(args);
    openHere(io);
    const { flags, notes } = invocation;
    const own = { ...io, env: "color" in flags ? environmentFor(flags, io.env) : io.env };
    const { diagnostics, ...result } = await resultWithSettings(invocation, own);
    io.progress?.("");
    return endingFor({ ...result, diagnostics: [...notes, ...diagnostics] }, flags, own);
  } catch (error) {
    const command = commandNames.find((name) => name === args[0]);
    const isGeneral = error instanceof UsageError && error.hint === generalHint;
    if (!isGeneral || command === undefined || command === "help") throw error;
    throw new UsageError(error.message, `see valuefold ${command} --help`, error.reason);
  } finally {
    io.progress?.("");
  }
}

/** In a folder that was removed nothing can be read, and not all commands need one. */
function openHere(io: Io): void {
  try {
    openOnly(io.directory);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
  }
}

/** With what the settings of checkouts do, or what is wrong with them. */
async function resultWithSettings(invocation: Invocation, io: Io): Promise<CommandResult> {
  const used: Parameters<typeof settingsNotes>[0][number][] = [];
  try {
    const isOfOne = invocation.command === "explain" || invocation.command === "values";
    const result = await resultWithCharts(invocation, { ...io, onSettings: (each) => used.push(each) });
    return { ...result, diagnostics: [...result.diagnostics, ...settingsNotes(used, !isOfOne)] };
  } catch (error) {
    const faults = settingsFaults(error);
    if (faults === undefined) throw error;
    return wrongSettings(invocation, faults);
  }
}

function wrongSettings({ command, flags }: Invocation, diagnostics: readonly Diagnostic[]): CommandResult {
  return {
    exitCode: "exit-code" in flags && flags["exit-code"] ? uncompared : Exit.invalidConfig,
    output: [],
    diagnostics,
    isReport: command === "verify",
  };
}

async function resultWithCharts(invocation: Invocation, io: Io): Promise<CommandResult> {
  const { flags } = invocation;
  if (!("chart" in flags) || flags.chart === undefined) return resultOf(invocation, io);
  const charts = namedCharts(flags.chart, io.directory);
  const result = await resultOf(invocation, { ...io, charts });
  // What cannot be read may have named them.
  const isBroken = result.diagnostics.some(
    ({ severity, code }) => severity === "error" && code !== "no-target",
  );
  const unused = isBroken ? [] : unusedCharts(charts);
  const exitCode = unused.length === 0 ? result.exitCode : incompleteStatus(invocation, result.exitCode);
  return { ...result, exitCode, diagnostics: [...result.diagnostics, ...unused] };
}

/** The status that each command has where something is not seen. */
function incompleteStatus({ command, flags }: Invocation, status: number): number {
  const isStrict = "strict" in flags && flags.strict;
  if ((command === "diff" || command === "upgrade") && flags["exit-code"])
    return Math.max(status, uncompared);
  if (status !== Exit.ok || !isStrict) return status;
  return command === "values" ? incomplete : Exit.faults;
}

async function resultOf({ command, words, flags }: Invocation, io: Io): Promise<CommandResult> {
  switch (command) {
    case "help":
      return printed(helpOf(words));
    case "version":
      return printed(`${version}\n`);
    case "completion":
    case "print":
      return printed(fileFor(command, words[0]));
    case "install":
      return install(io.executable(), io.directory, words);
    case "init":
      return init(words, flags, io);
    case "doctor":
      return doctor(words, io);
    case "fold":
      return io.fold(foldOf(words, flags, io));
    case "render":
      return io.render(renderOf(words, flags));
    case "merge":
      return runMerge(words, flags, io);
    case "values":
      return runValues(words, flags, io);
    case "explain":
      return runExplain(words, flags, io);
    case "diff":
      return runDiff(words, flags, io);
    case "upgrade":
      return runUpgrade(words, flags, io);
    case "factor":
      return runFactor(words, flags, io);
    case "compare":
      return runCompare(words, flags, io);
    case "verify":
      return runVerify(words, flags, io);
  }
}

/** What other programs read as a file. */
function fileFor(command: "completion" | "print", word: string | undefined): string {
  if (command === "completion") return completionFor(word);
  return word === "schema" ? settingsSchema() : nameReference;
}

function foldOf(words: readonly string[], flags: FlagValues<"fold">, { stdin, directory }: Io): FoldInput {
  const { previous, "output-file": output = "-" } = flags;
  const before = previous === undefined ? {} : { previous: readNamed(previous) };
  const replacesInput = output !== "-" && words.some((word) => isSameFile(directory, word, output));
  return { ...readInputs(words, stdin), form: "stream", ...configuredBy(flags), ...before, replacesInput };
}

function renderOf(
  [into, ...others]: readonly string[],
  { config, strict = false, previous, root }: FlagValues<"render">,
): RenderInvocation {
  if (config === undefined || others.length > 0)
    throw new UsageError("expected settings and at most one directory: `valuefold render -c FILE [DIR]`");
  return { config, into, strict, previous, ...(root === undefined ? {} : { root }) };
}

/** The answer to a bare call at a terminal, where a function would wait for ever; undefined elsewhere. */
export function refusalAtTerminal(descriptor: number): Ending | undefined {
  return isatty(descriptor) ? { exitCode: Exit.faults, output: [], messages: helpText() } : undefined;
}

/** Printed before a command waits for what the user types; undefined if stdin is not a terminal. */
export function waitingLine(descriptor: number): string | undefined {
  return isatty(descriptor) ? "reading from the terminal: end with Ctrl-D, or name files\n" : undefined;
}

function printed(text: string): CommandResult {
  return { exitCode: Exit.ok, output: [Buffer.from(text, "utf8")], diagnostics: [] };
}
