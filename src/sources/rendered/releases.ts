// The targets of an input, and what Helm is given for each: for an object of the list its chart is known once it is explained.
import type { ChartReference, ChartRelease, OverChartOf, SourceStack } from "../../explain/index.ts";
import type { ExplainedTarget } from "../../explanation.ts";
import type { Input } from "../entry.ts";
import { objectText } from "../../object-id.ts";

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
  private readonly byTarget = new Map<string, NamedRelease[]>();

  /** The same input, listened to. */
  in(input: Input): Input {
    for (const target of input.targets ?? [])
      for (const stack of target.stacks) this.add(objectText(target), stack);
    const { overChart } = input;
    return overChart === undefined ? input : { ...input, overChart: this.listening(overChart) };
  }

  of(target: ExplainedTarget): readonly TargetRelease[] {
    return this.named(target).flatMap(({ source, release }) =>
      release === undefined ? [] : [{ source, release }],
    );
  }

  /** Those whose charts are not here, too. */
  named(target: ExplainedTarget): readonly NamedRelease[] {
    return this.byTarget.get(objectText(target)) ?? [];
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
