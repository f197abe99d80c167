// What becomes of two sides in the objects that charts make: each release is rendered as it was and as it is.
import type { Diagnostic } from "../../diagnostic.ts";
import type { EngineAnswer } from "../../engine/index.ts";
import type { ChartRelease } from "../../explain/index.ts";
import type { ChangedManifest } from "../../difference.ts";
import { passedOver } from "../not-built.ts";
import { lineOf, stepsOf } from "./made-objects.ts";
import { patchedChanges } from "./patched-changes.ts";
import { type ExplainedSide, pairedReleases } from "./releases.ts";
import { type EngineLeaf, type EnginePath, filesOf, headOf, identityOf, rendered } from "./render.ts";
import { objectText } from "../../object-id.ts";

export interface ManifestChanges {
  readonly manifests: readonly ChangedManifest[];
  /** Targets whose charts could not be rendered on both sides. */
  readonly unread: readonly string[];
  readonly faults: readonly Diagnostic[];
  /** True where a chart takes too much: what is after it is not rendered. */
  readonly isCut: boolean;
}

interface EngineChange {
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  readonly what: ChangedManifest["what"];
  readonly leaves: readonly {
    readonly path: EnginePath;
    readonly from?: string;
    readonly fromType?: EngineLeaf["type"];
    readonly to?: string;
    readonly toType?: EngineLeaf["type"];
    readonly secret?: boolean;
  }[];
}

/** Charts above it are rendered where the user asks for it: others cost less than a second. */
const mostBytes = 512 * 1024;

/** @param isAsked true to render large charts, too @param isLeftOut true for a target whose chart is of another version */
export async function manifestChanges(
  before: ExplainedSide,
  after: ExplainedSide,
  build: string | undefined,
  isAsked: boolean,
  isLeftOut: (target: string) => boolean = () => false,
): Promise<ManifestChanges> {
  const manifests: ChangedManifest[] = [];
  const unread: string[] = [];
  const faults: Diagnostic[] = [];
  let isCut = false;
  const targets = new Set(
    [before, after].flatMap(({ explanation }) => explanation?.targets.map(objectText) ?? []),
  );
  for (const pair of pairedReleases(before, after)) {
    const [target, old, now] = [objectText(pair.target), pair.old.release, pair.now.release];
    if (old === undefined || now === undefined || isCut || isLeftOut(target)) continue;
    const found = await pairChanges(target, old, now, isAsked);
    isCut = !isAsked && found.isCut === true;
    faults.push(...found.faults);
    if (found.isUnread === true) unread.push(`the manifests of ${target}`);
    const all = found.changes.map((each) => ({ target, ...(build !== undefined && { build }), ...each }));
    manifests.push(...all.flatMap((each) => withoutValues(each, targets, now.namespace)));
  }
  return { manifests, unread, faults, isCut };
}

interface PairChanges {
  readonly changes: readonly Omit<ChangedManifest, "target">[];
  readonly faults: readonly Diagnostic[];
  readonly isUnread?: boolean;
  readonly isCut?: boolean | undefined;
}

const nothing: PairChanges = { changes: [], faults: [] };

async function pairChanges(
  target: string,
  old: ChartRelease,
  now: ChartRelease,
  isAsked: boolean,
): Promise<PairChanges> {
  const isSameChart = isSame(old, now);
  if (isSameChart && old.patches === undefined && now.patches === undefined) return nothing;
  const left = leftOut(target, old, now, isAsked);
  if (isSameChart) return left === undefined ? changesOver(old, now, isAsked) : nothing;
  if (left !== undefined) return { changes: [], faults: [left] };
  const asked = { ask: "effects", paths: [] } as const;
  const { answer, faults: own, isCut } = await rendered(old, asked, { other: now, isAsked });
  const isBroken = answer === undefined && (isAsked || (isCut !== true && (await isRendered(old))));
  const faults = own.map((each) => ({ ...each, severity: severityOf(isAsked, isBroken) }));
  if (answer === undefined) return { changes: [], faults, isUnread: isBroken, isCut };
  const over = await patchedChanges(old, now, isAsked);
  const changes = over ?? changesIn(answer);
  const isUnpatched = over === undefined && changes.length > 0;
  return { changes, faults: [...faults, ...(isUnpatched ? unpatchedNote(target, old, now) : [])] };
}

