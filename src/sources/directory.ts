// A directory → what kustomize builds of it, and Flux because of it; or else the manifests in it.
import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import { count } from "../core/index.ts";
import { contentsOf, type Files } from "../explain/index.ts";
import type { EntryPart, Input, Wanted } from "./entry.ts";
import { FluxCluster, isFluxDirectory } from "./flux/cluster.ts";
import { ownSettings } from "./fold-settings.ts";
import { sorted } from "./input.ts";
import { buildKustomization, isKustomization, type KustomizeBuild } from "./kustomize/build.ts";
import { nothingAdded } from "./kustomize/overlay.ts";
import { type Parts, withRenders } from "./local-renders.ts";
import { packageName } from "./kptfile.ts";
import { kustomizationsIn, manifestParts } from "./manifests.ts";
import { UsageError } from "./usage-error.ts";
import type { Workspace } from "./workspace.ts";

type Found = Parts & { readonly origins?: Files };

/** A directory that is one build. It is built when it is first asked for, and no more of it than it takes. */
export class Directory {
  private readonly path: string;
  private readonly workspace: Workspace;
  private opened: Promise<KustomizeBuild | FluxCluster | undefined> | undefined;

  constructor(path: string, workspace: Workspace) {
    this.path = path;
    this.workspace = workspace;
  }

  async read(wanted?: Wanted): Promise<Input> {
    const { from, enableExec } = this.workspace;
    const settings = ownSettings(this.path, from);
    const found = await this.found(wanted);
    const all = await withRenders(found.parts, this.workspace);
    const unbuilt = [...settings.unbuilt, ...found.unbuilt, ...all.unbuilt];
    return {
      ...sorted(all.parts),
      ...(found.origins && { sources: found.origins }),
      ...(settings.own && { own: { ...settings.own, mayOpen: enableExec } }),
      unbuilt,
      rendered: all.rendered,
    };
  }

  async parts(): Promise<readonly EntryPart[]> {
    const build = await this.open();
    return build instanceof FluxCluster ? build.parts() : [];
  }

  private async found(wanted: Wanted | undefined): Promise<Found> {
    const build = await this.open();
    if (build === undefined) return manifestsIn(this.path, this.workspace.from);
    if (build instanceof FluxCluster) {
      const { streams, unbuilt, origins } = await build.read(wanted);
      return { parts: streams.map((bytes) => ({ bytes })), unbuilt, origins };
    }
    return { parts: [{ bytes: build.bytes }], unbuilt: build.unbuilt, origins: build.origins };
  }

  private open(): Promise<KustomizeBuild | FluxCluster | undefined> {
    this.opened ??= opened(this.path, this.workspace);
    return this.opened;
  }
}

async function opened(path: string, workspace: Workspace): Promise<KustomizeBuild | FluxCluster | undefined> {
  const isFlux = isFluxDirectory(path);
  if (!isFlux && !isKustomization(path)) return undefined;
  const build = await buildKustomization(path, isFlux ? { ...workspace, overlay: nothingAdded } : workspace);
  return FluxCluster.open(path, build, workspace);
}

function manifestsIn(directory: string, from: string): Found {
  const shown = relative(from, directory) || ".";
  const builds = existsSync(join(directory, packageName)) ? [] : kustomizationsIn(directory);
  // What is in several builds would be one invented list.
  if (builds.length > 0)
    throw new UsageError(
      `\`${shown}\` is no build: it has ${count(builds.length, "kustomization")} in it`,
      `name one of them: ${relative(from, builds[0] ?? "")}`,
    );
  const found = manifestParts(directory, from);
  if (found.parts.length === 0)
    throw new UsageError(
      `\`${shown}\` has neither a kustomization nor manifests`,
      "name the directory that is built, or files",
    );
  const values = found.parts.filter(({ bytes }) => contentsOf(bytes) === "values");
  const [first, second] = values;
  if (first !== undefined && second !== undefined && values.length === found.parts.length)
    throw new UsageError(
      `\`${shown}\` is no stack: it has ${count(values.length, "values file")} in it`,
      `name them, the lowest first: ${first.name ?? ""},${second.name ?? ""}`,
    );
  return found;
}
