// Runs `verify`: plain files as one list, as they are, and each directory as a build.
import { resolve } from "node:path";
import { defaultSettings, Exit, type Outcome, type Settings } from "../core/index.ts";
import type { Diagnostic } from "../diagnostic.ts";
import { lintTargets, verifyFiles, verifying } from "../explain/index.ts";
import {
  entriesNamed,
  failedBuild,
  type Input,
  isDirectory,
  isKustomization,
  readEntries,
  type ReadEntry,
  readFiles,
  settingsIn,
  UsageError,
  inSources,
  configuredBy,
} from "../sources/index.ts";
import { wordsOrHere, workspaceOf } from "./here.ts";
import type { FlagValues } from "./flags.ts";
import { type CommandResult, type Io } from "./io.ts";

export async function runVerify(
  words: readonly string[],
  flags: FlagValues<"verify">,
  io: Io,
): Promise<CommandResult> {
  const named = wordsOrHere(words, io);
  const directories = named.filter((word) => isDirectory(resolve(io.directory, word)));
  const files = named.filter((word) => !directories.includes(word));
  const outcomes: Outcome[] = [];
  const workspace = workspaceOf(io, flags, { asBuilt: true });
  if (files.length > 0)
    outcomes.push(
      await checked(readFiles(files, io.stdin, io.directory), flags.unfolded ?? false, flags, io),
    );
  for await (const read of readEntries(entriesNamed(directories, workspace), undefined, io.progress))
    outcomes.push(await buildOutcome(read, flags, io));
  return {
    exitCode: outcomes.find(({ exitCode }) => exitCode !== Exit.ok)?.exitCode ?? Exit.ok,
    output: [],
    diagnostics: outcomes.flatMap(({ diagnostics }) => diagnostics),
    account: () => ({ text: [...new Set(outcomes.map(({ account }) => account?.().text ?? ""))].join("") }),
    isReport: true,
  };
}

/** A kustomization is built without valuefold's own fold, so layers that wait for it are not a fault there. */
async function buildOutcome(
  { name, input }: ReadEntry,
  flags: FlagValues<"verify">,
  io: Io,
): Promise<Outcome> {
  if (input instanceof UsageError) return failedBuild(name, input);
  const { unfolded = isKustomization(resolve(io.directory, name)) } = flags;
  const outcome = await checked(input, unfolded, flags, io);
  const { targets = [] } = input;
  const lints = targets.length === 0 ? [] : lintTargets(targets, settingsFor(flags, input));
  const unbuilt = (input.unbuilt ?? []).map((each): Diagnostic =>
    flags.strict === true && each.severity === "warning" ? { ...each, severity: "error" } : each,
  );
  const isMissing = [...unbuilt, ...lints].some(({ severity }) => severity === "error");
  return {
    ...outcome,
    exitCode: isMissing && outcome.exitCode === Exit.ok ? Exit.faults : outcome.exitCode,
    diagnostics: [...unbuilt, ...inSources(outcome.diagnostics, input), ...lints],
  };
}

function settingsFor(flags: FlagValues<"verify">, { own }: Input): Settings {
  const { settings } = settingsIn(configuredBy(flags, own));
  return settings === undefined || "faults" in settings ? defaultSettings : settings.settings;
}

async function checked(
  { values, input, files, own }: Input,
  unfolded: boolean,
  flags: FlagValues<"verify">,
  { prepare, supplied }: Io,
): Promise<Outcome> {
  const configured = configuredBy(flags, own);
  if (values !== undefined) return verifyFiles({ files: values, ...settingsIn(configured) });
  await prepare(input);
  return supplied(verifying({ input, files, ...configured, strict: flags.strict ?? false, unfolded }));
}
