// An Application → a target with a stack for each source that is a chart. What its sources deploy and is not here is reported.
import { join } from "node:path";
import type { Diagnostic } from "../../diagnostic.ts";
import { objectId } from "../../object-id.ts";
import type { ReadDocument, SourceTarget } from "../../explain/index.ts";
import type { Charts, ChartUser } from "../helm/charts.ts";
import { kustomizationFile } from "../kustomize/tree.ts";
import type { ManifestIndex } from "../manifest-index.ts";
import { notBuilt } from "../not-built.ts";
import { fieldIn, type Placed, textIn } from "../placed.ts";
import type { PlacedObject } from "../placed-object.ts";
import type { ApplicationSource } from "./application.ts";
import type { ArgoHelm } from "./argo-helm.ts";
import { ArgoEnvironment } from "./environment.ts";
import { type HelmSource, helmSource, type HelmSurroundings, mayBeAny } from "./helm-source.ts";
import { withOverrides } from "./overrides.ts";
import type { PlacedSource } from "./application.ts";
import { readingNow } from "../reads.ts";
import { isIn } from "../tree.ts";

export interface KnownApplication {
  readonly application: PlacedObject;
  readonly sources: readonly PlacedSource[];
}

/** What all targets have in common. */
export interface TargetSurroundings {
  /** How a file is named in places. */
  readonly shown: (path: string) => string;
  /** Documents of files that were read. */
  readonly documents: Map<string, ReadDocument>;
  readonly charts: Charts;
  readonly helm: ArgoHelm;
}

export interface ReadTarget {
  /** Absent where no source is a chart. */
  readonly target?: SourceTarget;
  readonly faults: readonly Diagnostic[];
}

export async function applicationTarget(
  { application, sources }: KnownApplication,
  around: TargetSurroundings,
): Promise<ReadTarget> {
  const refs = refsOf(sources);
  const unseen = sources.flatMap((each) => unseenSource(each, application));
  const read: HelmSource[] = [];
  for (const each of sources.filter(({ type }) => type === "chart"))
    read.push(await chartSource(each, { application, refs, around }));
  const faults = [...unseen, ...read.flatMap((each) => each.faults)];
  if (read.length === 0) return { faults };
  const { at } = application;
  const target = {
    ...objectId(application),
    ...(at && { at }),
    stacks: read.map(({ stack }) => stack),
    lints: read.flatMap(({ lints }) => lints),
  };
  return { faults, target };
}

interface OfApplication {
  readonly application: PlacedObject;
  readonly refs: ReadonlyMap<string, string | undefined>;
  readonly around: TargetSurroundings;
}

async function chartSource(
  placed: PlacedSource,
  { application, refs, around: { shown, documents: known, charts, helm: argo } }: OfApplication,
): Promise<HelmSource> {
  const { own, faults, ...where } = sceneOf(placed, application, refs, shown);
  const helm: ChartUser["helm"] = (matters) => argo.version(matters);
  const { fields: written } = placed.source;
  const read = await helmSource(own, { ...where, application, written, shown, charts, helm, known });
  return { ...read, faults: [...faults, ...read.faults] };
}

interface SourceScene extends Pick<HelmSurroundings, "environment" | "roots"> {
  /** With what the files of its directory override. */
  readonly own: ApplicationSource;
  readonly faults: readonly Diagnostic[];
}

function sceneOf(
  { source, top = "", directory }: PlacedSource,
  application: PlacedObject,
  refs: ReadonlyMap<string, string | undefined>,
  shown: (path: string) => string,
): SourceScene {
  const overridden =
    directory === undefined ? undefined : withOverrides(source.fields, directory, application.name, shown);
  const own = overridden === undefined ? source : { ...source, fields: overridden.fields };
  const roots = { chart: directory, top, refs, isOneOfSeveral: source.path.length > 2 };
  return { own, roots, environment: environmentOf(application, own), faults: overridden?.faults ?? [] };
}

/**
 * True for a file, as a real path, that an Application may read. What is in another repository may be in this one: a fork has
 * another URL.
 *
 * @param tops the directories that may be the tops of such ones
 */
export function readsOf(
  { application, sources }: KnownApplication,
  tops: readonly string[],
  index: ManifestIndex,
): (path: string) => boolean {
  const all = tops.map((top) => readsWith(application, sources, top, index));
  return (path) => all.some((reads) => reads(path));
}

function readsWith(
  application: PlacedObject,
  sources: readonly PlacedSource[],
  top: string,
  index: ManifestIndex,
): (path: string) => boolean {
  const placed = sources.map((each): PlacedSource => {
    const [chart, path = "."] = ["chart", "path"].map((name) => textIn(fieldIn(each.source.fields, name)));
    if (each.top !== undefined || chart !== undefined) return each;
    return { ...each, top, directory: join(top, path) };
  });
  const refs = refsOf(placed);
  const looked = readingNow(() =>
    placed.map((each) => {
      const { own, roots, environment } = sceneOf(each, application, refs, (path) => path);
      return mayBeAny(own, roots, environment);
    }),
  );
  const isAny = looked.value.some((each) => each);
  const directories = placed.flatMap(({ source, directory }) =>
    directory !== undefined && fieldIn(source.fields, "path") !== undefined ? [directory] : [],
  );
  const built = directories.filter((each) => kustomizationFile(each) !== undefined);
  const reads = [looked.reads, ...built.flatMap((each) => index.filesOf(each).reads)];
  return (path) =>
    isAny || directories.some((each) => isIn(path, each)) || reads.some((each) => each.isTouchedBy(path));
}

function refsOf(sources: readonly PlacedSource[]): ReadonlyMap<string, string | undefined> {
  return new Map(
    sources.flatMap(({ source, top }): [string, string | undefined][] => {
      const ref = textIn(fieldIn(source.fields, "ref"));
      return ref === undefined ? [] : [[`$${ref}`, top]];
    }),
  );
}

function unseenSource({ source, type, top }: PlacedSource, application: PlacedObject): Diagnostic[] {
  const { fields, shown } = source;
  const url = textIn(fieldIn(fields, "repoURL")) ?? "";
  const isElsewhere = top === undefined && textIn(fieldIn(fields, "chart")) === undefined;
  const [what, hint] =
    type === "plugin"
      ? ["a plugin makes it", "only the cluster runs it"]
      : [`\`${url}\` is another repository`, `name a checkout of it: --repo ${url}=DIR`];
  if (type !== "plugin" && !isElsewhere) return [];
  const message = `\`${shown}\` is not seen: ${what}`;
  return [notBuilt({ item: objectId(application), message, hint, at: fields.at })];
}

function environmentOf({ name, spec }: PlacedObject, { fields }: ApplicationSource): ArgoEnvironment {
  const text = (field: Placed | undefined, otherwise = ""): string => textIn(field) ?? otherwise;
  return new ArgoEnvironment({
    ARGOCD_APP_NAME: name,
    ARGOCD_APP_NAMESPACE: text(fieldIn(spec, "destination", "namespace")),
    ARGOCD_APP_PROJECT_NAME: text(fieldIn(spec, "project"), "default"),
    ARGOCD_APP_REVISION: undefined,
    ARGOCD_APP_REVISION_SHORT: undefined,
    ARGOCD_APP_REVISION_SHORT_8: undefined,
    ARGOCD_APP_SOURCE_REPO_URL: text(fieldIn(fields, "repoURL")),
    ARGOCD_APP_SOURCE_PATH: text(fieldIn(fields, "path")),
    ARGOCD_APP_SOURCE_TARGET_REVISION: text(fieldIn(fields, "targetRevision")),
  });
}
