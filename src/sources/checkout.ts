// The entries of a checkout: what is built by itself, found by reading the manifests once. Kustomizations of Flux that no
// other one builds, Applications of Argo CD that no other one deploys, and kustomizations that nothing names.
import { existsSync, readdirSync, realpathSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { isNode, type Item } from "../krm/index.ts";
import { BuildContent } from "./build-content.ts";
import { isArgoObject, mayHaveArgo } from "./argo/application.ts";
import { isDirectory, isFile, pathFault, readFile } from "./disk.ts";
import type { EntryKind } from "./entry.ts";
import { isFluxDirectory, mayBeFollowed, remotesOf } from "./flux/cluster.ts";
import { fluxPath, type FluxPath, isFluxKustomization } from "./flux/kustomization.ts";
import { directoryAt, FluxSources } from "./flux/sources.ts";
import { filesOfFleet, fleetFile } from "./helm/fleet.ts";
import { mayHaveTarget, valuesBeside } from "./helm/values-beside.ts";
import { packageName } from "./kptfile.ts";
import { repositoryOf } from "./kustomize/build.ts";
import { textsIn } from "./kustomize/copy.ts";
import { functionsIn, kustomizationFile, type KustomizationTree } from "./kustomize/tree.ts";
import { ManifestIndex, yamlIn } from "./manifest-index.ts";

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
  return new Checkout(directory, quietly(progress)).entries();
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

/** All that the builds of one entry read. */
interface Closure {
  readonly directories: ReadonlySet<string>;
  readonly files: ReadonlySet<string>;
  /** False where a patch may give a Kustomization of Flux another path. */
  readonly isExact: boolean;
}

class Checkout {
  private readonly directory: string;
  private readonly top: string;
  private readonly index = new ManifestIndex();
  private readonly kustomizations: string[] = [];
  private readonly fluxDirectories: string[] = [];
  private readonly objects = new Map<string, readonly Item[]>();
  /** Files with objects of Argo CD, by their directories. */
  private readonly argo = new Map<string, readonly string[]>();
  private readonly fleets: string[] = [];
  /** Charts with values files beside them. */
  private readonly charts: string[] = [];
  private readonly unreadable: FoundEntry[] = [];
  private readonly progress: ((line: string) => void) | undefined;
  private count = 0;

  constructor(directory: string, progress?: (line: string) => void) {
    this.directory = directory;
    this.progress = progress;
    this.top = repositoryOf(directory) ?? directory;
  }

  readsOf(directory: string): FoundEntry["reads"] {
    return reading(this.closureOf(directory));
  }

  entries(): readonly FoundEntry[] {
    this.scan(this.directory);
    const closures = new Map(this.fluxDirectories.map((each) => [each, this.closureOf(each)] as const));
    const isInOther = (own: string): boolean =>
      [...closures].some(
        ([each, { files }]) =>
          each !== own && yamlIn(own).some((file) => files.has(file) && this.hasKustomization(file)),
      );
    const roots = this.fluxDirectories.filter((each) => !isInOther(each));
    const named = new Set(this.kustomizations.flatMap((each) => this.namedBy(each)));
    for (const root of roots) for (const each of closures.get(root)?.directories ?? []) named.add(each);
    for (const each of this.deployed()) named.add(each);
    const builds = this.kustomizations.filter(
      (each) => !named.has(each) && !this.isComponent(each) && !roots.includes(each),
    );
    return [
      ...roots.map((each) => this.entry(each, "Flux", closures.get(each) ?? this.closureOf(each))),
      ...this.argoEntries(named),
      ...this.fleets.map((each) => this.fleetEntry(each)),
      ...this.charts.filter((each) => !named.has(realpathSync(each))).map((each) => this.chartEntry(each)),
      ...builds.map((each) => this.entry(each, this.kindOf(each), this.closureOf(each))),
      ...this.unreadable,
    ];
  }

  /** Directories with Applications that no kustomization builds, and no other Application deploys. */
  private argoEntries(named: ReadonlySet<string>): readonly FoundEntry[] {
    const built = new Set(this.kustomizations.flatMap((each) => this.index.filesOf(each).files));
    return [...this.argo].flatMap(([directory, files]): FoundEntry[] => {
      const own = files.filter((file) => !built.has(realpathSync(file)));
      if (own.length === 0 || named.has(directory)) return [];
      return [
        { name: relative(this.directory, directory) || ".", kind: "Argo CD", reads: () => true, files: own },
      ];
    });
  }

  /** The directories of this repository that Applications deploy, as far as no template says which. */
  private deployed(): readonly string[] {
    const paths = [...this.argo.values()].flat().flatMap((file) => this.objectsIn(file).flatMap(pathsOf));
    return paths.flatMap((path) => directoryAt(this.top, path) ?? []).map((each) => realpathSync(each));
  }

  private kindOf(directory: string): EntryKind {
    return this.index.filesOf(directory).files.some((file) => this.objectsIn(file).some(isArgoObject))
      ? "Argo CD"
      : "kustomization";
  }

  private entry(directory: string, kind: EntryKind, closure: Closure): FoundEntry {
    const found = { name: relative(this.directory, directory) || ".", kind, reads: reading(closure) };
    return kind === "kustomization" ? { ...found, mayMake: this.makingIn(directory) } : found;
  }

  private chartEntry(directory: string): FoundEntry {
    const start = `${realpathSync(directory)}/`;
    return {
      name: relative(this.directory, directory) || ".",
      kind: "chart",
      reads: (path) => path.startsWith(start),
      mayMake: (name) => mayHaveTarget(directory, name),
    };
  }

  private fleetEntry(file: string): FoundEntry {
    const directory = dirname(file);
    const files = new Set(filesOfFleet(file).map((each) => resolve(each)));
    return {
      name: relative(this.directory, directory) || ".",
      kind: "Fleet",
      reads: (path) => files.has(path) || path.startsWith(`${realpathSync(directory)}/`),
    };
  }

  private makingIn(directory: string): (name: string) => boolean {
    let content: BuildContent | undefined;
    return (name) => {
      content ??= new BuildContent(this.index.filesOf(directory), this.index);
      return content.hasKustomizations || content.mayMake(name);
    };
  }

  private scan(directory: string): void {
    try {
      this.scanIn(directory);
    } catch (error) {
      const fault = pathFault(error);
      if (fault === undefined) throw error;
      const name = relative(this.directory, directory) || ".";
      this.unreadable.push({ name, kind: "unreadable", reads: () => true, fault });
    }
  }

  private scanIn(directory: string): void {
    const entries = readdirSync(directory, { withFileTypes: true })
      .filter(({ name }) => !name.startsWith(".") && name !== "node_modules")
      .toSorted((a, b) => (a.name < b.name ? -1 : 1));
    const isChart = entries.some(({ name }) => name === "Chart.yaml");
    if (kustomizationFile(directory) !== undefined) this.kustomizations.push(directory);
    const files = entries.filter((each) => each.isFile()).map(({ name }) => join(directory, name));
    this.count += files.length;
    if (isChart && valuesBeside(directory).length > 0) this.charts.push(directory);
    const fleet = fleetFile(directory);
    if (fleet !== undefined && kustomizationFile(directory) === undefined) this.fleets.push(fleet);
    this.progress?.(`${this.count} files`);
    if (!isChart && files.filter((file) => this.hasKustomization(file)).length > 0)
      this.fluxDirectories.push(directory);
    const argo = files.filter((file) => this.objectsIn(file).some(isArgoObject));
    if (!isChart && argo.length > 0) this.argo.set(directory, argo);
    for (const entry of entries)
      if (entry.isDirectory() && !(isChart && /^(?:templates|charts|crds)$/.test(entry.name)))
        this.scan(join(directory, entry.name));
  }

  private hasKustomization(file: string): boolean {
    return this.objectsIn(file).some(isFluxKustomization);
  }

  /** The objects of Flux and Argo CD in a file: most files have none, and are not decoded. */
  private objectsIn(file: string): readonly Item[] {
    const known = this.objects.get(file);
    if (known !== undefined || !/\.ya?ml$/.test(file)) return known ?? [];
    const bytes = readFile(file);
    const isRelevant = mayBeFollowed(bytes) || mayHaveArgo(bytes) || isArtifact(bytes);
    const items = isRelevant ? this.index.manifestsIn(file).items : [];
    this.objects.set(file, items);
    return items;
  }

  private namedBy(directory: string): readonly string[] {
    const { top } = this.index.treeOf(directory);
    return top === undefined ? [] : [...top.others.values()].map((each) => each.directory);
  }

  private isComponent(directory: string): boolean {
    return this.index.treeOf(directory).top?.fields["kind"] === "Component";
  }

  /** The directories that a build of one reads, and what Kustomizations of Flux in them build. */
  private closureOf(start: string): Closure {
    const sources = new FluxSources(remotesOf(this.top));
    const directories = new Set<string>();
    const files = new Set<string>();
    const paths: FluxPath[] = [];
    let isExact = true;
    const add = (directory: string): void => {
      const own = this.index.filesOf(directory);
      isExact &&= own.tree === undefined || !patchesOf(own.tree).some(mayRedirect);
      // A program may read any file, whether it is run here or not.
      isExact &&= own.tree === undefined || functionsIn(own.tree).every(({ isFold }) => isFold);
      for (const each of own.directories) directories.add(each);
      for (const file of own.files.filter((each) => !files.has(each))) {
        files.add(file);
        for (const item of this.objectsIn(file)) {
          // Which files an Application reads is not known before it is read.
          isExact &&= !isArgoObject(item);
          sources.add(item);
          const path = isFluxKustomization(item) ? fluxPath(item) : undefined;
          if (path !== undefined) paths.push(path);
          isExact &&= !(path?.patches ?? []).some(mayRedirect);
          if (path !== undefined && directoryAt(this.top, path.path) === start) sources.addOwn(path);
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
        const directory = "why" in found ? undefined : directoryAt(this.top, `${found.path}/${each}`);
        if (directory !== undefined) add(directory);
      }
    }
    return { directories, files, isExact };
  }
}

function reading({ directories, files, isExact }: Closure): FoundEntry["reads"] {
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

/** The paths of an Application's sources. */
function pathsOf(item: Item): readonly string[] {
  const root = item.kind === "Application" ? item.read() : undefined;
  const spec = root !== undefined && isNode(root) ? root.get("spec") : undefined;
  if (spec === undefined) return [];
  const single = spec.get("source");
  return [...(single === undefined ? [] : [single]), ...spec.list("sources")].flatMap(
    (each) => each.textAt("path") ?? [],
  );
}

function isArtifact(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes("ArtifactGenerator");
}
