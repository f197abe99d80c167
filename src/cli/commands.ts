// Runs what the words on the command line ask for. Loaded only if there are any: a function has none.
import { isatty } from "node:tty";
import {
  Exit,
  type Outcome,
  renderGithub,
  renderJson,
  renderSarif,
  type Request,
  type SourceFile,
} from "../core/index.ts";
import { verify } from "../explain/index.ts";
import { version } from "../version.ts";
import type { Diagnostic } from "../diagnostic.ts";
import { parseCommandLine } from "./command-line.ts";
import { runDiff, runExplain } from "./explain.ts";
import type { FlagValues, Format } from "./flags.ts";
import { type ConfigFlags, configuredBy, isManifest, readInputs } from "./inputs.ts";
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
      return ended(await io.fold({ ...requestOf(words, flags, io), ...before }), flags);
    }
    case "render":
      return ended(await io.render(renderOf(words, flags)), flags);
    case "values":
      return runValues(words, flags, io);
    case "explain":
      return ended(await runExplain(words, flags, io), flags);
    case "diff":
      return runDiff(words, flags, io);
    case "verify":
      return runVerify(words, flags, io);
  }
}

async function runValues(
  [target, ...files]: readonly string[],
  flags: FlagValues<"values">,
  io: Io,
): Promise<Ending> {
  if (target === undefined || !/^[A-Za-z]+\/[^/]+(?:\/[^/]+)?$/.test(target) || isManifest(target))
    throw new UsageError("expected a target: `Kind/name` or `Kind/namespace/name`");
  const { secrets = false } = flags;
  return ended(await io.values({ ...requestOf(files, flags, io), target, secrets }), flags);
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
  const request = requestOf(files, flags, io);
  await io.prepare(request.input);
  const outcome = verify({ ...request, strict, unfolded });
  const report = renderedAs(format, outcome.diagnostics);
  // There is no list to write, so stdout is free for a report.
  if (report !== undefined) return { ...outcome, output: [Buffer.from(report, "utf8")], messages: "" };
  return ended(outcome, flags);
}

function requestOf(
  files: readonly string[],
  flags: ConfigFlags,
  { stdin }: Io,
): Request & { files: SourceFile[] } {
  return { ...readInputs(files, stdin), form: "stream", ...configuredBy(flags) };
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
