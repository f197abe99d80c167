// One side alone → the charts that its targets have, and another version of one of them in its place.
import type { WantedChart } from "../../explain/index.ts";
import { type ObjectId, objectText } from "../../object-id.ts";
import { openNamed } from "../repository.ts";
import type { Workspace } from "../workspace.ts";
import type { ExplainedSide } from "../rendered/releases.ts";
import { type Bump, wantedOf } from "./bumps.ts";
import { descriptionOf } from "./description.ts";

/** A target, and its chart by its name. */
export interface TargetChart {
  readonly target: ObjectId;
  readonly chart: string;
}

export function targetChartsIn({ explanation, releases }: ExplainedSide): readonly TargetChart[] {
  return (explanation?.targets ?? []).flatMap((target) =>
    releases.named(target).flatMap((each) => {
      const chart = wantedOf(each)?.name;
      return chart === undefined ? [] : [{ target, chart }];
    }),
  );
}

/** @param wanted the chart by its name; the version may be a path that the workspace names */
export async function triedOn(
  { explanation, releases }: ExplainedSide,
  wanted: Pick<WantedChart, "name" | "version">,
  { chartPairs = [] }: Workspace,
  build: string | undefined,
): Promise<readonly Bump[]> {
  const [, path] = chartPairs.find(({ name, paths: [old] }) => name === wanted.name && !old)?.paths ?? [];
  const bumps: Bump[] = [];
  if (path !== undefined) openNamed(path);
  for (const target of explanation?.targets ?? [])
    for (const now of releases.named(target)) {
      const old = wantedOf(now);
      if (old?.name !== wanted.name) continue;
      const other = path === undefined ? undefined : await now.chart?.from(path);
      const version = other === undefined ? wanted.version : descriptionOf(other).version;
      const title = { target: objectText(target), ...(build === undefined ? {} : { build }) };
      bumps.push({
        title,
        target,
        source: now.source,
        charts: [old, { ...old, version }],
        sides: [now, now],
      });
    }
  return bumps;
}
