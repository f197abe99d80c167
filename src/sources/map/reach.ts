// All builds that one build leads to, by the Kustomizations of Flux that it holds, and the files that they read.
import { mayNameForChart } from "../build-content.ts";
import { FluxSources } from "../flux/sources.ts";
import { mayBeRead } from "../flux/unfollowed.ts";
import type { FluxPath } from "../flux/kustomization.ts";
import { isWhole, type Locator } from "../locator.ts";
import type { CheckoutObjects, PlacedPath } from "./objects.ts";
import type { OwnBuild, OwnBuilds } from "./own-build.ts";
import { remembered } from "../../remembered.ts";

export interface Reach {
  /** By their directories. */
  readonly builds: ReadonlyMap<string, OwnBuild>;
  /** True for a file that what is not followed may read. */
  readonly unfollowed: readonly ReadsFile[];
  /** True if something may build any directory of this repository. */
  readonly mayHaveAll: boolean;
  /** True for one of which a directory is not known before it is built: each is there that it may be. */
  readonly isGuessed: boolean;
}

type ReadsFile = (file: string) => boolean;

/** @param own what each directory is built of */
export function reachOf(start: string, locator: Locator, objects: CheckoutObjects, own: OwnBuilds): Reach {
  const found = new FoundReach(locator, objects, own);
  found.add(start);
  // Following one finds more, and perhaps the source that another one has.
  for (let next = found.next(); next !== undefined; next = found.next()) found.follow(next);
  return found;
}

class FoundReach implements Reach {
  readonly builds = new Map<string, OwnBuild>();
  readonly unfollowed: ReadsFile[] = [];
  mayHaveAll = false;
  isGuessed = false;
  private readonly locator: Locator;
  private readonly objects: CheckoutObjects;
  private readonly own: OwnBuilds;
  private readonly sources: FluxSources;
  /** Directories, by the variables that are replaced in them. */
  private readonly seen = new Map<FluxPath["substitute"], Set<string>>();
  private open: PlacedPath[] = [];
  /** Those of which the source is not known so far. */
  private unknown: PlacedPath[] = [];
  /** True if one of these may be known now. */
  private hasNews = false;
  private readonly synced = new Set<FluxPath>();
  /** How many paths were filled once more, with other variables. */
  private refilled = 0;

  constructor(locator: Locator, objects: CheckoutObjects, own: OwnBuilds) {
    this.locator = locator;
    this.objects = objects;
    this.own = own;
    this.sources = new FluxSources(locator);
  }

  /** One of which the source is known, if there is one: what is built next may have those of the others. */
  next(): PlacedPath | undefined {
    if (this.open.length === 0 && this.hasNews) {
      this.hasNews = false;
      this.open = this.unknown.filter(({ path }) => this.sources.isKnown(path.source));
      this.unknown = this.unknown.filter(({ path }) => !this.sources.isKnown(path.source));
    }
    for (let next = this.open.shift(); next !== undefined; next = this.open.shift())
      if (this.sources.isKnown(next.path.source)) return next;
      else this.unknown.push(next);
    return this.unknown.shift();
  }

  /** @param substitute variables of the Kustomization that builds it */
  add(directory: string, substitute: FluxPath["substitute"] = none): void {
    const seen = remembered(this.seen, substitute.size === 0 ? none : substitute, () => new Set());
    if (seen.has(directory)) return;
    seen.add(directory);
    const isFirst = !this.builds.has(directory);
    const build = this.own.at(directory);
    this.builds.set(directory, build);
    for (const { item, file } of isFirst ? build.items : []) this.sources.add(item, file);
    this.hasNews ||= isFirst && build.items.length > 0;
    let variables = substitute;
    for (const { path, file } of isFirst ? build.kustomizations : []) {
      const synced = this.sources.addOwn(path, file);
      if (synced !== undefined) this.synced.add(path);
      if (synced === directory) variables = path.substitute;
    }
    for (const { path, file } of build.kustomizations)
      if (isFirst || this.mayRefill(path)) this.open.push({ path: filledPath(path, variables), file });
  }

  /** Once more, with other variables. */
  private mayRefill({ path, components }: FluxPath): boolean {
    if (![path, ...components].some(hasVariable)) return false;
    this.mayHaveAll ||= ++this.refilled > mostRefilled;
    return this.refilled <= mostRefilled;
  }

  follow({ path, file }: PlacedPath): void {
    for (const each of [path.path, ...path.components.map((component) => `${path.path}/${component}`)]) {
      const found = hasVariable(each)
        ? this.sources.find(path.source, { path: each, file })
        : this.sources.directoryOf(path, each, file);
      // All of the repository may be what a patch replaces: nothing is known to be built.
      const isAny = isWhole(each) && !this.synced.has(path);
      if (isAny) this.mayHaveAll ||= !("isOther" in found);
      else if ("directory" in found && !path.isElsewhere) this.add(found.directory, path.substitute);
      else if ("top" in found && !path.isElsewhere) this.guess(found.top, each, path);
      else this.unfollowed.push(mayBeRead(each, { top: this.locator.top, index: this.objects.index }));
    }
  }

  /** A variable that is left may be the name of any folder. */
  private guess(top: string, path: string, { substitute }: FluxPath): void {
    this.isGuessed = true;
    const folders = path.length > longestPath ? undefined : this.objects.index.foldersLike(top, path);
    if (folders === undefined) this.mayHaveAll = true;
    for (const each of folders ?? []) this.add(each, substitute);
  }
}

/** With inline variables of what builds it. */
function filledPath(path: FluxPath, variables: FluxPath["substitute"]): FluxPath {
  if (variables.size === 0) return path;
  const filled = (text: string): string => {
    if (text.length > longestPath) return text;
    const made = text.replaceAll(/\$\{(\w+)\}/g, (whole, name: string) => {
      const value = variables.get(name);
      return value === undefined || value.length > longestPath ? whole : value;
    });
    return made.length > longestPath ? text : made;
  };
  return { ...path, path: filled(path.path), components: path.components.map(filled) };
}

function hasVariable(path: string): boolean {
  return path.includes("${");
}

const none: FluxPath["substitute"] = new Map();
/** No file system has longer ones. */
const longestPath = 4096;
/** With more, any directory may be built. */
const mostRefilled = 1000;

/** Whether a file, as a real path, may be read. */
export function reading({ builds, unfollowed, mayHaveAll, isGuessed }: Reach): (path: string) => boolean {
  const all = [...builds.values()];
  const isExact = !isGuessed && all.every((each) => each.isExact);
  const reads = [...new Set(all.flatMap(({ files }) => files.reads))];
  const naming = new Set(all.flatMap((each) => each.naming));
  return (path) =>
    !isExact ||
    mayHaveAll ||
    reads.some((each) => each.isTouchedBy(path)) ||
    unfollowed.some((may) => may(path)) ||
    [...naming].some((text) => mayNameForChart(text, path));
}
