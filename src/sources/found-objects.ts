// The objects of Flux and Argo CD in the files of a checkout: most files have none, and are not decoded.
import type { Item } from "../krm/index.ts";
import { mayHaveArgo } from "./argo/application.ts";
import { readFile } from "./disk.ts";
import { mayBeFollowed } from "./flux/cluster.ts";
import { isFluxKustomization } from "./flux/kustomization.ts";
import { ManifestIndex } from "./manifest-index.ts";
import { mayHaveOperatorObjects } from "./unfollowed.ts";

export class CheckoutObjects {
  readonly index = new ManifestIndex();
  private readonly known = new Map<string, readonly Item[]>();

  in(file: string): readonly Item[] {
    const known = this.known.get(file);
    if (known !== undefined || !/\.ya?ml$/.test(file)) return known ?? [];
    const bytes = readFile(file);
    const isRelevant =
      mayBeFollowed(bytes) || mayHaveArgo(bytes) || mayHaveOperatorObjects(bytes) || mayHaveSource(bytes);
    const items = isRelevant ? this.index.manifestsIn(file).items : [];
    this.known.set(file, items);
    return items;
  }

  hasKustomization(file: string): boolean {
    return this.in(file).some(isFluxKustomization);
  }
}

function mayHaveSource(bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return text.includes("source.toolkit.fluxcd.io/") || text.includes("ArtifactGenerator");
}
