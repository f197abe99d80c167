// The place of a value, for messages: the layer's item and key, line and column in its text, its place in the input or
// the file it came from, and the layer's target.
import type { Position } from "../diagnostic.ts";
import { objectText } from "../object-id.ts";
import type { Layer } from "./model.ts";
import { type Named, placeOf } from "../krm/index.ts";
import type { LayerReader } from "./layers.ts";

/** @param offset in the layer's text, as its `Values` read it: text that is not in the item has no place */
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
  return {
    ...placeOf(layer.item),
    text: key === undefined ? objectText(layer.item) : `${objectText(layer.item)} ${key}`,
    role:
      layer.item === target
        ? "the target's own data"
        : `layer of ${objectText(target)}, priority ${layer.priority}`,
  };
}
