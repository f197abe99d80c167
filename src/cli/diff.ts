// Runs `diff`: explains both sides, and writes what changed in the form that was asked for.
import {
  differenceOf,
  type Explained,
  isChecked,
  type BuildPair,
  renderDifference,
  renderMarkdown,
  stepOf,
} from "../explain/index.ts";
import { Exit, legible, legibleText } from "../report/index.ts";
import type { Place } from "../explanation.ts";
import type { Difference } from "../difference.ts";
import { count } from "../core/index.ts";
import { explainingBy } from "./question.ts";
import { chartPairs, widthFor, workspaceOf } from "./here.ts";
import { settingsFor } from "./verify.ts";
import type { Settings } from "../settings/index.ts";
import type { FlagValues } from "./flags.ts";
import {
  type Bump,
  bumpsBetween,
  withMovedSources,
  changedUnread,
  chartUpgrades,
  explained,
  type Input,
  manifestChanges,
  type ManifestChanges,
  lacksMore,
  missingIn,
  notBuilt,
  readSides,
  Releases,
  unaskedUpgradesMs,
  unreadEdits,
  type Workspace,
  withBareTargets,
} from "../sources/index.ts";
import type { Diagnostic } from "../diagnostic.ts";
import { objectKey, objectText } from "../object-id.ts";
import { type CommandResult, type Io, uncompared } from "./io.ts";

/** @param words two files or directories, or revisions with the directories and files to compare */
export async function runDiff(
  words: readonly string[],
  flags: FlagValues<"diff">,
  io: Io,
): Promise<CommandResult> {
  const { output: form = "text", "exit-code": exitCode = false } = flags;
  const { all, notes, difference } = await compared(words, flags, io);
  const diagnostics = [...notes, ...all.flatMap(({ outcome }) => outcome.diagnostics), ...difference.faults];
  const failed = all.some(({ outcome }) => outcome.exitCode !== Exit.ok);
  if (all.some(({ explanation }) => explanation === undefined))
    return { exitCode: exitCode ? uncompared : Exit.faults, output: [], diagnostics };
  const { found } = difference;
  const { edits, targets, manifests = [], upgrades = [] } = found;
  const differs = edits.length + targets.length + manifests.length + upgrades.length > 0;
  const isWhole = !failed && found.unread.length === 0;
  const compareStatus = !isWhole ? uncompared : differs ? Exit.faults : Exit.ok;
  return {
    output: [Buffer.from(differenceAs(form, found, flags.verbose === true, widthFor(flags, io)), "utf8")],
    exitCode: exitCode ? compareStatus : failed ? Exit.faults : Exit.ok,
    diagnostics,
  };
}

interface ComparedSides {
  readonly all: readonly Explained[];
  readonly notes: readonly Diagnostic[];
  readonly difference: { readonly found: Difference; readonly faults: readonly Diagnostic[] };
}

async function compared(words: readonly string[], flags: FlagValues<"diff">, io: Io): Promise<ComparedSides> {
  const all: Explained[] = [];
  const sideOf = (input: Input | undefined): Promise<DiffSide> => explainedSide(input, flags, io, all);
  const changes: ManifestChanges[] = [];
  const bumps: Bump[] = [];
  const workspace = workspaceFor(flags, io);
  const pairs: BuildPair[] = [];
  const changed: NewerSide[] = [];
  const unread: string[] = [];
  const { sides, notes } = await readSides(words, workspace);
  for (const { before, after, ...build } of sides) {
    io.progress?.(`comparing ${legible(build.build ?? "values")}`);
    const [first, now] = [await sideOf(before), await sideOf(after)];
    const old = withMovedSources(first, now);
    const lost = readOnOneSide(old, now);
    unread.push(...changedUnread({ ...old, input: before }, { ...now, input: after }), ...lost);
    pairs.push({ ...build, ...pairOf(old, now, lost) });
    if (after !== undefined) changed.push({ ...now, settings: settingsFor(flags, after) });
    const own = bumpsBetween(old, now, build.build);
    bumps.push(...own);
    // One chart that takes too much is enough.
    const isLeftOut = (target: string): boolean =>
      changes.some(({ isCut }) => isCut) ||
      (flags.manifests !== true && own.some(({ title }) => title.target === target));
    changes.push(await manifestChanges(old, now, build.build, flags.manifests === true, isLeftOut));
  }
  if (bumps.length > 0) io.progress?.(`rendering both versions of ${count(bumps.length, "chart")}`);
  const upgrades = await chartUpgrades(bumps, workspace, unaskedUpgradesMs);
  const missing = missingIn([...notes, ...all.flatMap(({ outcome }) => outcome.diagnostics)]);
  const values = differenceOf(pairs);
  const added = changes.some(({ isCut }) => isCut) ? [notRendered] : await addedKeys(values, changed);
  const difference = joined(values, changes, [...missing, ...unread], upgrades);
  const unlisted = flags.manifests !== true && bumps.some(isHere) ? [notListed] : [];
  return { all, notes: [...notes, ...added, ...unlisted], difference };
}

/** @param all gets the side */
async function explainedSide(
  input: Input | undefined,
  flags: FlagValues<"diff">,
  io: Io,
  all: Explained[],
): Promise<DiffSide> {
  const releases = new Releases();
  if (input === undefined) return { releases };
  const list = releases.in(input);
  const side = await explained(list, explainingBy(flags, io));
  all.push(side);
  return { ...(await withBareTargets(side, list)), releases, valued: side.explanation };
}

/** True where both charts are in the checkout. */
function isHere({ sides }: Bump): boolean {
  return sides.every(({ release }) => release !== undefined);
}

