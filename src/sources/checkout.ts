// The entries of a checkout: what is built by itself, found by reading the manifests once. Kustomizations of Flux that no
// other one builds, and kustomizations that nothing names.
import { existsSync, readdirSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import type { Item } from "../core/index.ts";
import { isDirectory, isFile, readFile } from "./disk.ts";
import type { EntryKind } from "./entry.ts";
import { isFluxDirectory, mayBeFollowed, remotesOf } from "./flux/cluster.ts";
import { fluxPath, type FluxPath, isFluxKustomization } from "./flux/kustomization.ts";
import { directoryAt, FluxSources } from "./flux/sources.ts";
import { packageName } from "./kptfile.ts";
import { repositoryOf } from "./kustomize/build.ts";
import { textsIn } from "./kustomize/copy.ts";
import { kustomizationFile, type KustomizationTree } from "./kustomize/tree.ts";
import { ManifestIndex, yamlIn } from "./manifest-index.ts";

/** A directory that is built by itself. */
export interface FoundEntry {
  /** From the directory that was searched. */
  readonly name: string;
  readonly kind: EntryKind;
  /** True for a file or a directory, as a real path, that it may read. */
  readonly reads: (path: string) => boolean;
}

/** The entries in a directory that is no build itself. */
export function entriesBelow(directory: string): readonly FoundEntry[] {
  if (!isDirectory(directory) || isBuild(directory)) return [];
  return new Checkout(directory).entries();
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
    isFluxDirectory(directory)
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
  private readonly flux = new Map<string, readonly Item[]>();

  constructor(directory: string) {
    this.directory = directory;
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
    const builds = this.kustomizations.filter(
      (each) => !named.has(each) && !this.isComponent(each) && !roots.includes(each),
    );
    return [
      ...roots.map((each) => this.entry(each, "Flux", closures.get(each) ?? this.closureOf(each))),
      ...builds.map((each) => this.entry(each, "kustomization", this.closureOf(each))),
    ];
  }

  private entry(directory: string, kind: EntryKind, closure: Closure): FoundEntry {
    return { name: relative(this.directory, directory) || ".", kind, reads: reading(closure) };
  }

  private scan(directory: string): void {
    const entries = readdirSync(directory, { withFileTypes: true })
      .filter(({ name }) => !name.startsWith(".") && name !== "node_modules")
      .toSorted((a, b) => (a.name < b.name ? -1 : 1));
    const isChart = entries.some(({ name }) => name === "Chart.yaml");
    if (kustomizationFile(directory) !== undefined) this.kustomizations.push(directory);
    const files = entries.filter((each) => each.isFile()).map(({ name }) => join(directory, name));
    if (!isChart && files.some((file) => this.hasKustomization(file))) this.fluxDirectories.push(directory);
    for (const entry of entries)
      if (entry.isDirectory() && !(isChart && /^(?:templates|charts|crds)$/.test(entry.name)))
        this.scan(join(directory, entry.name));
  }

  private hasKustomization(file: string): boolean {
    return this.fluxIn(file).some(isFluxKustomization);
  }

  /** The objects of Flux in a file: most files have none, and are not decoded. */
  private fluxIn(file: string): readonly Item[] {
    const known = this.flux.get(file);
    if (known !== undefined || !/\.ya?ml$/.test(file)) return known ?? [];
    const bytes = readFile(file);
    const items = mayBeFollowed(bytes) || isArtifact(bytes) ? this.index.manifestsIn(file).items : [];
    this.flux.set(file, items);
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
      for (const each of own.directories) directories.add(each);
      for (const file of own.files.filter((each) => !files.has(each))) {
        files.add(file);
        for (const item of this.fluxIn(file)) {
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

function isArtifact(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes("ArtifactGenerator");
}
