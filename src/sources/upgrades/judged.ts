// What the engine says of a new version of a chart → findings, each with the place where the user sets the value.
import type { ChartRelease } from "../../explain/index.ts";
import type { ReachedField, UpgradeFinding } from "../../difference.ts";
import type { ExplainedTarget, Place } from "../../explanation.ts";
import { pathText } from "../../merge/index.ts";
import { reasonIn } from "../rendered/render.ts";

/** As the engine prints it. */
export interface EngineUpgrade {
  readonly reason?: string;
  readonly breaks: readonly EngineBreak[];
  readonly dead: readonly EngineDead[];
  readonly deadBefore: readonly EngineDead[];
  readonly changed: readonly {
    readonly path: readonly string[];
    readonly lost: readonly ReachedField[];
    readonly gained: readonly ReachedField[];
  }[];
  readonly defaults: readonly EngineDefault[];
  readonly required: readonly (readonly string[])[];
  readonly same: readonly (readonly string[])[];
  readonly sameDefaults: number;
  readonly untried: readonly (readonly string[])[];
  readonly bounded?: boolean;
  /** True if a schema of a chart is on another host: it is not checked. */
  readonly isReferring?: boolean;
}

interface EngineBreak {
  readonly path: readonly string[];
  readonly reason: string;
  readonly was?: string;
  readonly is?: string;
}

interface EngineDead {
  readonly path: readonly string[];
  readonly tried?: boolean;
}

type PlainValue = string | number | boolean | null | object;

interface EngineDefault {
  readonly path: readonly string[];
  readonly from?: PlainValue;
  readonly to?: PlainValue;
}

/** A release that is judged, and whose values they are. */
interface PlacedUpgrade {
  readonly target: ExplainedTarget;
  readonly source: string | undefined;
  readonly now: ChartRelease;
  /** True if a value of a Secret is among them. */
  readonly isSecret: boolean;
}

/** What breaks comes first, then what is dead, what changes though the user does nothing, and what is new. */
export async function findingsOf(
  found: EngineUpgrade,
  { target, source, now, isSecret }: PlacedUpgrade,
): Promise<readonly UpgradeFinding[]> {
  const placed = (path: readonly string[]): Pick<UpgradeFinding, "path" | "at"> => {
    const at = placeOf(path, target, source);
    return { path, ...(at && { at }) };
  };
  const dead: UpgradeFinding[] = [];
  for (const { path, tried } of found.dead) {
    const near = await nearTo(path, now);
    dead.push({ what: "dead", ...placed(path), ...(tried && { tried }), ...(near && { near }) });
  }
  // What takes the place of a dead value is named with it.
  const isNear = (path: readonly string[]): boolean =>
    dead.some(({ near }) => near !== undefined && pathText(near.path) === pathText(path));
  const { reason: broken } = found;
  return [
    ...(broken === undefined
      ? []
      : [{ what: "breaks", path: [], reason: reasonIn(broken, isSecret) } as const]),
    ...found.breaks.map(({ path, reason, was, is }): UpgradeFinding => ({
      what: "breaks",
      ...placed(path),
      reason: reasonIn(reason, isSecret),
      ...(was !== undefined && is !== undefined && { was, is }),
    })),
    ...dead,
    ...found.changed.map(({ path, lost, gained }): UpgradeFinding => ({
      what: "changed",
      ...placed(path),
      lost,
      gained,
    })),
    ...found.defaults.filter((each) => !isVersion(each) && !isNear(each.path)).map(defaultFinding),
    ...found.required.map((path): UpgradeFinding => ({ what: "required", path })),
    ...found.untried.map((path): UpgradeFinding => ({ what: "untried", ...placed(path) })),
    ...found.deadBefore.map(({ path }): UpgradeFinding => ({ what: "dead-before", ...placed(path) })),
  ];
}

function defaultFinding({ path, ...values }: EngineDefault): UpgradeFinding {
  const [from, to] = [values.from, values.to].map((each) => JSON.stringify(each) as string | undefined);
  return {
    what: "default",
    path,
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  };
}

const versionKeys = ["tag", "digest", "sha", "version", "appVersion"];

/** A default that names a version of an image. */
export function isVersion({ path, from, to }: EngineDefault): boolean {
  const isText = [from, to].every((each) => each === undefined || typeof each !== "object");
  return isText && versionKeys.includes(path.at(-1) ?? "");
}

/** The path that the chart reads in place of one that it does not. */
async function nearTo(path: readonly string[], now: ChartRelease): Promise<UpgradeFinding["near"]> {
  const { near } = await now.unread(path);
  if (near?.path === undefined) return undefined;
  return { path: near.path, ...(near.at !== undefined && { at: inChart(near.at, now) }) };
}

/** Where the chart is on this machine matters to no reader. */
function inChart(place: string, { shown }: ChartRelease): string {
  return place.startsWith(shown) ? place.slice(shown.length + 1) : place;
}

/** The place of a value, or of the first below it. */
function placeOf(
  path: readonly string[],
  { stacks }: ExplainedTarget,
  source: string | undefined,
): Place | undefined {
  const stack = stacks.find((each) => each.source === source) ?? stacks[0];
  const isBelow = (own: readonly string[]): boolean => path.every((key, index) => own[index] === key);
  const values = (stack?.values ?? []).filter((each) => isBelow(each.path));
  const own = values.find((each) => each.path.length === path.length) ?? values[0];
  return own?.at ?? (stack?.removed ?? []).find((each) => isBelow(each.path))?.at;
}