/** Of a chart that is the same what is over it may differ. */
async function changesOver(old: ChartRelease, now: ChartRelease, isAsked: boolean): Promise<PairChanges> {
  const { isCut } = await rendered(old, { ask: "render" }, { isAsked });
  return { changes: (isCut ? undefined : await patchedChanges(old, now, isAsked)) ?? [], faults: [], isCut };
}

function unpatchedNote(target: string, ...sides: readonly ChartRelease[]): readonly Diagnostic[] {
  if (sides.every(({ patches }) => patches === undefined)) return [];
  const message = `what the chart of \`${target}\` renders is shown without the patches over it`;
  return [passedOver(message, "`valuefold explain KIND/NAME` follows them")];
}

/** Values of a target that a chart makes: their edits are shown as those of the target. */
const valueFields =
  /^spec (?:values|valuesContent|set|(?:source|sources \[\d+\]) helm (?:values|valuesObject|parameters))(?: |$)/;

function withoutValues(
  each: ChangedManifest,
  targets: ReadonlySet<string>,
  usual: string,
): readonly ChangedManifest[] {
  const { kind, name, namespace = usual, fields, what } = each;
  const isTarget = targets.has(objectText({ kind, name, namespace })) || targets.has(objectText(each));
  if (!isTarget || what !== "changed") return [each];
  const others = fields.filter(({ path }) => !valueFields.test(path.join(" ")));
  return others.length === 0 ? [] : [{ ...each, fields: others }];
}

/** An edit that breaks a chart is reported. Else what the cluster fills in may be missing to render it, which is not a fault of an edit. */
function severityOf(isAsked: boolean, isBroken: boolean): Diagnostic["severity"] {
  return isAsked ? "error" : isBroken ? "warning" : "info";
}

async function isRendered(release: ChartRelease): Promise<boolean> {
  const { answer } = await rendered(release, { ask: "render" }, { isAsked: false });
  return answer !== undefined;
}

function isSame(one: ChartRelease, other: ChartRelease): boolean {
  const [first, second] = [one, other].map((each) => identityOf(headOf(each), filesOf(each)));
  return first === second;
}

/** Why they are not compared. */
function leftOut(
  target: string,
  old: ChartRelease,
  now: ChartRelease,
  isAsked: boolean,
): Diagnostic | undefined {
  const tail = "its manifests are not compared";
  if (!isAsked && (sizeOf(old) > mostBytes || sizeOf(now) > mostBytes))
    return passedOver(`the chart of \`${target}\` is large: ${tail}`, "use `--manifests`");
  return seesSame(old, now)
    ? undefined
    : {
        ...passedOver(`the chart of \`${target}\` sees other APIs than before: ${tail}`),
        severity: "warning",
      };
}

/** One render of the engine has one version of Kubernetes for both sides. */
function seesSame(old: ChartRelease, now: ChartRelease): boolean {
  const [one, other] = [old, now].map(({ helm, kubeVersion, apiVersions }) =>
    JSON.stringify([helm, kubeVersion, apiVersions]),
  );
  return one === other;
}

function sizeOf(release: ChartRelease): number {
  return [...release.files().values()].reduce((sum, { bytes }) => sum + bytes.length, 0);
}

function changesIn(answer: EngineAnswer | undefined): readonly Omit<ChangedManifest, "target">[] {
  return ((answer?.["changes"] ?? []) as readonly EngineChange[]).map(changed);
}

function changed({ kind, namespace, name, what, leaves }: EngineChange): Omit<ChangedManifest, "target"> {
  return {
    kind,
    ...(namespace === undefined ? {} : { namespace }),
    name,
    what,
    fields: leaves.map(({ path, from, fromType = "str", to, toType = "str", secret }) => ({
      path: stepsOf(path),
      ...(from === undefined ? {} : { from: lineOf(from, fromType) }),
      ...(to === undefined ? {} : { to: lineOf(to, toType) }),
      ...(secret === true ? { secret } : {}),
    })),
  };
}
