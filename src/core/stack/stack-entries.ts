// The entries of a stack with their documents, for stages that look at layers one by one, folded or not.
import type { LayerReader } from "../layer/layers.ts";
import type { Barrier, Layer, Stack } from "../model.ts";
import type { Node } from "../yaml/tape.ts";

/** An entry of a stack, with its document. */
export interface ReadEntry {
  readonly layer?: Layer;
  readonly barrier?: Barrier;
  /** True for the target's own values, over all layers. */
  readonly isInline?: boolean;
  readonly state?: "sealed" | "unreadable" | "late";
  readonly root?: Node;
  /** A text that is not a mapping: it replaces the text below it. */
  readonly whole?: string;
}

/** All entries of a stack, lowest first, with their documents as they are now. */
export function readStack({ below, entries }: Stack, reader: LayerReader): ReadEntry[] {
  const lowest: ReadEntry[] =
    below === "unknown" ? [{}] : below.map((layer) => ({ layer, ...readingOf(layer, reader) }));
  const rest = entries.map((entry): ReadEntry =>
    "barrier" in entry ? entry : { layer: entry.layer, ...readingOf(entry.layer, reader) },
  );
  return [...lowest, ...rest];
}

function readingOf(layer: Layer, reader: LayerReader): Pick<ReadEntry, "state" | "root" | "whole"> {
  if (reader.isSealed(layer)) return { state: "sealed" };
  if (reader.lacksKey(layer)) return { state: "late" };
  if (reader.keyFault(layer) !== undefined) return { state: "unreadable" };
  const { faults, root, text } = reader.valuesOf(layer);
  if (faults.length > 0) return { state: "unreadable" };
  if (layer.format === "text") return { whole: Buffer.from(text).toString("utf8") };
  return root === undefined ? {} : { root };
}
