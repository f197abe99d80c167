// A list → the same list with the clones of its Repeats: clones of whole items first, then, in these and all other items,
// clones of list elements. The Repeats and their templates go. Loaded only if a list holds a Repeat (scripts/parts.ts). Pure.
import {
  decodeResourceList,
  decodeStream,
  type Envelope,
  type FoldedData,
  isRepeat,
  type Item,
  NameIndex,
  type Origin,
  type Settings,
} from "../core/index.ts";
import type { Diagnostic } from "../diagnostic.ts";
import { composed, copiedFrom, withEdits } from "./draft.ts";
import { type Failure, faultOf, isFailure } from "./faults.ts";
import { instancesOf, type Sources } from "./instances.ts";
import { declaredRepeats } from "./kots-templates.ts";
import { repeatLists } from "./lists.ts";
import type { Repeat } from "./model.ts";
import type { EditsOrFaults } from "./planned-clones.ts";
import { readSpec, type Spec } from "./read.ts";
import { repeatResources } from "./resources.ts";

export interface Repeated {
  readonly envelope: Envelope;
  /** Where its bytes were in the input. */
  readonly origin: Origin;
  readonly faults: readonly Diagnostic[];
}

/** Faults leave the list as it came. @param foldedData what data keys hold once their items have folded */
export function repeatAll(envelope: Envelope, settings: Settings, foldedData: FoldedData): Repeated {
  const unchanged = { envelope, origin: copiedFrom(0) };
  const { repeats, faults } = readAll(envelope.items, foldedData);
  if (faults.length > 0) return { ...unchanged, faults };
  const resources = repeatResources({ envelope, repeats, settings });
  const first = applied(envelope, resources);
  if (first.faults.length > 0) return { ...unchanged, faults: first.faults };
  const second = applied(
    first.envelope,
    repeatLists({ envelope: first.envelope, repeats, settings }, resources.clones),
  );
  if (second.faults.length > 0)
    return { ...unchanged, faults: second.faults.map((fault) => alsoAt(fault, first.origin)) };
  return { envelope: second.envelope, origin: composed(first.origin, second.origin), faults: [] };
}

function readAll(
  items: readonly Item[],
  foldedData: FoldedData,
): { repeats: readonly Repeat[]; faults: readonly Diagnostic[] } {
  const sources = { names: new NameIndex(items), foldedData };
  const faults: Diagnostic[] = [];
  const repeats: Repeat[] = [];
  for (const item of items.filter(isRepeat)) {
    const spec = readSpec(item);
    if ("faults" in spec) {
      for (const { fault } of spec.faults) faults.push(fault);
      continue;
    }
    const found =
      spec.plain.clone === undefined ? declaredRepeats(item, spec, sources) : written(item, spec, sources);
    for (const one of found) {
      if (isFailure(one)) faults.push(one.fault);
      else repeats.push(one);
    }
  }
  return { repeats, faults };
}

function written(item: Item, spec: Spec, sources: Sources): readonly (Repeat | Failure)[] {
  const instances = instancesOf(item, spec, sources);
  return [isFailure(instances) ? instances : { item, entries: spec.entries, instances }];
}

function applied(envelope: Envelope, { edits, faults }: EditsOrFaults): Repeated {
  if (faults.length > 0 || edits.length === 0) return { envelope, origin: copiedFrom(0), faults };
  const { bytes, origin } = withEdits(envelope.bytes, 0, envelope.bytes.length, edits);
  const next = envelope.form === "stream" ? decodeStream(bytes) : decodeResourceList(bytes);
  if ("items" in next) return { envelope: next, origin, faults: [] };
  const unreadable = envelope.items
    .filter(isRepeat)
    .map((item) =>
      faultOf(
        "repeat-invalid",
        item,
        "the list cannot be read once it is repeated",
        "write templates and the documents next to them in lines of their own, without comments between brackets",
      ),
    );
  return { envelope, origin: copiedFrom(0), faults: unreadable };
}

/** Places other than the Repeat's own are in the list between the two steps. */
function alsoAt(fault: Diagnostic, origin: Origin): Diagnostic {
  const { also } = fault;
  if (also === undefined) return fault;
  return {
    ...fault,
    also: also.map((one) => (one.offset === undefined ? one : { ...one, offset: origin(one.offset).at })),
  };
}
