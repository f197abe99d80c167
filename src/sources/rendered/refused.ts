// The charts of targets with the values that these have: what Helm refuses to render, a chart's own schema applied.
import type { Diagnostic } from "../../diagnostic.ts";
import { type ChartRelease, givenValues } from "../../explain/index.ts";
import { rendered } from "./render.ts";

/** Whose chart it is, and what Helm is given. */
interface CheckedRelease {
  readonly item: NonNullable<Diagnostic["item"]>;
  readonly release: ChartRelease;
}

export async function refusedReleases(all: readonly CheckedRelease[]): Promise<readonly Diagnostic[]> {
  const found: Diagnostic[] = [];
  let isCut = false;
  for (const { item, release } of all) {
    if (isCut) break;
    const asked = { ask: "unread", paths: [] } as const;
    const { faults, ...how } = await rendered(release, asked, { isAsked: false });
    isCut = how.isCut === true;
    const isPartly = isCut || givenValues(release.given).unknown.length > 0;
    for (const each of faults.filter(isOfValues))
      found.push({ ...each, item, ...(isPartly && { severity: "info" }) });
  }
  return found;
}

/** What is missing in the chart is reported when it is read; what it wants of a cluster is not known here. */
function isOfValues({ reason = "" }: Diagnostic): boolean {
  return !/missing in charts\/ directory|charts are not installable|requires kubeVersion/.test(reason);
}
