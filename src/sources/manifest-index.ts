// Files of manifests and kustomizations, each read once however many entries have it.
import { join } from "node:path";
import { helmReleaseKind } from "../kinds.ts";
import type { Item } from "../krm/index.ts";
import { entriesIn, ifReadable, isFileAt, readFile, realPathOf } from "./disk.ts";
import { readPlaced } from "./files.ts";
import { madeBy } from "./helm/made-targets.ts";
import { filesNamedIn } from "./kustomize/copy.ts";
import type { Overlay } from "./kustomize/overlay.ts";
import {
  entriesAt,
  type Kustomization,
  kustomizationFile,
  type KustomizationTree,
  TreeReader,
} from "./kustomize/tree.ts";
import { directoryAt, foldersAbove, rooted } from "./locator.ts";
import { readingNow, type Reads } from "./reads.ts";
import { itemsIn } from "./items.ts";
import { bufferOf } from "../yaml/index.ts";
import { remembered } from "../remembered.ts";

interface ReadManifests {
  readonly bytes: Uint8Array;
  readonly items: readonly Item[];
}

/** What a build reads, as far as its kustomizations and manifests say. */
export interface BuildFiles {
  /** Real paths, of directories with a kustomization and of all files that are named. */
  readonly directories: readonly string[];
  readonly files: readonly string[];
  /** Those that hold its objects: the others are patches, values and texts. */
  readonly manifests: readonly string[];
  readonly tree: KustomizationTree | undefined;
  /** With what is not there, and what was looked for. */
  readonly reads: readonly Reads[];
}

const variable = "\0";
const mostCompared = 2_000_000;

const indices = new WeakMap<object, ManifestIndex>();

/** The one of a question. */
export function indexOf({ cacheKey = {} }: { readonly cacheKey?: object }): ManifestIndex {
  return remembered(indices, cacheKey, () => new ManifestIndex());
}

export class ManifestIndex {
  private readonly manifests = new Map<string, ReadManifests>();
  private readonly placed = new Map<string, ReturnType<typeof readPlaced>>();
  private readonly builds = new Map<string, BuildFiles>();
  private readonly treeReads = new Map<Kustomization, readonly Reads[]>();
  private readonly trees = new TreeReader(this.treeReads);
  private readonly named = new Map<Kustomization, NamedFiles>();
  private readonly makers = new Map<string, string | undefined>();
  private readonly folders = new Map<string, readonly string[]>();
  private readonly alike = new Map<string, readonly string[] | undefined>();
  /** How many folders were compared with paths. */
  private compared = 0;

  /** Without items for what cannot be read. */
  manifestsIn(file: string): ReadManifests {
    return remembered(this.manifests, file, () => {
      const bytes = readFile(file);
      // A text such as a dashboard of many lines of JSON has no object in it.
      return { bytes, items: bufferOf(bytes).includes("kind") ? itemsIn(bytes) : [] };
    });
  }

  /** As `readPlaced` reads it. @param shown how places name it */
  placedIn(file: string, shown: string): ReturnType<typeof readPlaced> {
    return remembered(this.placed, JSON.stringify([file, shown]), () => readPlaced(file, shown));
  }

  /** Without a kustomization Flux builds all that is below. @param overlay what Flux adds */
  filesOf(directory: string, overlay?: Overlay): BuildFiles {
    if (overlay !== undefined) return this.filesBuilt(directory, overlay);
    return remembered(this.builds, directory, () => {
      const isBuild = kustomizationFile(directory) !== undefined;
      return isBuild ? this.filesBuilt(directory) : this.allBelow(directory);
    });
  }

