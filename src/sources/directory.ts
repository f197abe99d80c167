// A directory → what kustomize builds of it, and Flux because of it; or else the manifests in it.
import { join, relative } from "node:path";
import { count } from "../core/index.ts";
import type { Diagnostic } from "../diagnostic.ts";
import { contentsOf } from "../explain/index.ts";
import { Applications } from "./argo/applications.ts";
import type { EntryPart, Input, WantedParts } from "./entry.ts";
import { FluxCluster, type FluxStreams } from "./flux/cluster.ts";
import { builtAlone, isFluxDirectory } from "./flux/flux-directory.ts";
import { fleetFile, fleetTargets, postRenderersOf } from "./helm/fleet.ts";
import type { FoundTargets } from "./helm/charts.ts";
import { ownSettings } from "./fold-settings.ts";
import { holdsTargets } from "./read-kinds.ts";
import { PartsReader, type PartsSource, type PlacedParts, objectsIn, withSets } from "./read-parts.ts";
import { buildKustomization, isKustomization, type KustomizeBuild } from "./kustomize/build.ts";
import { nothingAdded } from "./kustomize/overlay.ts";
import { packageName } from "./kptfile.ts";
import { kustomizationsIn, manifestParts } from "./manifests.ts";
import { NothingBuilt, UsageError } from "./usage-error.ts";
import type { Workspace } from "./workspace.ts";
import { existsSync, realPathOf } from "./disk.ts";

/** A directory that is one build. It is built when it is first asked for, and no more of it than it takes. */
export class Directory {
  private readonly path: string;
  private readonly workspace: Workspace;
  private opened: Promise<Opened> | undefined;

  private readonly isSynced: boolean;

  /** @param isSynced true where a sync is known that builds it */
  constructor(path: string, workspace: Workspace, isSynced = false) {
    this.path = path;
    this.workspace = workspace;
    this.isSynced = isSynced;
  }

  async read(wanted?: WantedParts): Promise<Input> {
    const { reader, unbuilt } = await this.open();
    const all = await reader.read(wanted);
    return { ...all, unbuilt: [...unbuilt, ...(all.unbuilt ?? [])] };
  }

  async parts(): Promise<readonly EntryPart[]> {
    const { cluster, applications, isPlain } = await this.open();
    if (cluster !== undefined) return applications === undefined ? cluster.parts() : [];
    return isPlain ? [] : (applications?.parts() ?? []);
  }

  private open(): Promise<Opened> {
    this.opened ??= opened(this.path, this.workspace, this.isSynced);
    return this.opened;
  }
}

export interface Opened {
  readonly reader: PartsReader;
  /** What is wrong with the settings of its own folds. */
  readonly unbuilt: readonly Diagnostic[];
  readonly cluster: FluxCluster | undefined;
  readonly applications: Applications | undefined;
  /** True if it holds more than what Applications deploy. */
  readonly isPlain: boolean;
}

/** What Fleet deploys, and the kustomizations that it runs over that. */
interface FleetIn extends FoundTargets {
  readonly postRenderers: readonly string[];
}

async function fleetIn(directory: string, workspace: Workspace): Promise<FleetIn> {
  const file = fleetFile(directory);
  return file === undefined
    ? { targets: [], faults: [], postRenderers: [] }
    : { ...(await fleetTargets(realPathOf(file), workspace)), postRenderers: postRenderersOf(file) };
}

export function withCharts(found: PlacedParts, { targets, faults }: FoundTargets): PlacedParts {
  if (targets.length + faults.length === 0) return found;
  return {
    ...found,
    charts: [...(found.charts ?? []), ...targets],
    unbuilt: [...found.unbuilt, ...faults],
  };
}

function ofCluster({ streams, ...rest }: FluxStreams): PlacedParts {
  return { parts: streams.map((bytes) => ({ bytes })), ...rest };
}

async function opened(path: string, workspace: Workspace, isSynced: boolean): Promise<Opened> {
  const fleet = await fleetIn(path, workspace);
  const build = fleet.postRenderers.includes(path) ? undefined : await buildIn(path, workspace, isSynced);
  const cluster = build instanceof FluxCluster ? build : undefined;
  const read =
    build === undefined
      ? manifestsIn(path, workspace, fleet)
      : build instanceof FluxCluster
        ? ofCluster(build.opened())
        : { ...build, parts: [{ bytes: build.bytes }], origins: () => build.origins };
  const all = cluster === undefined ? await withSets(read) : read;
  const applications = await Applications.find(objectsIn(all), workspace);
  const found = withCharts(all, fleet);
  const { own, unbuilt } = ownSettings(path, workspace.from);
  const source: PartsSource = {
    read: async (wanted) => (cluster === undefined ? found : ofCluster(await cluster.read(wanted))),
    ...(cluster && { follow: (id, made) => cluster.follow(id, made) }),
    ...(own && { own: { ...own, mayOpen: workspace.enableExec } }),
  };
  return {
    reader: new PartsReader(source, applications, workspace),
    unbuilt,
    cluster,
    applications,
    isPlain: (found.charts ?? []).length > 0 || found.parts.some(({ bytes }) => holdsTargets(bytes)),
  };
}

async function buildIn(
  path: string,
  workspace: Workspace,
  isSynced: boolean,
): Promise<KustomizeBuild | FluxCluster | undefined> {
  const isFlux = !isKustomization(path) && (isSynced || isFluxDirectory(path, workspace));
  if (!isFlux && !isKustomization(path)) return undefined;
  const overlay = isFlux && !isSynced ? builtAlone(path, workspace) : nothingAdded;
  const build = await buildKustomization(path, isFlux ? { ...workspace, overlay } : workspace);
  return FluxCluster.open(path, build, workspace);
}

function manifestsIn(
  directory: string,
  { from, settings, isIgnored = () => false }: Workspace,
  { targets, postRenderers }: FleetIn,
): PlacedParts {
  const shown = relative(from, directory) || ".";
  const hasTargets = targets.length > 0;
  const isPackage = existsSync(join(directory, packageName));
  // What a package renders is what it has.
  const isLeftOut = (path: string): boolean =>
    postRenderers.includes(path) ||
    (!isPackage && settings !== undefined && isIgnored(relative(settings.top, realPathOf(path))));
  const isList = hasTargets || isPackage;
  const builds = isList ? [] : kustomizationsIn(directory, isLeftOut);
  // What is in several builds would be one invented list.
  if (builds.length > 0)
    throw new UsageError(
      `\`${shown}\` is no build: it has ${count(builds.length, "kustomization")} in it`,
      `name one of them: ${relative(from, builds[0] ?? "")}`,
    );
  const found = manifestParts(directory, from, isLeftOut);
  // Its values files are those of the targets.
  if (hasTargets)
    return { ...found, parts: found.parts.filter(({ bytes }) => contentsOf(bytes) !== "values") };
  if (found.parts.length === 0)
    throw new NothingBuilt(
      `\`${shown}\` has neither a kustomization nor manifests`,
      "name the directory that is built, or files",
    );
  const values = found.parts.filter(({ bytes }) => contentsOf(bytes) === "values");
  const [first, second] = values;
  const hasManifests = found.parts.some(({ bytes }) => contentsOf(bytes) === "manifests");
  if (first !== undefined && second !== undefined && !hasManifests)
    throw new UsageError(
      `\`${shown}\` has ${count(values.length, "values file")}: name them in order`,
      `the lowest first: ${first.name ?? "FILE"} ...; \`--chart\` names their chart`,
    );
  return found;
}
