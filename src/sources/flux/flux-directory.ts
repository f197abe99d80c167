// Which directories Flux builds as they are.
import { join } from "node:path";
import type { Item } from "../../krm/index.ts";
import { existsSync, ifReadable, readFile, realPathOf } from "../disk.ts";
import { itemsIn } from "../items.ts";
import { kustomizationFile } from "../kustomize/tree.ts";
import { isWhole } from "../locator.ts";
import { allFoldersIn, foldersIn, yamlIn } from "../manifest-index.ts";
import { type FluxPath, fluxPath, isFluxKustomization, mayBeFollowed } from "./kustomization.ts";
import { isResourceSet } from "./resource-sets.ts";
import { mayBuild } from "./sources.ts";

/**
 * True for a directory without a kustomization that Flux builds: one with a Kustomization of Flux or a ResourceSet in a file of
 * its own, or below it the Kustomization or the instance that builds the directory.
 */
export function isFluxDirectory(directory: string): boolean {
  if (kustomizationFile(directory) !== undefined) return false;
  const isFollowed = (item: Item): boolean => isFluxKustomization(item) || isResourceSet(item);
  if (yamlIn(directory).some((file) => followedIn(file).some(isFollowed))) return true;
  const real = realPathOf(directory);
  const folders = foldersIn(directory);
  if (syncsIn(folders).some((sync) => mayBuild(sync, real))) return true;
  // An instance may be in any folder of what it builds; what all of a repository has is known by its entries.
  const below = existsSync(join(directory, ".git")) ? [] : folders.flatMap(allFoldersIn);
  return syncsIn(below).some((sync) => !isWhole(sync.path) && mayBuild(sync, real));
}

function syncsIn(folders: readonly string[]): readonly FluxPath[] {
  return folders
    .flatMap(yamlIn)
    .flatMap((file) => (ifReadable(() => followedIn(file)) ?? []).filter(isFluxKustomization))
    .flatMap((item) => fluxPath(item) ?? []);
}

function followedIn(file: string): readonly Item[] {
  const bytes = readFile(file);
  return mayBeFollowed(bytes) ? itemsIn(bytes) : [];
}
