// The targets of an input, and what Helm is given for each: for an object of the list its chart is known once it is explained.
import type { ChartRelease, OverChartOf } from "../../explain/index.ts";
import type { ExplainedTarget } from "../../explanation.ts";
import type { Input } from "../entry.ts";
import { objectText } from "../../object-id.ts";

/** What Helm is given for a target, or for one of its sources. */
export interface TargetRelease {
  readonly source?: string | undefined;
  readonly release: ChartRelease;
}

export class Releases {
  private readonly byTarget = new Map<string, TargetRelease[]>();

  /** The same input, listened to. */
  in(input: Input): Input {
    for (const target of input.targets ?? [])
      for (const { source, release } of target.stacks) this.add(objectText(target), { source, release });
    const { overChart } = input;
    return overChart === undefined ? input : { ...input, overChart: this.listening(overChart) };
  }

  of(target: ExplainedTarget): readonly TargetRelease[] {
    return this.byTarget.get(objectText(target)) ?? [];
  }

  private listening(overChart: OverChartOf): OverChartOf {
    return async (target, documents) => {
      const over = await overChart(target, documents);
      this.add(target, { release: over?.release });
      return over;
    };
  }

  private add(
    target: string,
    { source, release }: { readonly source?: string | undefined; readonly release: ChartRelease | undefined },
  ): void {
    if (release === undefined) return;
    this.byTarget.set(target, [...(this.byTarget.get(target) ?? []), { source, release }]);
  }
}
