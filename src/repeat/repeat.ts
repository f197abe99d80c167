// A list → the same list with the clones of its Repeats: clones of whole items first, then, in these and all other items,
// clones of list elements. Loaded only if a list holds a Repeat (scripts/parts.ts). Pure.
import {
  decodeResourceList,
  decodeStream,
  type Envelope,
  type FoldedData,
  isRepeat,
  type Item,
  NameIndex,
  type Origin,
} from "../core/index.ts";
import type { Diagnostic } from "../diagnostic.ts";
import { isClone } from "./clones.ts";
import { faultOf, isFailure } from "./faults.ts";
import { instancesOf } from "./instances.ts";
import { repeatLists } from "./lists.ts";
import type { Repeat } from "./model.ts";
import { composed, copiedFrom, withEdits } from "./draft.ts";
import { dependence } from "./dependence.ts";
import { readSpec, type Spec } from "./read.ts";
import { repeatResources } from "./resources.ts";
import type { EditsOrFaults, RepeatRun } from "./planned-clones.ts";

export interface Repeated {
  readonly envelope: Envelope;
  /** Where its bytes were in the input. */
  readonly origin: Origin;
  readonly faults: readonly Diagnostic[];
}

/** What a list is repeated with. */
export interface Repeating extends Pick<RepeatRun, "settings" | "outputIsNextInput"> {
  /** What data keys hold once their items have folded. */
  readonly foldedData: FoldedData;
}

/** Faults leave the list as it came. */
export function repeatAll(envelope: Envelope, { foldedData, ...common }: Repeating): Repeated {
  const unchanged = { envelope, origin: copiedFrom(0) };
  const { repeats, faults } = readAll(envelope.items, foldedData);
  if (faults.length > 0) return { ...unchanged, faults };
  const resources = repeatResources({ envelope, repeats, ...common });
  const first = applied(envelope, resources);
  if (first.faults.length > 0) return { ...unchanged, faults: first.faults };
  const second = applied(
    first.envelope,
    repeatLists({ envelope: first.envelope, repeats, ...common }, resources.clones),
  );
  if (second.faults.length > 0)
    return { ...unchanged, faults: second.faults.map((fault) => alsoAt(fault, first.origin)) };
  return { envelope: second.envelope, origin: composed(first.origin, second.origin), faults: [] };
}

function readAll(
  items: readonly Item[],
  foldedData: FoldedData,
): { repeats: readonly Repeat[]; faults: readonly Diagnostic[] } {
  const names = new NameIndex(items.filter((item) => !isClone(item)));
  const faults: Diagnostic[] = [];
  const repeats: Repeat[] = [];
  const specs: { readonly item: Item; readonly spec: Spec }[] = [];
  for (const item of items.filter(isRepeat)) {
    const spec = readSpec(item);
    const instances = "faults" in spec ? [] : instancesOf(item, spec, { names, foldedData });
    if ("faults" in spec) for (const { fault } of spec.faults) faults.push(fault);
    else if (isFailure(instances)) faults.push(instances.fault);
    else {
      repeats.push({ item, entries: spec.entries, instances });
      specs.push({ item, spec });
    }
  }
  for (const { item, spec } of specs) {
    const fault = dependence(item, spec, { items, names, repeats });
    if (fault !== undefined) faults.push(fault.fault);
  }
  return { repeats, faults };
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
        "repeat-target",
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
