// Where a value stands, for messages: the layer's item and key, line and column in its text, its file
// where the orchestrator tells it, and whose layer it is.
import type { Position } from "../diagnostic.ts";
import type { Layer } from "../model.ts";
import { Mark } from "../wire/annotation-names.ts";
import { describe, type Item, type Named, refOf } from "../wire/item.ts";
import type { LayerReader } from "./layers.ts";
import { annotationsOf } from "./metadata.ts";

/** @param offset in the layer's text, as its `Values` read it: text that does not stand in the item has no place to tell */
export function positionOf(
  layer: Layer,
  target: Named,
  layers: LayerReader,
  offset: number | undefined,
): Position {
  const position = positionOfLayer(layer, target, layers);
  if (offset === undefined || layer.dotted !== undefined) return position;
  return { ...position, ...layers.locate(layer, offset) };
}

/** A layer without a position in it. */
export function positionOfLayer(layer: Layer, target: Named, layers: LayerReader): Position {
  const key = layers.keyOf(layer);
  const file = fileOf(layer.item);
  return {
    text: key === undefined ? describe(layer.item) : `${describe(layer.item)} ${key}`,
    ...(file === undefined ? {} : { file }),
    role:
      layer.item === target
        ? "the target's own data"
        : `layer of ${describe(target)}, priority ${layer.priority}`,
  };
}

/** The file an item came from: kpt's path, or what kustomize writes with `buildMetadata: [originAnnotations]`. */
function fileOf(item: Item): string | undefined {
  const { file } = refOf(item);
  if (file !== undefined || !item.annotations.has(Mark.origin)) return file;
  return /^path: (.+)$/m.exec(annotationsOf(item).get(Mark.origin) ?? "")?.[1];
}
