// The entries of a checkout: what is built by itself, found by reading the manifests once. Kustomizations of Flux that no
// other one builds, Applications of Argo CD that no other one deploys, and kustomizations that nothing names.
import { dirname, join, relative, resolve } from "node:path";
import { grouped } from "../../grouped.ts";
import { isArgoObject } from "../argo/application.ts";
import { BuildContent } from "../build-content.ts";
import { Builds } from "./builds.ts";
import { reading } from "./reach.ts";
import { existsSync, isDirectory, realPathOf } from "../disk.ts";
import type { EntryKind } from "../entry.ts";
import { isFluxDirectory } from "../flux/flux-directory.ts";
import { CheckoutObjects } from "./objects.ts";
import { filesOfFleet, fleetFile, kustomizationsOf } from "../helm/fleet.ts";
import { valuesBeside } from "../helm/values-beside.ts";
import { packageName } from "../kptfile.ts";
import { kustomizationFile } from "../kustomize/tree.ts";
import { type LocatedWorkspace, type Locator, locatorAround } from "../locator.ts";
import { indexOf } from "../manifest-index.ts";
import { Scan } from "./scan.ts";
import { topmost, type Unfollowed } from "../unfollowed.ts";
import type { Workspace } from "../workspace.ts";

/** A directory that is built by itself. */
export interface FoundEntry {
  /** From the directory that was searched. */
  readonly name: string;
  readonly kind: EntryKind;
  /** True for a file or a directory, as a real path, that it may read. */
  readonly reads: (path: string) => boolean;
  /** Its files, where it is some of those in its directory. */
  readonly files?: readonly string[];
  /** False for the name of a target that it cannot have; absent where that is not known. */
  readonly mayMake?: (name: string) => boolean;
  /** True if nothing says that it is built: perhaps it cannot be. */
  readonly isGuess?: boolean;
  /** Why it cannot be read. */
  readonly fault?: string;
  /** What it is, if nothing here follows it. */
  readonly unfollowed?: Unfollowed;
}

/** The entries in a directory that is no build itself. */
export function entriesBelow(directory: string, options: CheckoutOptions = {}): readonly FoundEntry[] {
  if (!isDirectory(directory) || isBuild(directory, options)) return [];
  return new Checkout(directory, options).entries(options.progress);
}

export type CheckoutOptions = LocatedWorkspace & Pick<Workspace, "progress" | "isIgnored" | "cacheKey">;

/** What a directory reads that is a build itself: true for all files where that is not known. */
export function readsOf(directory: string, options: CheckoutOptions): FoundEntry["reads"] {
  if (existsSync(join(directory, packageName)) || !isBuild(directory, options)) return () => true;
  return new Checkout(directory, options).readsOf(directory);
}

function isBuild(directory: string, options: CheckoutOptions): boolean {
  return (
    kustomizationFile(directory) !== undefined ||
    existsSync(join(directory, packageName)) ||
    isFluxDirectory(directory, options) ||
    fleetFile(directory) !== undefined
  );
}

class Checkout {
  private readonly directory: string;
  private readonly options: CheckoutOptions;
  private readonly locator: Locator;
  private readonly objects: CheckoutObjects;
  private readonly builds: Builds;

  constructor(directory: string, options: CheckoutOptions) {
    this.directory = realPathOf(directory);
    this.options = options;
    this.locator = locatorAround(directory, options);
    this.objects = new CheckoutObjects(indexOf(options));
    this.builds = new Builds(this.locator, this.objects);
  }

  readsOf(directory: string): FoundEntry["reads"] {
    return reading(this.builds.reachOf(realPathOf(directory)));
  }

