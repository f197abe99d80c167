// The charts of targets with the values that these have: what Helm refuses to render, a chart's own schema applied, and which keys
// no chart reads.
import type { Diagnostic } from "../../diagnostic.ts";
import { count } from "../../core/index.ts";
import { givenValues } from "../../explain/index.ts";
import { notBuilt } from "../not-built.ts";
import { isReferring, rendered } from "./render.ts";
import { type UnreadKey, UnreadKeys, type VerifiedRelease } from "./unread-keys.ts";

interface VerifiedReleases {
  readonly refused: readonly Diagnostic[];
  readonly unread: readonly UnreadKey[];
  /** True where a chart takes too much: no other is looked at. */
  readonly isCut: boolean;
}

/** Trees say most: more renders than these are not worth the time of a check. */
const mostRenders = 40;

/** What is known of charts in all builds. */
export interface ChartChecks {
  /** Charts that took too much: they are not tried again. */
  readonly slow: Set<string>;
  /** Charts of which a schema refers to other hosts. */
  readonly unfetched: Set<string>;
}

export async function verifiedReleases(
  all: readonly VerifiedRelease[],
  only?: ReadonlySet<string>,
  { slow, unfetched }: ChartChecks = { slow: new Set(), unfetched: new Set() },
): Promise<VerifiedReleases> {
  const refused: Diagnostic[] = [];
  const keys = new UnreadKeys(only);
  let isCut = false;
  for (const [index, each] of all.entries()) {
    if (isCut) {
      refused.push(notVerified(all.length - index));
      break;
    }
    const { item, release } = each;
    if (slow.has(release.shown)) continue;
    const { faults, answer, partly, ...how } = await rendered(
      release,
      { ask: "unread", mostRenders },
      { isAsked: false },
    );
    isCut = how.isCut === true;
    if (isReferring(answer ?? partly)) unfetched.add(release.shown);
    if (isCut) slow.add(release.shown);
    const isPartly = isCut || givenValues(release.given).unknown.length > 0;
    for (const fault of faults.filter(isOfValues))
      refused.push({ ...fault, item, ...(isPartly && { severity: "info" }) });
    const found = (answer ?? partly)?.["unread"] as { readonly path: readonly string[] }[] | undefined;
    await keys.look(
      each,
      (found ?? []).map(({ path }) => path),
      isPartly,
    );
  }
  return { refused, unread: keys.found(), isCut };
}

/** One chart that takes too long is enough: the others are not looked at. */
function notVerified(left: number): Diagnostic {
  return notBuilt({
    message: `the charts of ${count(left, "target")} are not checked: an earlier one exceeds the limits of rendering`,
    hint: "name their directories: valuefold verify DIR",
  });
}

/** What is missing in the chart is reported when it is read; what it wants of a cluster is not known here. */
function isOfValues({ reason = "" }: Diagnostic): boolean {
  return !/missing in charts\/ directory|charts are not installable|requires kubeVersion/.test(reason);
}
