// All builds that one build leads to, by the Kustomizations of Flux that it holds, and the files that they read.
import { mayNameForChart } from "../build-content.ts";
import { FluxSources } from "../flux/sources.ts";
import { mayBeRead } from "../flux/unfollowed.ts";
import type { FluxPath } from "../flux/kustomization.ts";
import { isWhole, type Locator } from "../locator.ts";
import type { CheckoutObjects, PlacedPath } from "./objects.ts";
import type { OwnBuild, OwnBuilds } from "./own-build.ts";

export interface Reach {
  /** By their directories. */
  readonly builds: ReadonlyMap<string, OwnBuild>;
  /** True for a file that what is not followed may read. */
  readonly unfollowed: readonly ReadsFile[];
  /** True if something may build any directory of this repository. */
  readonly mayHaveAll: boolean;
}

type ReadsFile = (file: string) => boolean;

/** @param own what each directory is built of */
export function reachOf(start: string, locator: Locator, objects: CheckoutObjects, own: OwnBuilds): Reach {
  const sources = new FluxSources(locator);
  const builds = new Map<string, OwnBuild>();
  const open: PlacedPath[] = [];
  const synced = new Set<FluxPath>();
  const unfollowed: ReadsFile[] = [];
  let mayHaveAll = false;
  const add = (directory: string): void => {
    if (builds.has(directory)) return;
    const build = own.at(directory);
    builds.set(directory, build);
    for (const { item, file } of build.items) sources.add(item, file);
    for (const { path, file } of build.kustomizations)
      if (sources.addOwn(path, file) !== undefined) synced.add(path);
    open.push(...build.kustomizations);
  };
  add(start);
  // Following one finds more, and perhaps the source that another one has.
  while (open.length > 0) {
    const known = open.findIndex(({ path }) => sources.isKnown(path.source));
    const { path, file } = open.splice(Math.max(known, 0), 1)[0] as PlacedPath;
    for (const each of [path.path, ...path.components.map((component) => `${path.path}/${component}`)]) {
      const found = sources.directoryOf(path, each, file);
      // All of the repository may be what a patch replaces: nothing is known to be built.
      const isAny = isWhole(each) && !synced.has(path);
      if (isAny) mayHaveAll ||= !("isOther" in found);
      else if ("directory" in found && !path.isElsewhere) add(found.directory);
      else unfollowed.push(mayBeRead(each, { top: locator.top, index: objects.index }));
    }
  }
  return { builds, unfollowed, mayHaveAll };
}

/** Whether a file, as a real path, may be read. */
export function reading({ builds, unfollowed, mayHaveAll }: Reach): (path: string) => boolean {
  const all = [...builds.values()];
  const isExact = all.every((each) => each.isExact);
  const reads = [...new Set(all.flatMap(({ files }) => files.reads))];
  const naming = new Set(all.flatMap((each) => each.naming));
  return (path) =>
    !isExact ||
    mayHaveAll ||
    reads.some((each) => each.isTouchedBy(path)) ||
    unfollowed.some((may) => may(path)) ||
    [...naming].some((text) => mayNameForChart(text, path));
}
