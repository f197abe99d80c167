// Runs `upgrade`: tries a version of a chart on the work tree, in all targets that have the chart.
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { nearest } from "../diagnostic.ts";
import type { Difference } from "../difference.ts";
import { isNamedAs } from "../object-id.ts";
import { Exit, type Outcome } from "../report/index.ts";
import {
  type Bump,
  chartUpgrades,
  entriesAndRest,
  explained,
  failedBuild,
  missingIn,
  readEntries,
  Releases,
  type TargetChart,
  targetChartsIn,
  triedOn,
  UsageError,
  withBareTargets,
} from "../sources/index.ts";
import { stepOf } from "../explain/index.ts";
import { differenceAs } from "./diff.ts";
import type { FlagValues } from "./flags.ts";
import { chartPairs, widthFor, wordsOrHere, workspaceOf } from "./here.ts";
import { type CommandResult, type Io, uncompared } from "./io.ts";
import { explainingBy } from "./question.ts";

/** @param words the name of a chart, a version or a path, and what to read */
export async function runUpgrade(
  [name, version, ...files]: readonly string[],
  flags: FlagValues<"upgrade">,
  io: Io,
): Promise<CommandResult> {
  if (name === undefined || version === undefined)
    throw new UsageError(
      "expected the name of a chart, and a version or a path",
      "valuefold upgrade podinfo 6.14.1",
    );
  const { output: form = "text" } = flags;
  const { bumps, outcomes, charts, targets } = await found(name, version, files, flags, io);
  if (bumps.length === 0 && outcomes.every(({ exitCode }) => exitCode === Exit.ok))
    throw new UsageError(`no target has the chart \`${name}\``, hintOf(name, charts));
  const { upgrades } = await chartUpgrades(bumps, workspaceFor(name, version, flags, io));
  const unjudged = upgrades.filter(({ notCompared }) => notCompared.length > 0);
  const diagnostics = outcomes.flatMap((each) => each.diagnostics);
  const unread = [...missingIn(diagnostics), ...unjudged.map(stepOf)];
  const made = { edits: [], targets: [], all: targets, changed: 0, unread: [...new Set(unread)] };
  const difference: Difference = { kind: "Difference", version: 1, ...made, upgrades };
  return {
    output: [
      Buffer.from(differenceAs(form, difference, flags.verbose === true, widthFor(flags, io)), "utf8"),
    ],
    exitCode: statusOf(difference, outcomes, flags),
    diagnostics,
  };
}

interface FoundBumps {
  readonly bumps: readonly Bump[];
  readonly outcomes: readonly Outcome[];
  readonly charts: readonly TargetChart[];
  readonly targets: number;
}

async function found(
  name: string,
  version: string,
  files: readonly string[],
  flags: FlagValues<"upgrade">,
  io: Io,
): Promise<FoundBumps> {
  const workspace = workspaceFor(name, version, flags, io);
  const entries = entriesAndRest(wordsOrHere(files, io), workspace);
  const isOne = entries.filter(({ unfollowed }) => unfollowed === undefined).length < 2;
  const bumps: Bump[] = [];
  const outcomes: Outcome[] = [];
  const charts: TargetChart[] = [];
  let targets = 0;
  for await (const read of readEntries(entries, undefined, io.progress)) {
    if (read.input instanceof UsageError) {
      outcomes.push(failedBuild(read.name, read.input, read.isGuess));
      continue;
    }
    const releases = new Releases();
    const list = releases.in(read.input);
    const own = await explained(list, explainingBy(flags, io));
    const { explanation, outcome } = await withBareTargets(own, list);
    outcomes.push(outcome);
    targets += explanation?.targets.length ?? 0;
    const side = { explanation, releases };
    charts.push(...targetChartsIn(side));
    bumps.push(...(await triedOn(side, { name, version }, workspace, isOne ? undefined : read.name)));
  }
  return { bumps, outcomes, charts, targets };
}

function workspaceFor(
  name: string,
  version: string,
  flags: FlagValues<"upgrade">,
  io: Io,
): ReturnType<typeof workspaceOf> {
  const path = resolve(io.directory, version);
  if (/[\\/]/.test(version) && !existsSync(path)) throw new UsageError(`\`${version}\` does not exist`);
  const named = existsSync(path) ? [{ name, paths: [undefined, path] as const }] : [];
  return {
    ...workspaceOf(io, flags),
    seesAbsentCharts: true,
    chartPairs: [...named, ...chartPairs(flags.chart ?? [], io.directory)],
    fetches: flags.fetch === true,
  };
}

function hintOf(name: string, charts: readonly TargetChart[]): string {
  const own = charts.find(({ target }) => isNamedAs(target, name));
  if (own !== undefined) return `\`${name}\` is a target: name its chart, \`${own.chart}\``;
  const names = charts.map(({ chart }) => chart);
  const near = nearest(name, names);
  if (near !== undefined) return `did you mean \`${near}\`?`;
  return names.length === 0
    ? "name a directory with targets"
    : `charts here: ${[...new Set(names)].join(", ")}`;
}

function statusOf(
  { upgrades = [], unread }: Difference,
  outcomes: readonly Outcome[],
  flags: FlagValues<"upgrade">,
): number {
  const failed = outcomes.some(({ exitCode }) => exitCode !== Exit.ok);
  if (flags["exit-code"] !== true) return failed ? Exit.faults : Exit.ok;
  if (failed || unread.length > 0) return uncompared;
  const isBad = upgrades.some(({ findings }) =>
    findings.some(({ what }) => what === "breaks" || what === "dead"),
  );
  return isBad ? Exit.faults : Exit.ok;
}
