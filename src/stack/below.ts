// What lies below a run, as far as that is known: a split is spared where none of it can show through.
import type { LayerReader } from "../layer/layers.ts";
import { leafOf, type Tree } from "../merge/tree.ts";
import type { Layer, Stack } from "../model.ts";
import type { Below } from "./splits.ts";

/** The layers below the open run, folded or not: their values are the same in either form. */
export class LayersBelow {
  private layers: Layer[] | "unknown";
  private readonly reader: LayerReader;

  constructor({ below }: Stack, reader: LayerReader) {
    this.layers = below === "unknown" ? "unknown" : [...below];
    this.reader = reader;
  }

  add(layer: Layer): void {
    if (this.layers !== "unknown") this.layers.push(layer);
  }

  /** From here on the cluster may bind anything. */
  addBarrier(): void {
    this.layers = "unknown";
  }

  /** One tree for each layer that holds any values. */
  values(): Below {
    const { layers, reader } = this;
    if (layers === "unknown" || !layers.every((layer) => reader.isReadable(layer))) return "unknown";
    return layers.flatMap((layer): Tree | [] => {
      const { root } = reader.valuesOf(layer);
      return root === undefined ? [] : leafOf(root);
    });
  }
}
