// What the build of a directory reads, with the Kustomizations of Flux that it holds: for `diff`, which reads only what changed.
import { dirname, resolve } from "node:path";
import { isArgoObject } from "./argo/application.ts";
import { isFile, readFile } from "./disk.ts";
import { remotesOf } from "./flux/cluster.ts";
import { fluxPath, type FluxPath, isFluxKustomization } from "./flux/kustomization.ts";
import { directoryAt, FluxSources } from "./flux/sources.ts";
import type { CheckoutObjects } from "./found-objects.ts";
import { textsIn } from "./kustomize/copy.ts";
import { functionsIn, type KustomizationTree } from "./kustomize/tree.ts";

/** All that the builds of one entry read. */
export interface Closure {
  readonly directories: ReadonlySet<string>;
  readonly files: ReadonlySet<string>;
  /** False where a patch may give a Kustomization of Flux another path. */
  readonly isExact: boolean;
}

/** The directories that a build of one reads, and what Kustomizations of Flux in them build. */
export function closureOf(start: string, top: string, objects: CheckoutObjects): Closure {
  const sources = new FluxSources(remotesOf(top));
  const directories = new Set<string>();
  const files = new Set<string>();
  const paths: FluxPath[] = [];
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
        if (path !== undefined && !path.isElsewhere) paths.push(path);
        isExact &&= !(path?.patches ?? []).some(mayRedirect);
        if (path !== undefined && directoryAt(top, path.path) === start) sources.addOwn(path);
      }
    }
  };
  add(start);
  // Following one finds more.
  for (let next = 0; next < paths.length; next++) {
    const { source, path, components } = paths[next] as FluxPath;
    const found = sources.find(source);
    const below = "why" in found ? [] : [path, ...components.map((each) => `${path}/${each}`)];
    for (const each of below) {
      const directory = "why" in found ? undefined : directoryAt(top, `${found.path}/${each}`);
      if (directory !== undefined) add(directory);
    }
  }
  return { directories, files, isExact };
}

/** Whether a file or a directory, as a real path, may be read. */
export function reading({ directories, files, isExact }: Closure): (path: string) => boolean {
  return (path) => !isExact || files.has(path) || directories.has(dirname(path));
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
