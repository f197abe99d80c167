// The known values below a run: a split is not needed if none of them can show through.
import type { LayerReader, Layer, Stack } from "../../layers/index.ts";
import { leafOf, type Tree } from "../../merge/index.ts";
import type { Below } from "./splits.ts";

/** The values in the output below the open run: layers that stay, and the results of lower runs. */
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

  /** A folded run leaves only its result: the next run of the program sees nothing else, so this run must not, either. */
  addFolded(values: Tree | undefined): void {
    if (this.parts !== "unknown" && values !== undefined) this.parts.push(values);
  }

  /** From here on the cluster may bind anything. */
  addBarrier(): void {
    this.parts = "unknown";
  }

  /** One tree for each part that has any values. */
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
