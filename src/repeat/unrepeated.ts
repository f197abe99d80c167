// What Repeats that did not run, or ran on another input, leave in a list: found by repeating it once more.
import {
  type Context,
  describe,
  type Envelope,
  isRepeat,
  type Item,
  Mark,
  placeOf,
  preFold,
  Report,
  type Steps,
} from "../core/index.ts";
import type { Diagnostic } from "../diagnostic.ts";
import { faultOf } from "./faults.ts";
import { orphansIn } from "./retire.ts";
import { identityOf } from "./planned-clones.ts";
import { readCloneRecord } from "./record.ts";
import { repeatAll } from "./repeat.ts";

/** Empty for a list without Repeats: a pipeline drops them, and then their clones are items like any other. */
export function* repeatsLeft(envelope: Envelope, context: Context): Steps<Diagnostic[]> {
  const repeats = envelope.items.filter(isRepeat);
  const lost = orphansIn(envelope.items);
  if (repeats.length === 0) return lost;
  const report = new Report();
  const foldedData = yield* preFold(envelope.items, { ...context, report });
  if (report.failed) return lost;
  // Where nothing is taken out, what changes is what was left.
  const repeating = { settings: context.settings, foldedData, outputIsNextInput: true };
  const { envelope: next, faults } = repeatAll(envelope, repeating);
  if (faults.length === 0) return [...lost, ...differences(envelope, next)];
  // What comes out of a build has other names, so a Repeat that never ran may find nothing.
  const idle = repeats.filter(({ annotations }) => !annotations.has(Mark.localConfig));
  return [...lost, ...(idle.length > 0 ? idle.map(notAsNow) : faults)];
}

function differences(envelope: Envelope, next: Envelope): Diagnostic[] {
  if (next === envelope) return [];
  const before = new Map(envelope.items.map((item) => [identityOf(item), item]));
  const after = new Set(next.items.map(identityOf));
  const missing = next.items.filter(
    (item) => item.annotations.has(Mark.repeatedFrom) && !before.has(identityOf(item)),
  );
  const gone = envelope.items.filter(
    (item) => item.annotations.has(Mark.repeatedFrom) && !after.has(identityOf(item)),
  );
  const changed = next.items.flatMap((item) => {
    const was = before.get(identityOf(item));
    return was === undefined || textOf(was) === textOf(item) ? [] : [was];
  });
  return [...missing.map(cloneMissing), ...gone.map(instanceGone), ...changed.map(notAsNow)];
}

function textOf({ bytes, start, end }: Item): string {
  return bytes.toString("latin1", start, end).trimEnd();
}

function cloneMissing(clone: Item): Diagnostic {
  const record = readCloneRecord(clone);
  const { offset: _, ...place } = placeOf(clone);
  const message = `the clone \`${describe(clone)}\` of \`${record?.template ?? ""}\` for instance \`${record?.instance ?? ""}\` is not in the list`;
  const hint = "see to it that the function ran, and on what is verified here";
  return { code: "repeat-left", severity: "error", at: place, message, hint };
}

function instanceGone(item: Item): Diagnostic {
  const instance = readCloneRecord(item)?.instance ?? "";
  return faultOf(
    "repeat-stale",
    item,
    `\`${describe(item)}\` is a clone for instance \`${instance}\`, which is gone`,
    "run the function again",
  );
}

function notAsNow(item: Item): Diagnostic {
  const isMade = item.annotations.has(Mark.repeatedFrom) || item.annotations.has(Mark.repeatedLists);
  if (isMade)
    return faultOf(
      "repeat-stale",
      item,
      `\`${describe(item)}\` is not as its template and instances are now`,
      "run the function again",
    );
  const message = isRepeat(item)
    ? `\`${describe(item)}\` was not repeated`
    : `\`${describe(item)}\` is a template that was left as it is`;
  return faultOf(
    "repeat-left",
    item,
    message,
    "see to it that the function ran: kustomize skips it silently without `--enable-exec`",
  );
}
