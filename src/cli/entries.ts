// The entries of a checkout: what is built by itself, found by reading the manifests once. Kustomizations of Flux that no
// other one builds, and kustomizations that nothing names.
import { existsSync, readdirSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { decodeStream, type Item } from "../core/index.ts";
import { isFluxKustomization, fluxPath, type FluxPath } from "./flux/kustomization.ts";
import { isFluxDirectory, mayBeFollowed, remotesOf } from "./flux/follow.ts";
import { directoryAt, FluxSources } from "./flux/sources.ts";
import { isDirectory } from "./inputs.ts";
import { packageName } from "./kptfile.ts";
import { repositoryOf } from "./kustomize/build.ts";
import { filesNamedIn } from "./kustomize/copy.ts";
import { kustomizationFile, type KustomizationTree, readTree } from "./kustomize/tree.ts";
import { readFile } from "./stdio.ts";

/** What is built by itself. */
export interface Entry {
  /** Its directory, from the one that was searched. */
  readonly name: string;
  readonly kind: "Flux" | "kustomization";
  /** True for a file or a directory, as a real path, that the entry may read. */
  readonly reads: (path: string) => boolean;
}

/** The entries in a directory that is no build itself. */
export function entriesIn(directory: string): readonly Entry[] {
  if (!isDirectory(directory) || isBuild(directory)) return [];
  return new Checkout(directory).entries();
}

function isBuild(directory: string): boolean {
  return (
    kustomizationFile(directory) !== undefined ||
    existsSync(join(directory, packageName)) ||
    isFluxDirectory(directory)
  );
}

interface ReadFiles {
  readonly directories: readonly string[];
  readonly files: readonly string[];
}

/** All that the builds of one entry read. */
interface Closure {
  readonly directories: ReadonlySet<string>;
  readonly files: ReadonlySet<string>;
}

class Checkout {
  private readonly directory: string;
  private readonly top: string;
  private readonly kustomizations: string[] = [];
  private readonly fluxDirectories: string[] = [];
  private readonly trees = new Map<string, KustomizationTree>();
  private readonly flux = new Map<string, readonly Item[]>();

  constructor(directory: string) {
    this.directory = directory;
    this.top = repositoryOf(directory) ?? directory;
    this.scan(directory);
  }

  entries(): readonly Entry[] {
    const closures = new Map(this.fluxDirectories.map((each) => [each, this.closureOf(each)] as const));
    const isInOther = (own: string): boolean =>
      [...closures].some(
        ([each, { files }]) =>
          each !== own && manifestsIn(own).some((file) => files.has(file) && this.hasKustomization(file)),
      );
    const roots = this.fluxDirectories.filter((each) => !isInOther(each));
    const named = new Set(this.kustomizations.flatMap((each) => this.namedBy(each)));
    for (const root of roots) for (const each of closures.get(root)?.directories ?? []) named.add(each);
    const builds = this.kustomizations.filter((each) => !named.has(each) && !this.isComponent(each));
    return [
      ...roots.map((each) => this.entry(each, "Flux", closures.get(each) ?? this.closureOf(each))),
      ...builds
        .filter((each) => !roots.includes(each))
        .map((each) => this.entry(each, "kustomization", this.closureOf(each))),
    ];
  }

  private entry(directory: string, kind: Entry["kind"], { directories, files }: Closure): Entry {
    const name = relative(this.directory, directory) || ".";
    const reads = (path: string): boolean => files.has(path) || directories.has(dirname(path));
    return { name, kind, reads };
  }

  private scan(directory: string): void {
    const entries = readdirSync(directory, { withFileTypes: true })
      .filter(({ name }) => !name.startsWith(".") && name !== "node_modules")
      .toSorted((a, b) => (a.name < b.name ? -1 : 1));
    const isChart = entries.some(({ name }) => name === "Chart.yaml");
    const isKustomization = kustomizationFile(directory) !== undefined;
    if (isKustomization) this.kustomizations.push(directory);
    const files = entries.filter((each) => each.isFile()).map(({ name }) => join(directory, name));
    if (!isChart && files.some((file) => this.hasKustomization(file))) this.fluxDirectories.push(directory);
    for (const entry of entries)
      if (entry.isDirectory() && !(isChart && /^(?:templates|charts|crds)$/.test(entry.name)))
        this.scan(join(directory, entry.name));
  }

  private hasKustomization(file: string): boolean {
    return this.fluxIn(file).some(isFluxKustomization);
  }

  /** The objects of Flux in a file. */
  private fluxIn(file: string): readonly Item[] {
    const known = this.flux.get(file);
    if (known !== undefined || !/\.ya?ml$/.test(file)) return known ?? [];
    const bytes = readFile(file);
    const envelope = mayBeFollowed(bytes) || isArtifact(bytes) ? decodeStream(bytes) : undefined;
    const items = envelope !== undefined && "items" in envelope ? envelope.items : [];
    this.flux.set(file, items);
    return items;
  }

  private treeOf(directory: string): KustomizationTree {
    const tree = this.trees.get(directory) ?? readTree(directory);
    this.trees.set(directory, tree);
    return tree;
  }

  private namedBy(directory: string): readonly string[] {
    const { top } = this.treeOf(directory);
    return top === undefined ? [] : [...top.others.values()].map((each) => each.directory);
  }

  private isComponent(directory: string): boolean {
    return this.treeOf(directory).top?.fields["kind"] === "Component";
  }

  /** The directories that a build of one reads, and what Kustomizations of Flux in them build. */
  private closureOf(start: string): Closure {
    const sources = new FluxSources(remotesOf(this.top));
    const directories = new Set<string>();
    const files = new Set<string>();
    const paths: FluxPath[] = [];
    const add = (directory: string): void => {
      const own = this.readBy(directory);
      for (const each of own.directories) directories.add(each);
      for (const file of own.files.filter((each) => !files.has(each))) {
        files.add(file);
        for (const item of this.fluxIn(file)) {
          sources.add(item);
          const path = isFluxKustomization(item) ? fluxPath(item) : undefined;
          if (path !== undefined) paths.push(path);
          if (path !== undefined && directoryAt(this.top, path.path) === start) sources.addOwn(path);
        }
      }
    };
    add(start);
    // Following one finds more.
    for (let next = 0; next < paths.length; next++) {
      const { source, path } = paths[next] as FluxPath;
      const found = sources.find(source);
      const directory = "why" in found ? undefined : directoryAt(this.top, `${found.path}/${path}`);
      if (directory !== undefined) add(directory);
    }
    return { directories, files };
  }

  /** Without a kustomization Flux builds all that is below. */
  private readBy(directory: string): ReadFiles {
    if (kustomizationFile(directory) !== undefined) {
      const { all } = this.treeOf(directory);
      return { directories: all.map((each) => each.directory), files: all.flatMap(filesNamedIn) };
    }
    const below = readdirSync(directory, { withFileTypes: true })
      .filter((each) => each.isDirectory() && !each.name.startsWith("."))
      .map(({ name }) => this.readBy(join(directory, name)));
    return {
      directories: [directory, ...below.flatMap(({ directories }) => directories)],
      files: [...manifestsIn(directory), ...below.flatMap(({ files }) => files)],
    };
  }
}

function isArtifact(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes("ArtifactGenerator");
}

function manifestsIn(directory: string): readonly string[] {
  return readdirSync(directory)
    .filter((name) => /\.ya?ml$/.test(name))
    .map((name) => join(directory, name));
}
