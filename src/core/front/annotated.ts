// Annotated layers next to folds that stay. Such a fold is a layer like any other, at the place of its entry; layers that
// were folded below it earlier stay below it, whatever their priority.
import type { Layer, RecordedLayer, Reference, Restoration } from "../../layers/index.ts";
import { hasName, type NameIndex } from "../select/names.ts";
import type { Item } from "../../krm/index.ts";
import type { Surroundings } from "./front-end.ts";

/** The fold that a reference names, if it is an earlier one of this target. */
export function restorationIn(
  restorations: readonly Restoration[],
  names: NameIndex,
  target: Item,
): (reference: Reference) => Restoration | undefined {
  // Most lists have no such item: no name is looked up then.
  if (restorations.length === 0) return nothing;
  const byItem = new Map<Item, Restoration>(restorations.map((each) => [each.item, each]));
  return (reference) => {
    for (const item of names.find(reference, target)) {
      const found = byItem.get(item);
      if (found !== undefined) return found;
    }
    return undefined;
  };
}

function nothing(): undefined {
  return undefined;
}

/** An annotated layer that was folded earlier, next to folds that stay. */
export interface PlacedLayer {
  readonly layer: Layer;
  /** The restored fold it comes from, and its record there. */
  readonly from: Restoration;
  readonly as: RecordedLayer;
  /** Folds above it, the next one first. */
  readonly above: readonly Restoration[];
}

export interface Annotated {
  readonly placed: readonly PlacedLayer[];
  /** All others, by priority, then in item order. */
  readonly free: readonly Layer[];
}

/** @param keepsPlace whether a layer keeps its place among the entries, instead of the one by its priority */
export function annotatedIn(
  target: Item,
  annotated: readonly Layer[],
  { names, restorations, own }: Pick<Surroundings, "names" | "restorations" | "own">,
  keepsPlace: (layer: Layer, above: readonly Restoration[]) => boolean,
): Annotated {
  const sorted = annotated.toSorted((a, b) => a.priority - b.priority);
  if (!restorations.some(({ stays }) => stays)) return { placed: [], free: sorted };
  const restorationOf = restorationIn(restorations, names, target);
  // A slot is not in the list, but has its priority, and is above entries of the same priority.
  const isSlot = ({ index }: Reference): number => Number(index === undefined);
  const order = own.references
    .toSorted((a, b) => a.priority - b.priority || isSlot(a) - isSlot(b))
    .flatMap((each) => restorationOf(each) ?? []);
  const placed: PlacedLayer[] = [];
  const free: Layer[] = [];
  for (const one of sorted) {
    const place = order.findIndex((each) => recordedAs(each, one) !== undefined);
    const from = order[place];
    const as = from === undefined ? undefined : recordedAs(from, one);
    const layer = as === undefined ? one : { ...one, foldedBefore: true };
    const above = order.slice(place + 1).filter(({ stays }) => stays);
    if (from !== undefined && as !== undefined && keepsPlace(layer, above))
      placed.push({ layer, from, as, above });
    else free.push(layer);
  }
  return { placed, free };
}

/** The record of an annotated layer in a restored fold. */
function recordedAs({ layers, stays }: Restoration, { item, priority }: Layer): RecordedLayer | undefined {
  if (stays) return undefined;
  return layers.find(
    ({ slot, kind, name, priority: own }) =>
      slot === undefined && kind === item.kind && own === priority && hasName(item, name),
  );
}
