// Two sides of a comparison → the charts that targets have in another version on each.
import type { ChartRelease, WantedChart } from "../../explain/index.ts";
import type { UpgradedTarget } from "../../difference.ts";
import type { ExplainedTarget } from "../../explanation.ts";
import { objectText } from "../../object-id.ts";
import { type ExplainedSide, type NamedRelease, pairedReleases } from "../rendered/releases.ts";
import { type DescribedDependency, descriptionOf } from "./description.ts";

/** One chart of a target, on both sides. */
export interface Bump {
  readonly title: UpgradedTarget;
  /** With what it has now. */
  readonly target: ExplainedTarget;
  readonly source: string | undefined;
  readonly charts: readonly [WantedChart, WantedChart];
  readonly sides: readonly [NamedRelease, NamedRelease];
}

export function bumpsBetween(
  before: ExplainedSide,
  after: ExplainedSide,
  build: string | undefined,
): readonly Bump[] {
  return pairedReleases(before, after).flatMap(({ target, old, now }) => {
    const title = { target: objectText(target), ...(build === undefined ? {} : { build }) };
    const about = { title, target, source: now.source, sides: [old, now] } as const;
    return chartsOf(old, now).map((charts) => ({ ...about, charts }));
  });
}

/**
 * Its own chart; or, where that has the same version, each that it depends on in another one. Another chart in its place is one, too,
 * and so is another source, unless both are here: then the objects of both are compared.
 */
function chartsOf(old: NamedRelease, now: NamedRelease): readonly Bump["charts"][] {
  const [was, is] = [wantedOf(old), wantedOf(now)];
  if (was === undefined || is === undefined) return [];
  if (was.name !== is.name && old.release !== undefined && now.release !== undefined) return [];
  if (was.name !== is.name || was.version !== is.version) return [[was, is]];
  const areHere = old.release !== undefined && now.release !== undefined;
  if (!areHere && isOfAnotherSource(was, is)) return [[was, is]];
  const [before, after] = [old, now].map(({ release }) => (release ? dependenciesOf(release) : []));
  return (after ?? []).flatMap((each): Bump["charts"][] => {
    const other = before?.find(({ name }) => name === each.name);
    return other === undefined || other.version === each.version ? [] : [[other, each]];
  });
}

/** The same name and version may be another chart then. */
export function isOfAnotherSource(one: WantedChart, other: WantedChart): boolean {
  const sourceOf = ({ repository, source }: WantedChart): string | undefined =>
    repository?.replace(/\/$/, "") ?? source;
  return one.name === other.name && one.version === other.version && sourceOf(one) !== sourceOf(other);
}

/** The chart that is meant: what the target says, or what the chart in the checkout is. */
export function wantedOf({ release, chart }: NamedRelease): WantedChart | undefined {
  if (chart !== undefined && !isRange(chart.version)) return chart;
  const own = release && descriptionOf(release);
  return own === undefined || own.version === "" ? chart : { ...chart, name: own.name, version: own.version };
}

/** Of these the version is not known. */
export function isRange(version: string): boolean {
  return version === "" || /[*^~<>=|, ]|(?:^|\.)x\b/i.test(version);
}

function dependenciesOf(release: ChartRelease): readonly DescribedDependency[] {
  return descriptionOf(release).dependencies;
}

/** True where a side has the very chart that is wanted, as far as anything says. */
export function isAtVersion(release: ChartRelease, { name, version }: WantedChart): boolean {
  const plain = (text: string): string => text.replace(/^v(?=\d)/, "");
  const own = descriptionOf(release);
  return own.name === name && plain(own.version) === plain(version);
}
