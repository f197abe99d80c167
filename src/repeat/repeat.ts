// A list → the same list with the clones of its Repeats: they stand where their template stood. The Repeats and their
// templates go. Loaded only if a list holds a Repeat (scripts/parts.ts). Pure.
import { decodeResourceList, decodeStream, type Envelope, type Item, removeItems } from "../krm/index.ts";
import { type FoldedData, isRepeat } from "../core/index.ts";
import type { PlaceInInput } from "../report/index.ts";
import type { Settings } from "../settings/index.ts";
import type { Diagnostic } from "../diagnostic.ts";
import { copied, type OriginEdit, withEdits } from "./draft.ts";
import { listEdits } from "./elements.ts";
import { faultAt, faultOf, fewer } from "./faults.ts";
import type { Repeat } from "./model.ts";
import { planAll } from "./plan.ts";
import { readRepeats } from "./read.ts";
import { cloneEdits } from "./resources.ts";

export interface Repeated {
  readonly envelope: Envelope;
  /** Where its bytes were in the input. */
  readonly origin: PlaceInInput;
  readonly faults: readonly Diagnostic[];
}

/** Faults leave the list as it came. @param foldedData what data keys hold once their items have folded */
export function repeatAll(envelope: Envelope, settings: Settings, foldedData: FoldedData): Repeated {
  const faults: Diagnostic[] = [];
  const edits = editsOf(envelope, settings, foldedData, faults);
  const unchanged = { envelope, origin: copied, faults: fewer(faults) };
  if (faults.length > 0) return unchanged;
  const { bytes, origin } = withEdits(envelope.bytes, 0, envelope.bytes.length, edits);
  const next = envelope.form === "stream" ? decodeStream(bytes) : decodeResourceList(bytes);
  if ("items" in next) return { envelope: next, origin, faults };
  return { ...unchanged, faults: envelope.items.filter(isRepeat).map(unreadable) };
}

function editsOf(
  envelope: Envelope,
  settings: Settings,
  foldedData: FoldedData,
  faults: Diagnostic[],
): readonly OriginEdit[] {
  const { items } = envelope;
  const repeats = readRepeats(items, foldedData, faults);
  const plans = faults.length > 0 ? [] : planAll(repeats, items, faults);
  const known = faults.length;
  const clones = cloneEdits(plans, { envelope, settings }, faults);
  const lists = faults.length > known ? [] : listEdits(plans, faults);
  const cloned = new Set(clones.map(({ template }) => template));
  const gone = items.filter(
    (item) => isRepeat(item) || (!cloned.has(item) && plans.some(({ templates }) => templates.has(item))),
  );
  if (faults.length === 0 && gone.length === items.length)
    for (const each of nothingLeft(repeats)) faults.push(each);
  return [...clones, ...lists, ...removeItems(envelope, new Set(gone))];
}

/** A fault for an empty output, which would look like a broken pipe. */
function nothingLeft([repeat]: readonly Repeat[]): readonly Diagnostic[] {
  if (repeat === undefined) return [];
  const where = { repeat: repeat.item, field: "spec" };
  const message = "there is no instance, and nothing else is in the list, so nothing would come out";
  return [faultAt("repeat-invalid", where, message, "add an instance")];
}

function unreadable(repeat: Item): Diagnostic {
  return faultOf(
    "repeat-invalid",
    repeat,
    "the list cannot be read once it is repeated",
    "write templates and the documents next to them in lines of their own, without comments between brackets",
  );
}
