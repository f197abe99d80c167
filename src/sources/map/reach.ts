// All builds that one build leads to, by the Kustomizations of Flux that it holds, and the files that they read.
import { mayNameForChart } from "../build-content.ts";
import { FluxSources } from "../flux/sources.ts";
import { mayBeRead } from "../flux/unfollowed.ts";
import type { FluxPath } from "../flux/kustomization.ts";
import { isWhole, type Locator, rooted } from "../locator.ts";
import type { CheckoutObjects, PlacedPath } from "./objects.ts";
import type { OwnBuild, OwnBuilds } from "./own-build.ts";

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
  /** Directories with the variables that are replaced in them. */
  private readonly seen = new Set<string>();
  private readonly open: PlacedPath[] = [];
  private readonly synced = new Set<FluxPath>();

  constructor(locator: Locator, objects: CheckoutObjects, own: OwnBuilds) {
    this.locator = locator;
    this.objects = objects;
    this.own = own;
    this.sources = new FluxSources(locator);
  }

  next(): PlacedPath | undefined {
    const known = this.open.findIndex(({ path }) => this.sources.isKnown(path.source));
    return this.open.splice(Math.max(known, 0), 1)[0];
  }

  /** @param substitute variables of the Kustomization that builds it */
  add(directory: string, substitute: FluxPath["substitute"] = new Map()): void {
    const id = JSON.stringify([directory, ...substitute]);
    if (this.seen.has(id)) return;
    this.seen.add(id);
    const build = this.own.at(directory);
    this.builds.set(directory, build);
    for (const { item, file } of build.items) this.sources.add(item, file);
    let variables = substitute;
    for (const { path, file } of build.kustomizations) {
      const synced = this.sources.addOwn(path, file);
      if (synced !== undefined) this.synced.add(path);
      if (synced === directory) variables = path.substitute;
    }
    for (const { path, file } of build.kustomizations)
      this.open.push({ path: filledPath(path, variables), file });
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

  private guess(top: string, path: string, { substitute }: FluxPath): void {
    this.isGuessed = true;
    for (const each of foldersAt(top, path, this.objects)) this.add(each, substitute);
  }
}

/** With inline variables of what builds it. */
function filledPath(path: FluxPath, variables: FluxPath["substitute"]): FluxPath {
  if (variables.size === 0) return path;
  const filled = (text: string): string =>
    text.replaceAll(/\$\{(\w+)\}/g, (whole, name: string) => variables.get(name) ?? whole);
  return { ...path, path: filled(path.path), components: path.components.map(filled) };
}

/** A variable that is left may be the name of any folder, or a part of one. */
function foldersAt(top: string, path: string, { index }: CheckoutObjects): readonly string[] {
  const parts = rooted(path.replaceAll(/\$\{[^{}]*\}/g, variable))
    .replace(/\/$/, "")
    .split("/");
  const mayBe = (name: string, part: string | undefined): boolean => {
    const [first = "", ...rest] = part?.split(variable) ?? [];
    const last = rest.at(-1);
    return last === undefined ? name === first : name.startsWith(first) && name.endsWith(last);
  };
  return index.foldersBelow(top).filter((each) => {
    const names = each.slice(top.length).split("/");
    return names.length === parts.length && names.every((name, depth) => mayBe(name, parts[depth]));
  });
}

function hasVariable(path: string): boolean {
  return path.includes("${");
}

const variable = "\0";

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
