// Charts that are of another version on one of two sides → what that does to the values of their users, by renders of both.
import { type ChartRelease, givenValues, type WantedChart } from "../../explain/index.ts";
import type {
  ChangedVersion,
  ChartUpgrade,
  UncomparedUpgrade,
  UpgradedTarget,
  UpgradeFinding,
} from "../../difference.ts";
import { grouped } from "../../grouped.ts";
import { isReferring, rendered } from "../rendered/render.ts";
import type { Workspace } from "../workspace.ts";
import { type Bump, isAtVersion, isOfAnotherSource, isRange } from "./bumps.ts";
import { ChartPlaces, pullCommand, type UpgradeSide } from "./chart-places.ts";
import { descriptionOf } from "./description.ts";
import { type EngineUpgrade, findingsOf, isVersion } from "./judged.ts";

/** What is known of one target. */
interface JudgedBump {
  readonly bump: Bump;
  readonly missing?: Omit<UncomparedUpgrade, "in">;
  readonly findings: readonly UpgradeFinding[];
  readonly versions: readonly ChangedVersion[];
  readonly same: readonly (readonly string[])[];
  readonly sameDefaults: number;
  /** Charts that are read on either side, as places name them. */
  readonly charts: readonly string[];
}

interface FoundUpgrades {
  readonly upgrades: readonly ChartUpgrade[];
  /** Charts whose own files are compared by them, as places name them. */
  readonly charts: readonly string[];
  /** The targets that were judged. */
  readonly judged: readonly UpgradedTarget[];
}

/** How long the engine may take for all of them, where the user did not ask about a version. */
export const unaskedUpgradesMs = 60_000;

/** @param mostMs for all of them; without, each has as long as any question */
export async function chartUpgrades(
  bumps: readonly Bump[],
  workspace: Workspace,
  mostMs?: number,
): Promise<FoundUpgrades> {
  const judge = new UpgradeJudge(new ChartPlaces(workspace), mostMs);
  const all: JudgedBump[] = [];
  for (const each of bumps) all.push(await judge.judged(each));
  const alike = grouped(
    all,
    ({
      bump: {
        charts: [old, now],
      },
    }) => JSON.stringify([old.name, old.version, now.name, now.version]),
  );
  return {
    upgrades: [...alike.values()].flatMap(upgradeOf),
    charts: [...new Set(all.flatMap(({ charts }) => charts))],
    judged: all.filter(({ missing }) => missing === undefined).map(({ bump }) => bump.title),
  };
}

const tooMuch = "the charts take too long, or too much memory";

class UpgradeJudge {
  private readonly places: ChartPlaces;
  /** After one that takes too much the others are not asked. */
  private leftMs: number | undefined;

  constructor(places: ChartPlaces, mostMs: number | undefined) {
    this.places = places;
    this.leftMs = mostMs;
  }

  async judged(bump: Bump): Promise<JudgedBump> {
    const [was, is] = bump.charts;
    const isUnsure = bump.charts.some(({ isNamedByObject }) => isNamedByObject === true);
    if (isUnsure || isOfAnotherSource(was, is))
      return notJudged(bump, { reason: "it may be another chart", commands: [] });
    if (was.name !== is.name) return notJudged(bump, { reason: "it is another chart", commands: [] });
    const [old, now] = [await this.releaseOf(bump, 0), await this.releaseOf(bump, 1)];
    if (old === undefined || now === undefined) return notJudged(bump, missingOf(bump, [old, now]));
    const charts = [old.shown, now.shown];
    const found = await this.answerOn(old, now);
    if (typeof found === "string")
      return {
        ...notJudged(bump, { reason: found, commands: [] }),
        // Edits of its defaults would be many.
        charts: found === tooMuch ? charts : [],
      };
    return { ...(await judgedAs(found, bump, [old, now])), charts };
  }

  /** What the engine finds in both charts, or why there is no answer. */
  private async answerOn(old: ChartRelease, now: ChartRelease): Promise<EngineUpgrade | string> {
    const { leftMs } = this;
    if (leftMs === 0) return tooMuch;
    const start = performance.now();
    const how = { other: now, mostMs: leftMs };
    const { answer, faults, isCut } = await rendered(old, { ask: "upgrade" }, how);
    if (leftMs !== undefined)
      this.leftMs = isCut === true ? 0 : Math.max(0, leftMs - (performance.now() - start));
    if (isCut === true) return tooMuch;
    const found = answer?.["upgrade"] as EngineUpgrade | undefined;
    if (found === undefined) return faults[0]?.reason ?? "it is not rendered";
    return { ...found, isReferring: isReferring(answer) };
  }

  /** With the charts that it depends on, where those are not in it. */
  private async releaseOf({ charts, sides }: Bump, side: UpgradeSide): Promise<ChartRelease | undefined> {
    const [wanted, { release, chart }] = [charts[side], sides[side]];
    if (release !== undefined && descriptionOf(release).name !== wanted.name)
      return this.withDependency(release, wanted, side, chart?.from);
    const named = await this.places.named(wanted, side, chart?.from);
    if (named !== undefined) return named;
    if (release !== undefined && isAtVersion(release, wanted)) return release;
    return chart === undefined ? undefined : this.places.find(wanted, chart.from);
  }

