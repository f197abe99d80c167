// Which directories Flux builds as they are.
import { dirname, join } from "node:path";
import type { Item } from "../../krm/index.ts";
import { existsSync, filesBelow, ifReadable, readFile, realPathOf } from "../disk.ts";
import { itemsIn } from "../items.ts";
import { nothingAdded, type Overlay } from "../kustomize/overlay.ts";
import { kustomizationFile, manifestsBelow } from "../kustomize/tree.ts";
import { isWhole, type LocatedWorkspace, type Locator, locatorAround } from "../locator.ts";
import { allFoldersIn, foldersIn, yamlIn } from "../manifest-index.ts";
import {
  type FluxPath,
  fluxPath,
  isFluxKustomization,
  mayBeFollowed,
  mayHaveInstance,
  syncInValues,
} from "./kustomization.ts";
import { remembered } from "../../remembered.ts";
import { repositoryOf } from "../repository.ts";
import type { Workspace } from "../workspace.ts";
import { isResourceSet } from "./resource-sets.ts";
import { FluxSources, isSyncOf, mayBuild } from "./sources.ts";

const instances = new WeakMap<object, readonly FluxPath[]>();

type DirectoryWorkspace = LocatedWorkspace & Pick<Workspace, "cacheKey">;

/**
 * True for a directory without a kustomization that Flux builds: one with a Kustomization of Flux or a ResourceSet in a file of
 * its own, or the Kustomization or the instance that builds the directory is in its repository.
 */
export function isFluxDirectory(directory: string, around: DirectoryWorkspace): boolean {
  if (kustomizationFile(directory) !== undefined) return false;
  const isFollowed = (item: Item): boolean => isFluxKustomization(item) || isResourceSet(item);
  return yamlIn(directory).some((file) => followedIn(file).some(isFollowed)) || isSynced(directory, around);
}

/** True if what builds the directory is in its repository. */
function isSynced(directory: string, { cacheKey = {}, ...around }: DirectoryWorkspace): boolean {
  const real = realPathOf(directory);
  const top = around.top ?? repositoryOf(real);
  const folders = foldersIn(directory);
  const near = syncsIn(folders.flatMap(yamlIn));
  if (near.some((sync) => mayBuild(sync, real))) return true;
  // What all of a repository has is known by its entries.
  if (existsSync(join(directory, ".git")) || real === top) return false;
  const below = syncsIn(folders.flatMap(allFoldersIn).flatMap(yamlIn));
  const isBuiltBy = (sync: FluxPath): boolean => !isWhole(sync.path) && mayBuild(sync, real);
  if (below.some(isBuiltBy)) return true;
  // An instance may be anywhere in the repository. It builds a directory that leads to others.
  if (top === undefined || near.length + below.length === 0) return false;
  const locator = locatorAround(directory, around);
  const found = remembered(instances, cacheKey, () => instancesBelow(top, locator));
  return found.some(isBuiltBy);
}

/**
 * What there is to build in a directory that nothing is known to build. What its own Kustomizations build of it would be there twice.
 */
export function builtAlone(directory: string, around: DirectoryWorkspace): Overlay {
  const built = foldersBuiltIn(directory, around);
  const isBuilt = (path: string): boolean =>
    path !== "." && (built.has(realPathOf(join(directory, path))) || isBuilt(dirname(path)));
  const all = built.size === 0 ? [] : manifestsBelow(directory);
  const resources = all.filter((each) => !isBuilt(each));
  const isAll = resources.length === all.length || isSynced(directory, around);
  return isAll ? nothingAdded : { ...nothingAdded, fields: { resources } };
}

/** Real paths of the folders that Kustomizations in its own files build. */
function foldersBuiltIn(directory: string, around: DirectoryWorkspace): ReadonlySet<string> {
  const files = yamlIn(directory);
  if (!files.some((file) => followedIn(file).length > 0)) return new Set();
  // A source may be in a file of its own.
  const items = files.flatMap((file) =>
    (ifReadable(() => itemsIn(readFile(file))) ?? []).map((item) => ({ item, file: realPathOf(file) })),
  );
  const sources = new FluxSources(locatorAround(directory, around));
  for (const { item, file } of items) sources.add(item, file);
  const found = items.flatMap(({ item, file }) => {
    const sync = isFluxKustomization(item) ? fluxPath(item) : undefined;
    if (sync === undefined || sync.isElsewhere || isWhole(sync.path)) return [];
    const located = sources.directoryOf(sync, sync.path, file);
    return "directory" in located ? realPathOf(located.directory) : [];
  });
  return new Set(found);
}

function syncsIn(files: readonly string[]): readonly FluxPath[] {
  return files
    .flatMap((file) => (ifReadable(() => followedIn(file)) ?? []).filter(isFluxKustomization))
    .flatMap((item) => fluxPath(item) ?? []);
}

function instancesBelow(top: string, locator: Locator): readonly FluxPath[] {
  const all = filesBelow(top, ({ name }) => !name.startsWith(".") && name !== "node_modules");
  return all
    .filter((file) => /\.ya?ml$/.test(file))
    .flatMap((file) => ifReadable(() => instancesIn(file, locator)) ?? [])
    .filter(({ url }) => url !== undefined);
}

function instancesIn(file: string, locator: Locator): readonly FluxPath[] {
  const bytes = readFile(file);
  const sync = syncInValues(bytes);
  if (sync !== undefined) return isSyncOf(sync, file, locator) ? [sync] : [];
  return mayHaveInstance(bytes)
    ? itemsIn(bytes).flatMap((item) => (isFluxKustomization(item) && fluxPath(item)) || [])
    : [];
}

function followedIn(file: string): readonly Item[] {
  const bytes = readFile(file);
  return mayBeFollowed(bytes) ? itemsIn(bytes) : [];
}
