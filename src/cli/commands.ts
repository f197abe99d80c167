// Runs what the words on the command line ask for. Loaded only if there are any: a function has none.
import { isatty } from "node:tty";
import { Exit, type Outcome, renderGithub, renderJson, renderSarif, type Request } from "../core/index.ts";
import { mergingFiles, type ValuesFile, verify, verifyFiles } from "../explain/index.ts";
import { version } from "../version.ts";
import type { Diagnostic } from "../diagnostic.ts";
import { parseCommandLine } from "./command-line.ts";
import { runCompare, runDiff, runExplain } from "./questions.ts";
import { runFactor } from "./factor.ts";
import type { FlagValues, Format } from "./flags.ts";
import {
  type ConfigFlags,
  configuredBy,
  type Input,
  isTarget,
  readFiles,
  readInputs,
  readValuesFiles,
  settingsIn,
} from "./inputs.ts";
import { install } from "./install.ts";
import { type Ending, type Io, UsageError } from "./io.ts";
import { completionFor, helpText, nameReference } from "./printed.ts";
import type { RenderInvocation } from "./render.ts";
import { readFile } from "./stdio.ts";

/** Runs what was typed. @throws UsageError, and the errors of reading files */
export async function runCommand(args: readonly string[], io: Io): Promise<Ending> {
  const { command, words, flags } = parseCommandLine(args);
  switch (command) {
    case "help":
      return printed(helpText());
    case "version":
      return printed(`${version}\n`);
    case "completion":
      return printed(completionFor(words[0]));
    case "print":
      return printed(nameReference);
    case "install":
      return install(io.executable(), io.directory, words);
    case "fold": {
      const { previous } = flags;
      const before = previous === undefined ? {} : { previous: readFile(previous) };
      const request = { ...readInputs(words, io.stdin), form: "stream", ...configuredBy(flags) } as const;
      return ended(await io.fold({ ...request, ...before }), flags);
    }
    case "render":
      return ended(await io.render(renderOf(words, flags)), flags);
    case "merge":
      return runMerge(words, flags, io);
    case "values":
      return runValues(words, flags, io);
    case "explain":
      return ended(await runExplain(words, flags, io), flags);
    case "diff":
      return runDiff(words, flags, io);
    case "factor":
      return runFactor(words, flags, io);
    case "compare":
      return runCompare(words, flags, io);
    case "verify":
      return runVerify(words, flags, io);
  }
}

function runMerge(names: readonly string[], flags: FlagValues<"merge">, io: Io): Promise<Ending> {
  if (names.length === 0)
    throw new UsageError(
      "expected values files",
      "name them, the lowest first: valuefold merge base.yaml prod.yaml",
    );
  return merged(readValuesFiles(names, io.stdin), flags, io);
}

async function merged(
  files: readonly ValuesFile[],
  flags: FlagValues<"merge"> | FlagValues<"values">,
  { supplied }: Io,
): Promise<Ending> {
  const json = "json" in flags && (flags.json ?? false);
  const { settings } = settingsIn(configuredBy(flags));
  const given = settings === undefined ? {} : { settings };
  return ended(await supplied(mergingFiles({ files, ...given, json })), flags);
}

async function runValues(
  [first, ...others]: readonly string[],
  flags: FlagValues<"values">,
  io: Io,
): Promise<Ending> {
  if (first === undefined)
    throw new UsageError(
      "expected a target or values files",
      "a target is `Kind/name` or `Kind/namespace/name`",
    );
  const isFirstTarget = isTarget(first);
  const { values, ...input } = readFiles(isFirstTarget ? others : [first, ...others], io.stdin);
  if (values !== undefined && !isFirstTarget) return merged(values, flags, io);
  if (values !== undefined)
    throw new UsageError(
      `values files have no target \`${first}\``,
      "leave the target out: valuefold values FILE...",
    );
  if (!isFirstTarget) throw new UsageError("expected a target: `Kind/name` or `Kind/namespace/name`");
  const { secrets = false } = flags;
  const request = { ...input, form: "stream", ...configuredBy(flags), target: first, secrets } as const;
  return ended(await io.values(request), flags);
}

function renderOf(
  [into, ...others]: readonly string[],
  { config, strict = false, previous }: FlagValues<"render">,
): RenderInvocation {
  if (config === undefined || others.length > 0)
    throw new UsageError("expected settings and at most one directory: `valuefold render -c FILE [DIR]`");
  return { config, into, strict, previous };
}

async function runVerify(files: readonly string[], flags: FlagValues<"verify">, io: Io): Promise<Ending> {
  const { strict = false, unfolded = false, format } = flags;
  const { values, ...request } = requestOf(files, flags, io);
  await io.prepare(request.input);
  const outcome =
    values === undefined
      ? verify({ ...request, strict, unfolded })
      : verifyFiles({ files: values, ...settingsIn(configuredBy(flags)) });
  const report = renderedAs(format, outcome.diagnostics);
  // There is no list to write, so stdout is free for a report.
  if (report !== undefined) return { ...outcome, output: [Buffer.from(report, "utf8")], messages: "" };
  return ended(outcome, flags);
}

function requestOf(files: readonly string[], flags: ConfigFlags, { stdin }: Io): Request & Input {
  return { ...readFiles(files, stdin), form: "stream", ...configuredBy(flags) };
}

/** An outcome with its messages in the form of `--format`; as text, with the summary at their end. */
function ended(
  outcome: Outcome,
  { format, quiet = false }: Pick<FlagValues<"fold">, "format" | "quiet">,
): Ending {
  const messages = renderedAs(format, outcome.diagnostics);
  return { ...outcome, messages: messages ?? outcome.messages + (quiet ? "" : (outcome.account?.() ?? "")) };
}

/** Undefined for text, which an outcome has already. */
function renderedAs(format: Format | undefined, diagnostics: readonly Diagnostic[]): string | undefined {
  switch (format) {
    case undefined:
    case "text":
      return undefined;
    case "json":
      return renderJson(diagnostics);
    case "github":
      return renderGithub(diagnostics);
    case "sarif":
      return renderSarif(diagnostics, version);
  }
}

/** The answer to a bare call at a terminal, where a function would wait for ever; undefined elsewhere. */
export function refusalAtTerminal(descriptor: number): Ending | undefined {
  return isatty(descriptor) ? { exitCode: Exit.faults, output: [], messages: helpText() } : undefined;
}

function printed(text: string): Ending {
  return { exitCode: Exit.ok, output: [Buffer.from(text, "utf8")], messages: "" };
}
