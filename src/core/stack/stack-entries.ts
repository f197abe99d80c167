// The documents of a stack's layers: one layer's, to be folded; or those of all entries, for stages that look at layers one
// by one, folded or not.
import type { Context } from "../context.ts";
import {
  type LayerReader,
  positionOfLayer,
  type Values,
  type Barrier,
  type Layer,
  type Stack,
  needsFold,
} from "../../layers/index.ts";
import type { Node } from "../../yaml/index.ts";
import { diagnosticsOf, notOpened, onlySealed } from "./layer-faults.ts";

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
export function readStack({ below, likely, entries }: Stack, reader: LayerReader): ReadEntry[] {
  const known = below === "unknown" ? (likely?.layers ?? []) : below;
  const lowest: ReadEntry[] = [
    ...(below === "unknown" ? [{}] : []),
    ...known.map((layer) => ({ layer, ...readingOf(layer, reader) })),
  ];
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

/**
 * The values of a layer that is to be folded; undefined for one that only the cluster can read: it ends its run. Reports its
 * faults, so they are reported only for layers that fold.
 */
export function readToFold(layer: Layer, stack: Stack, context: Context): Values | undefined {
  const { layers: reader, report: reporter } = context;
  if (reader.isSealed(layer)) {
    const fault = reader.openingFault(layer);
    if (fault !== undefined) reporter.report(notOpened(fault, layer, stack, reader));
    else if (needsFold(layer)) reporter.report(onlySealed(layer, stack, reader));
    return undefined;
  }
  const wrongKey = reader.keyFault(layer);
  if (wrongKey !== undefined)
    reporter.report({ ...wrongKey, at: positionOfLayer(layer, stack.target, reader) });
  const values = reader.valuesOf(layer);
  if (values.faults.length > 0 || values.notes.length > 0)
    for (const diagnostic of diagnosticsOf(layer, stack, reader)) reporter.report(diagnostic);
  return values.faults.length > 0 && values.variable ? undefined : values;
}
