// Where a value stands, for messages: the layer's item and key, line and column in its text, its file
// where the orchestrator tells it, and whose layer it is.
import { Mark } from "../wire/annotation-names.ts";
import { formatItem, type Position } from "../diagnostic.ts";
import { keyOfLayer, valuesOf } from "./layers.ts";
import type { Layer } from "../model.ts";
import { childOf, isNode, type Item, refOf, textAt } from "../wire/item.ts";
import { lineAndColumn } from "../yaml/tape.ts";

/** @param offset in the layer's text, as its `Values` read it: text that does not stand in the item has no place to tell */
export function positionOf(layer: Layer, target: Item, offset: number | undefined): Position {
  if (offset === undefined || layer.text !== undefined) return placeOf(layer, target);
  return { ...placeOf(layer, target), ...lineAndColumn(valuesOf(layer).text, offset) };
}

/** A layer without a position in it. */
export function placeOf(layer: Layer, target: Item): Position {
  const key = keyOfLayer(layer);
  const file = fileOf(layer.item);
  return {
    text: key === undefined ? formatItem(refOf(layer.item)) : `${formatItem(refOf(layer.item))} ${key}`,
    ...(file === undefined ? {} : { file }),
    role:
      layer.item === target
        ? "the target's own data"
        : `layer of ${formatItem(refOf(target))}, priority ${layer.priority}`,
  };
}

/** The file an item came from: kpt's path, or what kustomize writes with `buildMetadata: [originAnnotations]`. */
function fileOf(item: Item): string | undefined {
  const { file } = refOf(item);
  if (file !== undefined || !item.annotations.has(Mark.origin)) return file;
  const root = item.read();
  const metadata = isNode(root) ? childOf(root, "metadata") : undefined;
  const annotations = metadata === undefined ? undefined : childOf(metadata, "annotations");
  const origin = annotations === undefined ? undefined : textAt(annotations, Mark.origin);
  return /^path: (.+)$/m.exec(origin ?? "")?.[1];
}
