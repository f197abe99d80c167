// What one directory is built of, before anything is built: its files, and what objects in them build or name.
import { resolve } from "node:path";
import { isArgoObject } from "../argo/application.ts";
import { isFile, readFile } from "../disk.ts";
import { isOfSets } from "../flux/resource-sets.ts";
import { textsIn } from "../kustomize/copy.ts";
import { functionsIn, type KustomizationTree } from "../kustomize/tree.ts";
import type { BuildFiles } from "../manifest-index.ts";
import type { CheckoutObjects, PlacedItem, PlacedPath } from "./objects.ts";
import { remembered } from "../../remembered.ts";

export interface OwnBuild {
  readonly files: BuildFiles;
  /** Objects of Flux and Argo CD in its files. */
  readonly items: readonly PlacedItem[];
  readonly kustomizations: readonly PlacedPath[];
  /** Its files with these, or with ResourceSets. */
  readonly holding: readonly string[];
  /** Texts that may name values files of charts. */
  readonly naming: readonly string[];
  /** False where what it reads is not known before it is built. */
  readonly isExact: boolean;
}

/** Each directory is read once, however many builds have it. */
export class OwnBuilds {
  private readonly objects: CheckoutObjects;
  private readonly known = new Map<string, OwnBuild>();

  constructor(objects: CheckoutObjects) {
    this.objects = objects;
  }

  at(directory: string): OwnBuild {
    return remembered(this.known, directory, () => this.read(directory));
  }

  private read(directory: string): OwnBuild {
    const files = this.objects.index.filesOf(directory);
    const { tree, manifests } = files;
    const items = this.objects.itemsIn(manifests);
    const kustomizations = this.objects.kustomizationsIn(manifests);
    return {
      files,
      items,
      kustomizations,
      holding: manifests.filter((file) => this.objects.hasKustomization(file)),
      naming: this.objects.namingIn(files.files),
      isExact:
        // A program may read any file, whether it is run here or not.
        (tree === undefined || functionsIn(tree).every(({ isFold }) => isFold)) &&
        (tree === undefined || !patchesOf(tree).some(mayRedirect)) &&
        // Which files an Application reads is not known before it is read, nor what a ResourceSet makes.
        !items.some(({ item }) => isArgoObject(item) || isOfSets(item)) &&
        !kustomizations.some(({ path }) => path.patches.some(mayRedirect)),
    };
  }
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