  /** The directories of charts that make targets, and that releases in a file name. @param top of the repository */
  makersIn(file: string, top: string): readonly string[] {
    const { bytes } = this.manifestsIn(file);
    const text = bufferOf(bytes);
    if (!text.includes(helmReleaseKind.kind) || !text.includes("GitRepository")) return [];
    const paths = [...text.toString("latin1").matchAll(/\bchart: *["']?([^\s"',{}]+)/g)].map(
      ([, path = ""]) => path,
    );
    const folders = foldersAbove(file, top);
    return [...new Set(paths)]
      .flatMap((path) => folders.flatMap((folder) => directoryAt(folder, path) ?? []))
      .filter((each) => this.madeBy(each) !== undefined);
  }

  /** The kind of targets that a chart makes; undefined for one that makes none. An archive is not looked into. */
  madeBy(chart: string): string | undefined {
    return remembered(this.makers, chart, () => madeBy(chart));
  }

  foldersBelow(directory: string): readonly string[] {
    return remembered(this.folders, directory, () => allFoldersIn(directory));
  }

  /** The folders that a path from a top may be, where variables are left in it; undefined where there is too much to look at. */
  foldersLike(top: string, path: string): readonly string[] | undefined {
    const pattern = rooted(withoutVariables(path)).replace(/\/$/, "");
    return remembered(this.alike, `${top}${pattern}`, () => {
      const all = this.foldersBelow(top);
      this.compared += all.length;
      if (this.compared > mostCompared) return undefined;
      const like = (isLike: (folder: string, pattern: string) => boolean): readonly string[] =>
        all.filter((each) => isLike(each.slice(top.length), pattern));
      const named = like(isLikeByNames);
      return named.length > 0 ? named : like(mayBe);
    });
  }

  private filesBuilt(directory: string, overlay?: Overlay): BuildFiles {
    const tree = this.trees.treeOf(directory, overlay);
    const named = tree.all.map((each) => this.namedIn(each));
    return {
      tree,
      directories: tree.all.map((each) => each.directory),
      files: [...new Set(named.flatMap(({ value }) => value.files))],
      manifests: [...new Set(named.flatMap(({ value }) => value.manifests))],
      reads: [
        ...tree.all.flatMap((each) => this.treeReads.get(each) ?? []),
        ...named.map(({ reads }) => reads),
      ],
    };
  }

  private namedIn(kustomization: Kustomization): NamedFiles {
    return remembered(this.named, kustomization, () => readingNow(() => namedBy(kustomization)));
  }

  private allBelow(directory: string): BuildFiles {
    const { value, reads } = readingNow(() => ({ folders: foldersIn(directory), files: yamlIn(directory) }));
    const below = value.folders.map((each) => this.filesOf(each));
    return {
      tree: undefined,
      directories: [directory, ...below.flatMap(({ directories }) => directories)],
      files: [...value.files, ...below.flatMap(({ files }) => files)],
      manifests: [...value.files, ...below.flatMap(({ manifests }) => manifests)],
      reads: [reads, ...below.flatMap((each) => each.reads)],
    };
  }
}

interface NamedFiles {
  readonly value: Pick<BuildFiles, "files" | "manifests">;
  readonly reads: Reads;
}

function namedBy(kustomization: Kustomization): NamedFiles["value"] {
  const files = filesNamedIn(kustomization);
  const resources = entriesAt(kustomization, "resources").map((each) =>
    realPathOf(join(kustomization.directory, each)),
  );
  const manifests = new Set(resources);
  return { files, manifests: files.filter((each) => manifests.has(each)) };
}

/** The folders in a directory, without hidden ones. */
export function foldersIn(directory: string): readonly string[] {
  return entriesIn(directory)
    .filter((each) => each.kind === "directory" && !each.name.startsWith("."))
    .map(({ name }) => join(directory, name));
}

/** What cannot be read is read by no build. */
export function allFoldersIn(directory: string): readonly string[] {
  return ifReadable(() => foldersIn(directory).flatMap((each) => [each, ...allFoldersIn(each)])) ?? [];
}

/** The YAML files in a directory. */
export function yamlIn(directory: string): readonly string[] {
  return entriesIn(directory).flatMap((entry) => {
    const path = join(directory, entry.name);
    return /\.ya?ml$/.test(path) && isFileAt(path, entry) ? [path] : [];
  });
}

/** One in another is replaced first. */
function withoutVariables(path: string): string {
  const inner = path.replaceAll(/\$\{[^{}]*\}/g, variable);
  return inner === path ? path : withoutVariables(inner);
}

/** Where each variable is a name, or a part of one. */
function isLikeByNames(folder: string, pattern: string): boolean {
  const [names, parts] = [folder.split("/"), pattern.split("/")];
  return names.length === parts.length && names.every((name, depth) => mayBe(name, parts[depth] ?? ""));
}

function mayBe(text: string, pattern: string): boolean {
  const [first = "", ...rest] = pattern.split(variable);
  const last = rest.at(-1);
  return last === undefined ? text === first : text.startsWith(first) && text.endsWith(last);
}
