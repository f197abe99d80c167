// The entries of a checkout: what is built by itself, found by reading the manifests once. Kustomizations of Flux that no
// other one builds, Applications of Argo CD that no other one deploys, and kustomizations that nothing names.
import { existsSync, realpathSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { isNode, type Item } from "../krm/index.ts";
import { isArgoObject } from "./argo/application.ts";
import { BuildContent } from "./build-content.ts";
import { type Closure, closureOf, reading } from "./closure.ts";
import { isDirectory } from "./disk.ts";
import type { EntryKind } from "./entry.ts";
import { isFluxDirectory } from "./flux/cluster.ts";
import { directoryAt } from "./flux/sources.ts";
import { CheckoutObjects } from "./found-objects.ts";
import { filesOfFleet, fleetFile } from "./helm/fleet.ts";
import { mayHaveTarget } from "./helm/values-beside.ts";
import { packageName } from "./kptfile.ts";
import { repositoryOf } from "./kustomize/build.ts";
import { kustomizationFile } from "./kustomize/tree.ts";
import { yamlIn } from "./manifest-index.ts";
import { Scan } from "./scan.ts";

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
  /** Why it cannot be read. */
  readonly fault?: string;
}

/** The entries in a directory that is no build itself. */
export function entriesBelow(directory: string, progress?: (line: string) => void): readonly FoundEntry[] {
  if (!isDirectory(directory) || isBuild(directory)) return [];
  return new Checkout(directory).entries(quietly(progress));
}

const quietMs = 2000;

/** Shows a line now and then, once the work takes long. */
function quietly(progress: ((line: string) => void) | undefined): ((line: string) => void) | undefined {
  let shown = performance.now() + quietMs;
  return (
    progress &&
    ((line) => {
      if (performance.now() < shown) return;
      shown = performance.now() + quietMs / 10;
      progress(line);
    })
  );
}

/** What a directory reads that is a build itself: true for all files where that is not known. */
export function readsOf(directory: string): FoundEntry["reads"] {
  if (existsSync(join(directory, packageName)) || !isBuild(directory)) return () => true;
  return new Checkout(directory).readsOf(directory);
}

function isBuild(directory: string): boolean {
  return (
    kustomizationFile(directory) !== undefined ||
    existsSync(join(directory, packageName)) ||
    isFluxDirectory(directory) ||
    fleetFile(directory) !== undefined
  );
}

class Checkout {
  private readonly directory: string;
  private readonly top: string;
  private readonly objects = new CheckoutObjects();
  private readonly index = this.objects.index;

  constructor(directory: string) {
    this.directory = directory;
    this.top = repositoryOf(directory) ?? directory;
  }

  readsOf(directory: string): FoundEntry["reads"] {
    return reading(this.closureOf(directory));
  }

  entries(progress?: (line: string) => void): readonly FoundEntry[] {
    const scan = new Scan(this.directory, this.objects, progress);
    const { kustomizations } = scan;
    const closures = new Map(scan.flux.map((each) => [each, this.closureOf(each)] as const));
    const roots = [...closures].filter(([own]) => !this.isInOther(own, closures));
    const named = new Set([
      ...kustomizations.flatMap((each) => this.namedBy(each)),
      ...roots.flatMap(([, { directories }]) => [...directories]),
      ...this.deployed(scan),
    ]);
    const isRoot = (directory: string): boolean => roots.some(([each]) => each === directory);
    const builds = kustomizations.filter(
      (each) => !named.has(each) && !this.isComponent(each) && !isRoot(each),
    );
    return [
      ...roots.map(([each, closure]) => this.entry(each, "Flux", reading(closure))),
      ...this.argoEntries(scan, named),
      ...scan.fleets.map((each) => this.fleetEntry(each)),
      ...scan.charts.filter((each) => !named.has(realpathSync(each))).map((each) => this.chartEntry(each)),
      ...builds.map((each) => this.buildEntry(each)),
      ...scan.unreadable.map(({ directory, fault }) => ({
        ...this.entry(directory, "unreadable", () => true),
        fault,
      })),
    ];
  }

