// The places of a stack, with what can be read at each: for whoever looks at layers one by one, folded or not.
import type { LayerReader } from "../layer/layers.ts";
import type { Barrier, Layer, Stack } from "../model.ts";
import type { Node } from "../yaml/tape.ts";

/** A place of a stack, and what was read there. */
export interface Standing {
  readonly layer?: Layer;
  readonly barrier?: Barrier;
  /** True for what the target holds itself, over all layers. */
  readonly isInline?: boolean;
  readonly state?: "sealed" | "unreadable" | "late";
  readonly root?: Node;
  /** A text that is no mapping: it replaces what lies below it. */
  readonly whole?: string;
}

/** All places of a stack, lowest first, with their documents as they are now. */
export function readStack({ below, entries }: Stack, reader: LayerReader): Standing[] {
  const lowest: Standing[] =
    below === "unknown" ? [{}] : below.map((layer) => ({ layer, ...readingOf(layer, reader) }));
  const rest = entries.map((entry): Standing =>
    "barrier" in entry ? entry : { layer: entry.layer, ...readingOf(entry.layer, reader) },
  );
  return [...lowest, ...rest];
}

function readingOf(layer: Layer, reader: LayerReader): Pick<Standing, "state" | "root" | "whole"> {
  if (reader.isSealed(layer)) return { state: "sealed" };
  if (reader.lacksKey(layer)) return { state: "late" };
  if (reader.keyFault(layer) !== undefined) return { state: "unreadable" };
  const { faults, root, text } = reader.valuesOf(layer);
  if (faults.length > 0) return { state: "unreadable" };
  if (layer.format === "text") return { whole: Buffer.from(text).toString("utf8") };
  return root === undefined ? {} : { root };
}
