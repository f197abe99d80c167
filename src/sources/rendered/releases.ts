// The targets of an input, and what Helm is given for each: for an object of the list its chart is known once it is explained.
import type { Diagnostic } from "../../diagnostic.ts";
import {
  type ChartReference,
  type ChartRelease,
  givenValues,
  type OverChartOf,
  type SourceStack,
} from "../../explain/index.ts";
import type { ExplainedTarget, Explanation } from "../../explanation.ts";
import type { Input } from "../entry.ts";
import { notBuilt } from "../not-built.ts";
import { type ObjectId, objectText } from "../../object-id.ts";

/** What Helm is given for a target, or for one of its sources. */
export interface TargetRelease {
  readonly source?: string | undefined;
  readonly release: ChartRelease;
}

/** Which chart a target names for one of its sources, and the release of it, if it is here. */
export interface NamedRelease {
  readonly source?: string | undefined;
  readonly release?: ChartRelease | undefined;
  readonly chart?: ChartReference | undefined;
}

export class Releases {
  private readonly byTarget = new Map<string, readonly NamedRelease[]>();

  /** The same input, listened to. */
  in(input: Input): Input {
    for (const target of input.targets ?? [])
      for (const stack of target.stacks) this.add(objectText(target), stack);
    const { overChart } = input;
    return overChart === undefined ? input : { ...input, overChart: this.listening(overChart) };
  }

  of(target: ObjectId): readonly TargetRelease[] {
    return this.named(target).flatMap(({ source, release }) =>
      release === undefined ? [] : [{ source, release }],
    );
  }

  /** Those whose charts are not here, too. */
  named(target: ObjectId): readonly NamedRelease[] {
    return this.byTarget.get(objectText(target)) ?? [];
  }

  /** The same with other names of sources. */
  withSources(nameOf: (target: string, source: string | undefined) => string | undefined): Releases {
    const releases = new Releases();
    for (const [target, all] of this.byTarget)
      releases.byTarget.set(
        target,
        all.map((each) => ({ ...each, source: nameOf(target, each.source) })),
      );
    return releases;
  }

  private listening(overChart: OverChartOf): OverChartOf {
    return async (target, documents) => {
      const over = await overChart(target, documents);
      if (over !== undefined) this.add(target, over);
      return over;
    };
  }

  private add(target: string, { source, release, chart }: Omit<SourceStack, "documents">): void {
    if (release === undefined && chart === undefined) return;
    this.byTarget.set(target, [...(this.byTarget.get(target) ?? []), { source, release, chart }]);
  }
}

/** A side of a comparison. */
export interface ExplainedSide {
  readonly explanation?: Explanation | undefined;
  readonly releases: Releases;
}

/** The sources of a target that both sides have. */
interface ReleasePair {
  /** With what it has now. */
  readonly target: ExplainedTarget;
  readonly old: NamedRelease;
  readonly now: NamedRelease;
}

export function pairedReleases(before: ExplainedSide, after: ExplainedSide): readonly ReleasePair[] {
  const olds = new Map((before.explanation?.targets ?? []).map((each) => [objectText(each), each]));
  return (after.explanation?.targets ?? []).flatMap((target) => {
    const was = olds.get(objectText(target));
    const others = was === undefined ? [] : before.releases.named(was);
    return after.releases.named(target).flatMap((now): ReleasePair[] => {
      const old = others.find(({ source }) => source === now.source);
      return old === undefined ? [] : [{ target, old, now }];
    });
  });
}

/** The charts that a target has on one side only, as they are named where they are not compared. */
export function loneReleases(before: ExplainedSide, after: ExplainedSide): readonly string[] {
  const olds = new Set((before.explanation?.targets ?? []).map(objectText));
  return (after.explanation?.targets ?? [])
    .filter((each) => olds.has(objectText(each)))
    .flatMap((target) => {
      const [old, now] = [before, after].map(({ releases }) => releases.named(target));
      const isLone = ({ source }: NamedRelease, others: readonly NamedRelease[] = []): boolean =>
        !others.some((each) => each.source === source);
      const lone = [
        ...(old ?? []).filter((each) => isLone(each, now)),
        ...(now ?? []).filter((each) => isLone(each, old)),
      ];
      return lone.map(({ chart }) => `${objectText(target)}: chart ${chart?.name ?? "without a name"}`);
    });
}

/** What may be otherwise in the cluster. @param arePatched true where its patches are followed */
export function unknownOf(
  { given, patches }: ChartRelease,
  target: string,
  arePatched = false,
): readonly Diagnostic[] {
  const { unknown } = givenValues(given);
  const names = unknown.map(({ kind, namespace, name, slot, why }) =>
    kind === undefined || name === undefined ? (name ?? slot ?? why) : objectText({ kind, namespace, name }),
  );
  const shown = [...new Set(names)].map((each) => `\`${each}\``).join(", ");
  const without = `\`${target}\` is rendered without the values of ${shown}`;
  const before = `\`${target}\` is rendered as its chart makes it: ${patches?.shown} may change that`;
  return [
    ...(names.length === 0 ? [] : [notBuilt({ message: without, hint: "they are not known here" })]),
    ...(patches === undefined || arePatched
      ? []
      : [notBuilt({ message: before, hint: "compare with the cluster" })]),
  ];
}
