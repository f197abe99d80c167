// What lies below a run, as far as that is known: a split is spared where none of it can show through.
import type { LayerReader } from "../layer/layers.ts";
import { leafOf, type Tree } from "../merge/tree.ts";
import type { Layer, Stack } from "../model.ts";
import type { Below } from "./splits.ts";

/** What the output holds below the open run: layers that stay, and what lower runs were folded into. */
export class LayersBelow {
  private parts: (Layer | Tree)[] | "unknown";
  private readonly reader: LayerReader;

  constructor({ below }: Stack, reader: LayerReader) {
    this.parts = below === "unknown" ? "unknown" : [...below];
    this.reader = reader;
  }

  add(layer: Layer): void {
    if (this.parts !== "unknown") this.parts.push(layer);
  }

  /** A run that folds leaves its result alone after: the next run of the program sees no more of it, so nor does this one. */
  addFolded(values: Tree | undefined): void {
    if (this.parts !== "unknown" && values !== undefined) this.parts.push(values);
  }

  /** From here on the cluster may bind anything. */
  addBarrier(): void {
    this.parts = "unknown";
  }

  /** One tree for each part that holds any values. */
  values(): Below {
    const { parts, reader } = this;
    if (parts === "unknown") return "unknown";
    const trees: Tree[] = [];
    for (const part of parts) {
      if ("type" in part) trees.push(part);
      else if (!reader.isReadable(part)) return "unknown";
      else {
        const { root } = reader.valuesOf(part);
        if (root !== undefined) trees.push(leafOf(root));
      }
    }
    return trees;
  }
}
