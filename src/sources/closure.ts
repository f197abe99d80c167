// What the build of a directory reads, with the Kustomizations of Flux that it holds: for `diff`, which reads only what changed.
import { dirname, resolve } from "node:path";
import { isArgoObject } from "./argo/application.ts";
import { isFile, readFile } from "./disk.ts";
import { fluxPath, type FluxPath, isFluxKustomization } from "./flux/kustomization.ts";
import { FluxSources } from "./flux/sources.ts";
import { mayBeRead } from "./flux/unfollowed.ts";
import type { CheckoutObjects } from "./found-objects.ts";
import type { Repository } from "./repository.ts";
import { textsIn } from "./kustomize/copy.ts";
import { functionsIn, type KustomizationTree } from "./kustomize/tree.ts";

/** All that the builds of one entry read. */
export interface Closure {
  readonly directories: ReadonlySet<string>;
  readonly files: ReadonlySet<string>;
  /** True for a file that what is not followed may read. */
  readonly unfollowed: readonly ((file: string) => boolean)[];
  /** False where a patch may give a Kustomization of Flux another path. */
  readonly isExact: boolean;
}

/** A Kustomization of Flux, and the file that has it. */
interface PlacedPath {
  readonly path: FluxPath;
  readonly file: string;
}

/** The directories that a build of one reads, and what Kustomizations of Flux in them build. */
export function closureOf(start: string, { top, remotes }: Repository, objects: CheckoutObjects): Closure {
  const sources = new FluxSources(top, remotes);
  const directories = new Set<string>();
  const files = new Set<string>();
  const paths: PlacedPath[] = [];
  const unfollowed: ((file: string) => boolean)[] = [];
  let isExact = true;
  const add = (directory: string): void => {
    const own = objects.index.filesOf(directory);
    isExact &&= own.tree === undefined || !patchesOf(own.tree).some(mayRedirect);
    // A program may read any file, whether it is run here or not.
    isExact &&= own.tree === undefined || functionsIn(own.tree).every(({ isFold }) => isFold);
    for (const each of own.directories) directories.add(each);
    for (const file of own.files.filter((each) => !files.has(each))) {
      files.add(file);
      for (const item of objects.in(file)) {
        // Which files an Application reads is not known before it is read.
        isExact &&= !isArgoObject(item);
        sources.add(item);
        const path = isFluxKustomization(item) ? fluxPath(item) : undefined;
        if (path !== undefined) paths.push({ path, file });
        isExact &&= !(path?.patches ?? []).some(mayRedirect) && path?.path.includes("${") !== true;
      }
      for (const item of objects.in(file).filter(isFluxKustomization)) {
        const path = fluxPath(item);
        if (path !== undefined) sources.addOwn(path, file);
      }
    }
  };
  add(start);
  // Following one finds more, and perhaps the source that another one has.
  while (paths.length > 0) {
    const known = paths.findIndex(({ path }) => sources.isKnown(path.source));
    const { path, file } = paths.splice(Math.max(known, 0), 1)[0] as PlacedPath;
    for (const each of [path.path, ...path.components.map((own) => `${path.path}/${own}`)]) {
      const found = sources.directoryOf(path, each, file);
      const isFollowed = "directory" in found && !path.isElsewhere;
      if (isFollowed) add(found.directory);
      else unfollowed.push(mayBeRead(each, { top, index: objects.index }));
    }
  }
  return { directories, files, unfollowed, isExact };
}

/** Whether a file or a directory, as a real path, may be read. */
export function reading({ directories, files, unfollowed, isExact }: Closure): (path: string) => boolean {
  return (path) =>
    !isExact || files.has(path) || directories.has(dirname(path)) || unfollowed.some((may) => may(path));
}

/** True for a patch that may change what a Kustomization of Flux builds. */
function mayRedirect(patch: string): boolean {
  return /kind["']?:\s*["']?Kustomization/.test(patch) && /path|components|sourceRef/.test(patch);
}

/** The texts of patches, with their targets. */
function patchesOf({ all }: KustomizationTree): readonly string[] {
  const fields = ["patches", "patchesStrategicMerge", "patchesJson6902"];
  return all.flatMap(({ directory, fields: own }) =>
    fields.flatMap((field): string[] => {
      const entries: unknown = own[field];
      if (!Array.isArray(entries)) return [];
      const files = textsIn(entries)
        .map((text) => resolve(directory, text))
        .filter(isFile);
      return [JSON.stringify(entries), ...files.map((file) => Buffer.from(readFile(file)).toString("utf8"))];
    }),
  );
}
