// Files of manifests and kustomizations, each read once however many entries have it.
import { join } from "node:path";
import { decodeStream, type Item } from "../krm/index.ts";
import { entriesIn, namesAt, pathFault, readFile } from "./disk.ts";
import { filesNamedIn } from "./kustomize/copy.ts";
import type { Overlay } from "./kustomize/overlay.ts";
import { kustomizationFile, type KustomizationTree, readTree } from "./kustomize/tree.ts";

interface ReadManifests {
  readonly bytes: Uint8Array;
  readonly items: readonly Item[];
}

/** What a build reads. */
export interface BuildFiles {
  /** Real paths, of directories with a kustomization and of all files that are named. */
  readonly directories: readonly string[];
  readonly files: readonly string[];
  readonly tree: KustomizationTree | undefined;
}

export class ManifestIndex {
  private readonly manifests = new Map<string, ReadManifests>();
  private readonly trees = new Map<string, KustomizationTree>();
  private readonly folders = new Map<string, readonly string[]>();

  /** Without items for what cannot be read. */
  manifestsIn(file: string): ReadManifests {
    const known = this.manifests.get(file);
    if (known !== undefined) return known;
    const bytes = readFile(file);
    const envelope = decodeStream(bytes);
    const read = { bytes, items: "items" in envelope ? envelope.items : [] };
    this.manifests.set(file, read);
    return read;
  }

  treeOf(directory: string): KustomizationTree {
    const tree = this.trees.get(directory) ?? readTree(directory);
    this.trees.set(directory, tree);
    return tree;
  }

  /** Without a kustomization Flux builds all that is below. @param overlay what Flux adds */
  filesOf(directory: string, overlay?: Overlay): BuildFiles {
    const isBuild = kustomizationFile(directory) !== undefined;
    if (!isBuild && overlay === undefined) return this.allBelow(directory);
    const tree = overlay === undefined ? this.treeOf(directory) : readTree(directory, overlay);
    return {
      tree,
      directories: tree.all.map((each) => each.directory),
      files: [...new Set(tree.all.flatMap(filesNamedIn))],
    };
  }

  foldersBelow(directory: string): readonly string[] {
    const folders = this.folders.get(directory) ?? allFoldersIn(directory);
    this.folders.set(directory, folders);
    return folders;
  }

  private allBelow(directory: string): BuildFiles {
    const below = foldersIn(directory).map((each) => this.filesOf(each));
    return {
      tree: undefined,
      directories: [directory, ...below.flatMap(({ directories }) => directories)],
      files: [...yamlIn(directory), ...below.flatMap(({ files }) => files)],
    };
  }
}

/** The folders in a directory, without hidden ones. */
export function foldersIn(directory: string): readonly string[] {
  return entriesIn(directory)
    .filter((each) => each.kind === "directory" && !each.name.startsWith("."))
    .map(({ name }) => join(directory, name));
}

/** What cannot be read is read by no build. */
function allFoldersIn(directory: string): readonly string[] {
  try {
    return foldersIn(directory).flatMap((each) => [each, ...allFoldersIn(each)]);
  } catch (error) {
    if (pathFault(error) === undefined) throw error;
    return [];
  }
}

/** The YAML files in a directory. */
export function yamlIn(directory: string): readonly string[] {
  return namesAt(directory)
    .filter((name) => /\.ya?ml$/.test(name))
    .map((name) => join(directory, name));
}
