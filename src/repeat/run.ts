// A list with Repeats → the list with their clones, as the first step of a run. All that a list without Repeats pays for.
import { type Context, isRepeat, preFold, type Steps } from "../core/index.ts";
import type { Envelope } from "../krm/index.ts";
import { repeatsInPlace } from "./in-place.ts";
import { repeatAll } from "./repeat.ts";

/** The list comes back unchanged without Repeats, or if one has a fault. Faults go to the context's report. */
export function* repeated(envelope: Envelope, context: Context): Steps<Envelope> {
  const { report, settings } = context;
  report.all(repeatsInPlace(envelope.items, context));
  if (report.failed || !envelope.items.some(isRepeat)) return envelope;
  const foldedData = yield* preFold(envelope.items, context);
  if (report.failed) return envelope;
  const { envelope: next, origin, faults } = repeatAll(envelope, settings, foldedData);
  report.all(faults);
  if (next !== envelope) report.movedBy(origin);
  return next;
}
