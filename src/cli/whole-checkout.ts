// What `verify` reports of all that was read: some findings are none if another build has what one lacks, or if they are ignored.
import { relative, resolve } from "node:path";
import { defaultSettings, lintCodes, type Settings } from "../settings/index.ts";
import { Exit, type Outcome } from "../report/index.ts";
import type { Diagnostic } from "../diagnostic.ts";
import { isChecked, lintsAs } from "../explain/index.ts";
import { type Input, isUnmatched, passedOver, type PatchTargets, realPathOf } from "../sources/index.ts";
import type { FlagValues } from "./flags.ts";
import type { Io } from "./io.ts";

/** A build that was checked. */
export interface CheckedBuild {
  readonly outcome: Outcome;
  /** Absent for one that cannot be read. */
  readonly settings?: Settings;
  readonly checkout?: Input["checkout"];
  /** True if a fold of its own has settings that apply. */
  readonly isFolded?: boolean;
}

interface RunChecks {
  readonly patches: PatchTargets;
  readonly absentCharts: ReadonlySet<string>;
  readonly unfetched: ReadonlySet<string>;
}

interface VerifyQuestion {
  readonly words: readonly string[];
  readonly flags: FlagValues<"verify">;
  readonly io: Io;
}

/** One outcome for each build, and one for what is known of all. */
export function outcomesOf(
  builds: readonly CheckedBuild[],
  checks: RunChecks,
  { words, flags, io }: VerifyQuestion,
): readonly Outcome[] {
  const isAll = flags.config !== undefined || builds.every((each) => isTop(each, words, io));
  const isKept = isMatchedBy(builds, isAll);
  const isIgnored = ignoredIn(builds, io);
  const own = builds.map((build) => ({
    ...build.outcome,
    diagnostics: build.outcome.diagnostics.filter((each) => isKept(build, each) && !isIgnored(each)),
  }));
  const diagnostics = foundInAll(builds, checks, flags, io).filter((each) => !isIgnored(each));
  return [...own, { exitCode: Exit.faults, output: [], diagnostics }].map(withStatus);
}

/** A finding that is left out fails no run. */
function withStatus(outcome: Outcome): Outcome {
  const isBroken = outcome.diagnostics.some(({ severity }) => severity === "error");
  return outcome.exitCode === Exit.faults && !isBroken ? { ...outcome, exitCode: Exit.ok } : outcome;
}

/** Settings of several builds match something if they do in one of them; in a part of a checkout that is not known. */
function isMatchedBy(
  builds: readonly CheckedBuild[],
  isAll: boolean,
): (build: CheckedBuild, found: Diagnostic) => boolean {
  const shared = builds.filter(({ settings, isFolded }) => settings !== undefined && isFolded !== true);
  const all = shared.map(({ outcome }) => new Set(outcome.diagnostics.filter(isUnmatched).map(idOf)));
  return (build, found) =>
    !shared.includes(build) ||
    !isUnmatched(found) ||
    ((isAll || build.checkout === undefined) && all.every((each) => each.has(idOf(found))));
}

function idOf(found: Diagnostic): string {
  return JSON.stringify(found);
}

function isTop({ checkout }: CheckedBuild, words: readonly string[], { directory }: Io): boolean {
  return (
    checkout === undefined || words.some((word) => realPathOf(resolve(directory, word)) === checkout.top)
  );
}

/** Findings in files that the settings of a checkout ignore. What is wrong with values is no finding. */
function ignoredIn(builds: readonly CheckedBuild[], { directory }: Io): (found: Diagnostic) => boolean {
  const checkouts = [...new Set(builds.flatMap(({ checkout }) => checkout ?? []))];
  const here = realPathOf(directory);
  return ({ code, at, field }) => {
    const file = at?.isFile === true ? at.text : (at?.source?.file ?? at?.file);
    const isFinding =
      lintCodes.some((each) => each === code) && !(code === "folded-edited" && field !== undefined);
    if (file === undefined || !isFinding) return false;
    return checkouts.some(({ top, isIgnored, leavesOut }) => {
      const path = relative(top, resolve(here, file));
      return !path.startsWith("..") && isIgnored(path) && leavesOut(path);
    });
  };
}

/** What is known only of all that was read: a patch, or a chart, may be in several builds. */
function foundInAll(
  builds: readonly CheckedBuild[],
  { patches, absentCharts, unfetched }: RunChecks,
  { strict = false, verbose = false }: FlagValues<"verify">,
  { charts = [] }: Io,
): readonly Diagnostic[] {
  // The settings of any of the builds say how grave it is.
  const lints = Object.assign({}, ...builds.map(({ settings }) => settings?.verify.lints));
  const own: Settings = { ...defaultSettings, verify: { ...defaultSettings.verify, lints } };
  // A named chart without a target is reported, too, and fails the run.
  const isFault = strict && charts.every(({ isUsed }) => isUsed === true);
  const absent = isChecked("unknown-key", own) ? [...absentCharts] : [];
  const unchecked = [
    ...notChecked("keys not checked", absent, ["is not here", "are not here"], {
      isWhole: verbose,
      cure: "--chart",
    }),
    ...notChecked(
      "schemas not checked in full",
      [...unfetched],
      ["refers to other hosts", "refer to other hosts"],
      { isWhole: verbose },
    ),
  ].map((each): Diagnostic => (isFault ? { ...each, severity: "error" } : each));
  return [...unchecked, ...lintsAs(patches.lints(), own)];
}

/** What is not checked of some charts, and why: of one, and of several. */
function notChecked(
  what: string,
  charts: readonly string[],
  [ofOne, ofAll]: readonly [string, string],
  { isWhole, cure }: { readonly isWhole: boolean; readonly cure?: string },
): readonly Diagnostic[] {
  if (charts.length === 0) return [];
  const most = isWhole ? charts.length : mostCharts;
  const names = charts.slice(0, most).join(", ");
  const left = charts.length - most;
  const more = left > 0 ? ` and ${left} more` : "";
  const cures = [cure, left > 0 ? "-v names all" : undefined].filter((each) => each !== undefined);
  const hint = cures.length === 0 ? "" : ` (${cures.join("; ")})`;
  const why = charts.length === 1 ? `chart ${names} ${ofOne}` : `charts ${names}${more} ${ofAll}`;
  return [passedOver(`${what}: ${why}${hint}`)];
}

const mostCharts = 3;
