// A layer that is to be folded → its values. Reports its faults, so they are reported only for layers that fold.
import type { Context } from "../context.ts";
import { positionOfLayer } from "../layer/origin.ts";
import type { Values } from "../layer/values.ts";
import type { Layer, Stack } from "../model.ts";
import { diagnosticsOf, notOpened, onlySealed } from "./layer-faults.ts";
import { needsFold } from "./run-ends.ts";

/** The values; undefined for a layer that only the cluster can read: it ends its run. */
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
