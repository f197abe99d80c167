// Runs `verify` on each entry that is named.
import { resolve } from "node:path";
import { defaultSettings, type Settings } from "../settings/index.ts";
import { Exit, legible, type Outcome } from "../report/index.ts";
import type { Diagnostic } from "../diagnostic.ts";
import { type ObjectId, objectId, parseObject } from "../object-id.ts";
import { lintsAs, type OverChartOf, type SourceStack, verifying, verifyingFiles } from "../explain/index.ts";
import {
  entriesAndRest,
  failedBuild,
  type Input,
  isKustomization,
  PatchTargets,
  readEntries,
  type CheckoutInput,
  settingsIn,
  UsageError,
  inSources,
  configuredBy,
  verifiedReleases,
  type ChartChecks,
} from "../sources/index.ts";
import { runFix } from "./fix.ts";
import { wordsOrHere, workspaceOf } from "./here.ts";
import type { FlagValues } from "./flags.ts";
import type { CommandResult, Io } from "./io.ts";
import { nothingChecked, verdictOn } from "./verdict.ts";
import { type CheckedBuild, outcomesOf } from "./whole-checkout.ts";

export async function runVerify(
  words: readonly string[],
  flags: FlagValues<"verify">,
  io: Io,
): Promise<CommandResult> {
  if (flags.fix !== undefined) return runFix(words, flags, io);
  const charts = { slow: new Set<string>(), unfetched: new Set<string>() };
  const checks = { patches: new PatchTargets(), absentCharts: new Set<string>(), ...charts };
  const named = wordsOrHere(words, io);
  const entries = entriesAndRest(named, { ...workspaceOf(io, flags), checks });
  const builds: CheckedBuild[] = [];
  const run = { io, charts };
  for await (const read of readEntries(entries, undefined, io.progress)) {
    io.progress?.(`checking ${legible(read.name)}`);
    builds.push(await checkedBuild(read, flags, run));
  }
  const found = outcomesOf(builds, checks, { words: named, flags, io });
  const outcomes = [...found, { exitCode: Exit.ok, output: [], diagnostics: nothingChecked(found) }];
  return {
    exitCode: outcomes.find(({ exitCode }) => exitCode !== Exit.ok)?.exitCode ?? Exit.ok,
    output: [],
    diagnostics: outcomes.flatMap(({ diagnostics }) => diagnostics),
    account: () => ({ text: accountsOf(outcomes) + verdictOn(outcomes) }),
    isReport: true,
  };
}

function accountsOf(outcomes: readonly Outcome[]): string {
  return [...new Set(outcomes.map(({ account }) => account?.().text ?? ""))].join("");
}

interface VerifyRun {
  readonly io: Io;
  readonly charts: ChartChecks;
}

async function checkedBuild(
  read: CheckoutInput,
  flags: FlagValues<"verify">,
  run: VerifyRun,
): Promise<CheckedBuild> {
  const outcome = await buildOutcome(read, flags, run);
  if (read.input instanceof UsageError) return { outcome };
  const { own, checkout } = read.input;
  const isFolded = flags.config === undefined && own !== undefined;
  return { outcome, settings: settingsFor(flags, read.input), checkout, isFolded };
}

/** A kustomization is built without valuefold's own fold, so layers that wait for it are not a fault there. */
async function buildOutcome(
  { name, input, isGuess }: CheckoutInput,
  flags: FlagValues<"verify">,
  run: VerifyRun,
): Promise<Outcome> {
  if (input instanceof UsageError) return failedBuild(name, input, isGuess === true && flags.strict !== true);
  const { unfolded = isKustomization(resolve(run.io.directory, name)) } = flags;
  return checkedInput(input, unfolded, flags, run);
}

async function checkedInput(
  input: Input,
  unfolded: boolean,
  flags: FlagValues<"verify">,
  { io, charts }: VerifyRun,
): Promise<Outcome> {
  const overs: NamedStack[] = [];
  const outcome = await checked(input, { unfolded, onChart: (over) => overs.push(over) }, flags, io);
  const { targets = [] } = input;
  const ofTargets = targets.flatMap(({ stacks, ...item }) => stacks.map((stack) => ({ item, stack })));
  const stacks = [...overs, ...ofTargets];
  const { refused, unread } = await verifiedReleases(
    stacks.flatMap(({ item, stack: { release } }) =>
      release === undefined ? [] : [{ item: objectId(item), release }],
    ),
    undefined,
    charts,
  );
  const keys = unread.map(({ finding }) => finding);
  const lints = lintsAs(keys, settingsFor(flags, input));
  const unbuilt = [...(input.unbuilt ?? []), ...refused].map((each): Diagnostic =>
    flags.strict === true && each.severity === "warning" ? { ...each, severity: "error" } : each,
  );
  const isMissing = [...unbuilt, ...lints].some(({ severity }) => severity === "error");
  return {
    ...outcome,
    exitCode: isMissing && outcome.exitCode === Exit.ok ? Exit.faults : outcome.exitCode,
    diagnostics: [...unbuilt, ...inSources(outcome.diagnostics, input), ...lints],
  };
}

/** A stack with what it is of. */
interface NamedStack {
  readonly item: ObjectId;
  readonly stack: SourceStack;
}

export function settingsFor(
  flags: Pick<FlagValues<"verify">, "config">,
  input: Pick<Input, "own" | "checkout">,
): Settings {
  const { settings } = settingsIn(configuredBy(flags, input));
  return settings === undefined || "faults" in settings ? defaultSettings : settings.settings;
}

async function checked(
  whole: Input,
  { unfolded, onChart }: { readonly unfolded: boolean; readonly onChart: (over: NamedStack) => void },
  flags: FlagValues<"verify">,
  { prepare, supplied }: Io,
): Promise<Outcome> {
  const { values, input, files, targets, sources, overChart: find, helm } = whole;
  const configured = configuredBy(flags, whole);
  const overChart: OverChartOf = async (target, documents) => {
    const stack = await find?.(target, documents);
    const { kind = "", ...named } = parseObject(target);
    if (stack !== undefined) onChart({ item: { kind, ...named }, stack });
    return stack;
  };
  if (values !== undefined)
    return supplied(verifyingFiles({ files: values, overChart, helm, ...settingsIn(configured) }));
  await prepare(input);
  const own = { ...(targets && { targets }), ...(sources && { sources }) };
  const asked = { input, files, overChart, ...own, ...configured };
  return supplied(verifying({ ...asked, strict: flags.strict ?? false, unfolded }));
}
