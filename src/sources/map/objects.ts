// The objects of Flux and Argo CD in the files of a checkout: most files have none, and are not decoded.
import { helmReleaseKind } from "../../kinds.ts";
import type { Item } from "../../krm/index.ts";
import { mayHaveArgo } from "../argo/application.ts";
import { readFile } from "../disk.ts";
import {
  fluxPath,
  type FluxPath,
  isFluxKustomization,
  isPart,
  mayBeFollowed,
  syncInValues,
} from "../flux/kustomization.ts";
import { isResourceSet } from "../flux/resource-sets.ts";
import { type ManifestIndex, yamlIn } from "../manifest-index.ts";
import { bufferOf } from "../../yaml/index.ts";
import { remembered } from "../../remembered.ts";

/** An object, and the file that has it. */
export interface PlacedItem {
  readonly item: Item;
  readonly file: string;
}

/** An object of Flux that builds a directory, and the file that has it. */
export interface PlacedPath {
  readonly path: FluxPath;
  readonly file: string;
}

export class CheckoutObjects {
  readonly index: ManifestIndex;
  private readonly known = new Map<string, readonly Item[]>();
  private readonly naming = new Map<string, string>();
  private readonly holders = new Map<string, boolean>();
  private readonly targets = new Set<string>();
  /** What files of values say that an instance builds. Known once all objects are. */
  readonly syncsInValues: PlacedPath[] = [];

  constructor(index: ManifestIndex) {
    this.index = index;
  }

  in(file: string): readonly Item[] {
    const known = this.known.get(file);
    if (known !== undefined || !/\.ya?ml$/.test(file)) return known ?? [];
    const bytes = readFile(file);
    const path = syncInValues(bytes);
    if (path !== undefined) this.syncsInValues.push({ path, file });
    const isRelevant = mayBeFollowed(bytes) || mayHaveArgo(bytes) || mayHaveSource(bytes);
    const items = isRelevant ? this.index.manifestsIn(file).items : [];
    this.known.set(file, items);
    const text = bufferOf(bytes);
    if (text.includes("valuesFiles")) this.naming.set(file, text.toString("latin1"));
    if (text.includes(helmReleaseKind.kind) && targetKind.test(text.toString("latin1")))
      this.targets.add(file);
    return items;
  }

  /** True for a file with a release of Flux. Known once its objects are. */
  hasTarget(file: string): boolean {
    return this.targets.has(file);
  }

  itemsIn(files: readonly string[]): readonly PlacedItem[] {
    return files.flatMap((file) => this.in(file).map((item) => ({ item, file })));
  }

  /** The texts of files that may name values files of charts. Known once the objects are. */
  namingIn(files: readonly string[]): readonly string[] {
    return files.flatMap((file) => this.naming.get(file) ?? []);
  }

  /** True for a file with a Kustomization of Flux, or with a ResourceSet, which may make some. */
  hasKustomization(file: string): boolean {
    return this.in(file).some((item) => isFluxKustomization(item) || isResourceSet(item));
  }

  /** The same, and not in parts: nothing builds a file with a part by itself. */
  hasWhole(file: string): boolean {
    return this.in(file).some((item) => (isFluxKustomization(item) && !isPart(item)) || isResourceSet(item));
  }

  /** Files that hold parts of objects: nothing is in them. */
  leaveOut(files: ReadonlySet<string>): void {
    for (const each of files) this.known.set(each, []);
  }

  /** True for a directory with a file that has one. */
  holdsKustomization(directory: string): boolean {
    return remembered(this.holders, directory, () =>
      yamlIn(directory).some((file) => this.hasKustomization(file)),
    );
  }

  kustomizationsIn(files: readonly string[]): readonly PlacedPath[] {
    return this.itemsIn(files)
      .filter(({ item }) => isFluxKustomization(item))
      .flatMap(({ item, file }): readonly PlacedPath[] => {
        const path = fluxPath(item);
        return path === undefined ? [] : [{ path, file }];
      });
  }
}

const targetKind = new RegExp(`^kind: *["']?${helmReleaseKind.kind}["']?\\s*$`, "m");

function mayHaveSource(bytes: Uint8Array): boolean {
  const text = bufferOf(bytes);
  return text.includes("source.toolkit.fluxcd.io/") || text.includes("ArtifactGenerator");
}