const notListed = notBuilt({
  severity: "info",
  message: "objects of charts with another version are not compared",
  hint: "use `--manifests`",
});

/** With both versions of charts that change. */
function workspaceFor(flags: FlagValues<"diff">, io: Io): Workspace {
  return {
    ...workspaceOf(io, flags),
    seesAbsentCharts: true,
    chartPairs: chartPairs(flags.chart ?? [], io.directory),
    fetches: flags.fetch === true,
  };
}

interface DiffSide extends Partial<Explained> {
  readonly releases: Releases;
  /** Without targets that leave all to their charts. */
  readonly valued?: Explained["explanation"];
}

/** Targets of both sides that cannot be read on one of them: what they have there is not known. */
function readOnOneSide(old: DiffSide, now: DiffSide): ReadonlySet<string> {
  const [before, after] = [unreadableIn(old), unreadableIn(now)];
  const readIn = ({ explanation }: DiffSide): readonly string[] =>
    (explanation?.targets ?? []).map((target) => objectText(target));
  return new Set([
    ...readIn(old).filter((each) => after.has(each) && !before.has(each)),
    ...readIn(now).filter((each) => before.has(each) && !after.has(each)),
  ]);
}

/** Helm installs no chart whose defaults it cannot read. */
function unreadableIn({ outcome, explanation }: DiffSide): ReadonlySet<string> {
  const ofCharts = (explanation?.targets ?? []).filter(({ stacks }) =>
    stacks.some(({ layers }) => layers.some(({ why, state }) => why === "chart" && state === "unreadable")),
  );
  const faults = (outcome?.diagnostics ?? []).filter(
    ({ code, severity }) =>
      // Of a target in an unknown version nothing is read, with a warning.
      code === "no-target" ||
      (severity === "error" && (code === "item-unreadable" || code === "invalid-reference")),
  );
  const items = faults.flatMap(({ item }) => item ?? []);
  return new Set([...items, ...ofCharts].map((each) => objectText(each)));
}

function pairOf(old: DiffSide, now: DiffSide, lost: ReadonlySet<string>): BuildPair {
  const partly = {
    before: lacksMore(old.outcome, now.outcome),
    after: lacksMore(now.outcome, old.outcome),
  };
  return { before: comparedWith(now, old, lost), after: comparedWith(old, now, lost), partly };
}

/** The side, without targets that leave all to their charts on both sides. */
function comparedWith(
  other: DiffSide,
  { valued, explanation }: DiffSide,
  lost: ReadonlySet<string>,
): Explained["explanation"] {
  if (explanation === undefined) return undefined;
  const keysOf = (each: Explained["explanation"]): ReadonlySet<string> =>
    new Set(each?.targets.map(objectKey));
  const [own, others, bare] = [valued, other.valued, other.explanation].map(keysOf);
  const targets = explanation.targets.filter((target) => {
    const key = objectKey(target);
    if (lost.has(objectText(target))) return false;
    return own?.has(key) === true || others?.has(key) === true || bare?.has(key) === false;
  });
  return { ...explanation, targets };
}

interface NewerSide extends DiffSide {
  readonly settings: Settings;
}

const notRendered = notBuilt({
  message:
    "a chart exceeds the limits of rendering: the others are not rendered, and no added key is looked for",
  hint: "use `--manifests`",
});

async function addedKeys({ edits }: Difference, sides: readonly NewerSide[]): Promise<readonly Diagnostic[]> {
  const added: Diagnostic[] = [];
  for (const { settings, ...side } of sides) {
    const { found, isCut } = await unreadEdits(edits, side);
    added.push(...found.filter(({ code }) => isChecked(code, settings)));
    if (isCut)
      return [
        ...added,
        notBuilt({ message: "a chart exceeds the limits of rendering: not all added keys are looked for" }),
      ];
  }
  return added;
}

/** Clusters with one chart have the same faults. */
function joined(
  values: Difference,
  changes: readonly ManifestChanges[],
  unread: readonly string[],
  { upgrades, charts }: Awaited<ReturnType<typeof chartUpgrades>>,
): ComparedSides["difference"] {
  const manifests = changes.flatMap((each) => each.manifests);
  const unjudged = upgrades.filter(({ notCompared }) => notCompared.length > 0);
  const all = [
    ...values.unread,
    ...unread,
    ...changes.flatMap((each) => each.unread),
    ...unjudged.map(stepOf),
  ];
  // What a chart says itself is a part of its upgrade.
  const isOfChart = ({ file = "" }: Place): boolean =>
    charts.some((each) => file.startsWith(`${each}/`) || file.startsWith(`${each}:`));
  const edits = values.edits.filter(
    ({ at, default: isDefault = false }) => at === undefined || !isDefault || !isOfChart(at),
  );
  const faults = changes.flatMap((each) => each.faults);
  return {
    found: {
      ...values,
      edits,
      ...(manifests.length > 0 && { manifests }),
      ...(upgrades.length > 0 && { upgrades }),
      unread: [...new Set(all)],
    },
    faults: [...new Map(faults.map((each) => [JSON.stringify(each), each])).values()],
  };
}

export function differenceAs(
  form: NonNullable<FlagValues<"diff">["output"]>,
  difference: Difference,
  isVerbose: boolean,
  width?: number,
): string {
  switch (form) {
    case "text":
      return legibleText(renderDifference(difference, isVerbose, width));
    case "json":
      return `${JSON.stringify(difference, undefined, 2)}\n`;
    case "markdown":
      return legibleText(renderMarkdown(difference));
  }
}