  private async withDependency(
    release: ChartRelease,
    wanted: WantedChart,
    side: UpgradeSide,
    from: ((path: string) => Promise<ChartRelease | undefined>) | undefined,
  ): Promise<ChartRelease | undefined> {
    const isIn = [...release.files().keys()].some(
      (path) => /^charts\/\d+-(.+)\/Chart\.yaml$/.exec(path)?.[1] === wanted.name,
    );
    if (isIn) return release;
    const own =
      (await this.places.named(wanted, side, from)) ?? (from && (await this.places.find(wanted, from)));
    if (own === undefined) return undefined;
    const files = new Map([
      ...release.files(),
      ...[...own.files()].map(([path, file]) => [`charts/99-${wanted.name}/${path}`, file] as const),
    ]);
    return { ...release, files: () => files };
  }
}

function notJudged(bump: Bump, missing: JudgedBump["missing"] & object): JudgedBump {
  return { bump, missing, findings: [], versions: [], same: [], sameDefaults: 0, charts: [] };
}

function missingOf(
  { charts }: Bump,
  found: readonly (ChartRelease | undefined)[],
): NonNullable<JudgedBump["missing"]> {
  const missing = charts.filter((_, index) => found[index] === undefined);
  if (missing.some(({ version }) => version === "")) return { reason: "it has no version", commands: [] };
  if (missing.some(({ version }) => isRange(version)))
    return { reason: "its version is a range", commands: [] };
  const [first, second] = missing.map(({ version }) => version);
  const reason = second === undefined ? `${first} is not here` : `${first} and ${second} are not here`;
  return { reason, commands: missing.flatMap((each) => pullCommand(each) ?? []) };
}

async function judgedAs(
  found: EngineUpgrade,
  bump: Bump,
  [old, now]: readonly [ChartRelease, ChartRelease],
): Promise<Omit<JudgedBump, "charts">> {
  const isSecret = [old, now].some(({ given }) => givenValues(given).secrets.length > 0);
  const findings = await findingsOf(found, { ...bump, now, isSecret });
  const { same, sameDefaults } = found;
  const reason = reasonOf(found);
  return {
    bump,
    ...(reason !== undefined && { missing: { reason, commands: [] } }),
    findings,
    versions: [...versionOf(old, now), ...found.defaults.filter(isVersion).map(asVersion)],
    same,
    sameDefaults,
  };
}

/** Why not all of it is compared. */
function reasonOf(judged: EngineUpgrade): string | undefined {
  if (judged.reason !== undefined) return "it does not render";
  if (judged.bounded === true) return "it takes too many renders";
  return judged.isReferring === true ? "a schema is on another host" : undefined;
}

function versionOf(old: ChartRelease, now: ChartRelease): readonly ChangedVersion[] {
  const [from, to] = [descriptionOf(old).appVersion, descriptionOf(now).appVersion];
  return from === to ? [] : [{ of: "app", from, to }];
}

function asVersion({ path, from, to }: EngineUpgrade["defaults"][number]): ChangedVersion {
  const text = (value: typeof from): string =>
    typeof value === "string" && value !== "" ? value : JSON.stringify(value);
  return {
    of: path.join("."),
    ...(from !== undefined && { from: text(from) }),
    ...(to !== undefined && { to: text(to) }),
  };
}

/** Of all targets with the same two versions. */
function upgradeOf(all: readonly JudgedBump[]): readonly ChartUpgrade[] {
  const [first] = all;
  if (first === undefined) return [];
  const [old, now] = first.bump.charts;
  const targets = all.map(({ bump }) => bump.title);
  const reasons = grouped(
    all.filter(({ missing }) => missing !== undefined),
    ({ missing }) => JSON.stringify(missing),
  );
  const notCompared = [...reasons.values()].flatMap((some) =>
    some[0]?.missing === undefined ? [] : [{ ...some[0].missing, in: some.map(({ bump }) => bump.title) }],
  );
  const judged = all.filter(({ missing }) => missing === undefined || missing.commands.length === 0);
  const versions = grouped(
    judged.flatMap((each) => each.versions),
    (each) => JSON.stringify(each),
  );
  return [
    {
      chart: old.name,
      from: old.version,
      to: isOfAnotherSource(old, now)
        ? `${now.version} from another source`.trimStart()
        : old.name === now.name
          ? now.version
          : `${now.name} ${now.version}`.trimEnd(),
      targets,
      notCompared,
      findings: joined(judged),
      versions: [...versions.values()].flatMap(([each]) => each ?? []),
      same: new Set(judged.flatMap(({ same }) => same.map((path) => JSON.stringify(path)))).size,
      sameDefaults: Math.max(0, ...judged.map(({ sameDefaults }) => sameDefaults)),
    },
  ];
}

const order: readonly UpgradeFinding["what"][] = [
  "breaks",
  "dead",
  "changed",
  "default",
  "required",
  "untried",
  "dead-before",
];

/** What is the same in several targets is one; those that have it are named where it is not in all, or at several places. */
function joined(all: readonly JudgedBump[]): readonly UpgradeFinding[] {
  const each = all.flatMap(({ bump, findings }) => findings.map((finding) => ({ finding, of: bump.title })));
  const alike = grouped(each, ({ finding: { at: _at, ...finding } }) => JSON.stringify(finding));
  return [...alike.values()]
    .flatMap((some): UpgradeFinding[] => {
      const [one] = some;
      if (one === undefined) return [];
      const places = new Set(some.map(({ finding }) => JSON.stringify(finding.at)));
      if (some.length === all.length && places.size === 1) return [one.finding];
      return [{ ...one.finding, in: some.map(({ of, finding: { at } }) => ({ ...of, ...(at && { at }) })) }];
    })
    .toSorted((a, b) => order.indexOf(a.what) - order.indexOf(b.what));
}