  entries(progress?: (line: string) => void): readonly FoundEntry[] {
    const { builds } = this;
    const scan = new Scan(this.directory, this.objects, { progress, isIgnored: this.isIgnored() });
    const { flux, argo, kustomizations } = builds.rootsIn(scan);
    const bundled = new Set(scan.fleets.flatMap((each) => kustomizationsOf(each).directories));
    // The directory of a build is the name of that.
    const built = new Set([...flux, ...kustomizations]);
    const nameOf = (file: string): string => (built.has(dirname(file)) ? file : dirname(file));
    const isOther = flux.length + argo.length + scan.fleets.length > 0;
    const all: FoundEntry[] = [
      ...flux.map((each) => ({
        ...this.entry(each, "Flux", this.readsOf(each)),
        isGuess: !builds.isSynced(each),
      })),
      ...[...grouped(argo, nameOf)].map(([name, files]) => ({
        ...this.entry(name, "Argo CD", () => true),
        files,
      })),
      ...scan.fleets.map((each) => this.fleetEntry(each)),
      ...this.undeployed(scan).flatMap((each) => this.chartEntries(each)),
      ...kustomizations.map((each) => ({
        ...this.buildEntry(each),
        isGuess: isOther && !bundled.has(each),
      })),
      ...scan.unreadable.map(({ directory, fault }) => ({
        ...this.entry(directory, "unreadable", () => true),
        fault,
      })),
      ...topmost(scan.unfollowed).map((each) => this.unfollowedEntry(each, dirname(each.path))),
    ];
    const leftover = all.length === 0 ? [] : builds.unbuiltOf(scan.targets);
    return [
      ...all.filter(({ isGuess }) => isGuess !== true),
      ...all.filter(({ isGuess }) => isGuess === true),
      ...leftover.slice(0, 1).map((path) => this.leftoverEntry(path, leftover)),
    ];
  }

  private isIgnored(): (path: string) => boolean {
    const { top } = this.locator;
    const { isIgnored = () => false } = this.options;
    return (path) => isIgnored(relative(top, path));
  }

  /** The charts that no build has. */
  private undeployed({ charts, targets }: Scan): readonly string[] {
    const { index } = this.objects;
    const named = charts.some((each) => index.madeBy(each) !== undefined)
      ? targets.flatMap((file) => index.makersIn(file, this.locator.top))
      : [];
    const released = new Set(named.map((each) => realPathOf(each)));
    return charts.filter((each) => !this.builds.isDeployed(each) && !released.has(realPathOf(each)));
  }

  private leftoverEntry(path: string, files: readonly string[]): FoundEntry {
    const own = this.entry(path, "unreadable", (file) => files.includes(file));
    return { ...own, unfollowed: { kind: "manifests", path, files } };
  }

  private unfollowedEntry(unfollowed: Unfollowed, directory: string): FoundEntry {
    const reads = (file: string): boolean => file.startsWith(`${directory}/`);
    return { ...this.entry(unfollowed.path, "unreadable", reads), unfollowed };
  }

  private entry(directory: string, kind: EntryKind, reads: FoundEntry["reads"]): FoundEntry {
    return { name: relative(this.directory, directory) || ".", kind, reads };
  }

  /** What a chart makes has one name with each of its values files, and may read any file. */
  private chartEntries(directory: string): readonly FoundEntry[] {
    const start = `${realPathOf(directory)}/`;
    const files = valuesBeside(directory).map((each) => join(directory, each));
    if (this.objects.index.madeBy(directory) === undefined)
      return [this.entry(directory, "chart", (path) => path.startsWith(start))];
    // What is wrong without values is no fault of the checkout.
    if (files.length === 0 && directory !== this.directory)
      return [this.unfollowedEntry({ kind: "chart", path: directory }, directory)];
    if (files.length === 0) return [this.entry(directory, "chart", () => true)];
    return files.map((file) => this.entry(file, "chart", (path) => path === file || !files.includes(path)));
  }

  private fleetEntry(file: string): FoundEntry {
    const directory = dirname(file);
    const files = new Set(filesOfFleet(file).map((each) => resolve(each)));
    const start = `${realPathOf(directory)}/`;
    return this.entry(directory, "Fleet", (path) => files.has(path) || path.startsWith(start));
  }

  private buildEntry(directory: string): FoundEntry {
    const { files } = this.objects.index.filesOf(directory);
    const hasArgo = files.some((file) => this.objects.in(file).some(isArgoObject));
    const reads = this.readsOf(directory);
    if (hasArgo) return this.entry(directory, "Argo CD", reads);
    return { ...this.entry(directory, "kustomization", reads), mayMake: this.makingIn(directory) };
  }

  private makingIn(directory: string): (name: string) => boolean {
    let content: BuildContent | undefined;
    return (name) => {
      const { index } = this.objects;
      content ??= new BuildContent(index.filesOf(directory), index, this.locator.top);
      return content.hasKustomizations || content.mayMake(name);
    };
  }
}