  private entry(directory: string, kind: EntryKind, reads: FoundEntry["reads"]): FoundEntry {
    return { name: relative(this.directory, directory) || ".", kind, reads };
  }

  private closureOf(directory: string): Closure {
    return closureOf(directory, this.top, this.objects);
  }

  /** True for a directory with Kustomizations of Flux that one of another directory builds. */
  private isInOther(own: string, closures: ReadonlyMap<string, Closure>): boolean {
    const files = yamlIn(own).filter((file) => this.objects.hasKustomization(file));
    return [...closures].some(
      ([each, closure]) => each !== own && files.some((file) => closure.files.has(file)),
    );
  }

  /** Directories with Applications that no kustomization builds, and no other Application deploys. */
  private argoEntries({ argo, kustomizations }: Scan, named: ReadonlySet<string>): readonly FoundEntry[] {
    const built = new Set(kustomizations.flatMap((each) => this.index.filesOf(each).files));
    return [...argo].flatMap(([directory, all]): FoundEntry[] => {
      const files = all.filter((file) => !built.has(realpathSync(file)));
      if (files.length === 0 || named.has(directory)) return [];
      return [{ ...this.entry(directory, "Argo CD", () => true), files }];
    });
  }

  /** The directories of this repository that Applications deploy, as far as no template says which. */
  private deployed({ argo }: Scan): readonly string[] {
    const paths = [...argo.values()].flat().flatMap((file) => this.objects.in(file).flatMap(pathsOf));
    return paths.flatMap(({ path, isDeep }) => {
      const found = directoryAt(this.top, path);
      if (found === undefined) return [];
      const directory = realpathSync(found);
      return [
        directory,
        ...(isDeep ? [...argo.keys()].filter((each) => each.startsWith(`${directory}/`)) : []),
      ];
    });
  }

  private chartEntry(directory: string): FoundEntry {
    const start = `${realpathSync(directory)}/`;
    return {
      ...this.entry(directory, "chart", (path) => path.startsWith(start)),
      mayMake: (name) => mayHaveTarget(directory, name),
    };
  }

  private fleetEntry(file: string): FoundEntry {
    const directory = dirname(file);
    const files = new Set(filesOfFleet(file).map((each) => resolve(each)));
    const start = `${realpathSync(directory)}/`;
    return this.entry(directory, "Fleet", (path) => files.has(path) || path.startsWith(start));
  }

  private buildEntry(directory: string): FoundEntry {
    const { files } = this.index.filesOf(directory);
    const hasArgo = files.some((file) => this.objects.in(file).some(isArgoObject));
    const reads = reading(this.closureOf(directory));
    if (hasArgo) return this.entry(directory, "Argo CD", reads);
    return { ...this.entry(directory, "kustomization", reads), mayMake: this.makingIn(directory) };
  }

  private makingIn(directory: string): (name: string) => boolean {
    let content: BuildContent | undefined;
    return (name) => {
      content ??= new BuildContent(this.index.filesOf(directory), this.index);
      return content.hasKustomizations || content.mayMake(name);
    };
  }

  private namedBy(directory: string): readonly string[] {
    const { top } = this.index.treeOf(directory);
    return top === undefined ? [] : [...top.others.values()].map((each) => each.directory);
  }

  private isComponent(directory: string): boolean {
    return this.index.treeOf(directory).top?.fields["kind"] === "Component";
  }
}

/** The path of an Application's source, and whether what is below it is deployed, too. */
interface SourcePath {
  readonly path: string;
  readonly isDeep: boolean;
}

function pathsOf(item: Item): readonly SourcePath[] {
  const root = item.kind === "Application" ? item.read() : undefined;
  const spec = root !== undefined && isNode(root) ? root.get("spec") : undefined;
  if (spec === undefined) return [];
  const single = spec.get("source");
  return [...(single === undefined ? [] : [single]), ...spec.list("sources")].flatMap((each) => {
    const path = each.textAt("path");
    const directory = each.get("directory");
    const isFiltered = directory?.get("include") !== undefined || directory?.get("exclude") !== undefined;
    const isDeep = directory?.textAt("recurse") === "true" && !isFiltered;
    return path === undefined ? [] : [{ path, isDeep }];
  });
}
