// Annotated layers beside folds that stay. Such a fold is a layer like any other, where its entry stands; what was
// folded below it earlier stays below it, whatever its priority says of entries of a list.
import type { Layer, RecordedLayer, Reference, Restoration } from "../model.ts";
import { hasName, type NameIndex } from "../select/names.ts";
import type { Item } from "../wire/item.ts";
import type { Surroundings } from "./front-end.ts";

/** The fold that a reference names, if it is an earlier one of this target. */
export function restorationIn(
  restorations: readonly Restoration[],
  names: NameIndex,
  target: Item,
): (reference: Reference) => Restoration | undefined {
  const byItem = new Map<Item, Restoration>(restorations.map((each) => [each.item, each]));
  return (reference) => {
    for (const item of names.find(reference, target)) {
      const found = byItem.get(item);
      if (found !== undefined) return found;
    }
    return undefined;
  };
}

/** An annotated layer that lies below a fold that stays. */
export interface Lying {
  readonly layer: Layer;
  /** The fold it comes from, which is taken apart. */
  readonly from: Restoration;
  /** The next one above, which stays. */
  readonly under: Restoration;
}

export interface Annotated {
  readonly lying: readonly Lying[];
  /** All others, by priority, then in item order. */
  readonly free: readonly Layer[];
}

/** @param isAlike whether the two folds lie in one stack, and only their entries tell which is above */
export function annotatedIn(
  target: Item,
  annotated: readonly Layer[],
  { names, restorations, own }: Pick<Surroundings, "names" | "restorations" | "own">,
  isAlike: (layer: Layer, under: Restoration) => boolean,
): Annotated {
  const sorted = annotated.toSorted((a, b) => a.priority - b.priority);
  if (!restorations.some(({ stays }) => stays)) return { lying: [], free: sorted };
  const restorationOf = restorationIn(restorations, names, target);
  // A slot stands apart from the list, but has its priority.
  const order = own.references
    .toSorted((a, b) => a.priority - b.priority)
    .flatMap((each) => restorationOf(each) ?? []);
  const lying = sorted.flatMap((layer): Lying[] => {
    const place = order.findIndex((each) => holds(each, layer));
    const from = order[place];
    const under = order.slice(place + 1).find((each) => each.stays && isAlike(layer, each));
    return from === undefined || under === undefined ? [] : [{ layer, from, under }];
  });
  const taken = new Set(lying.map(({ layer }) => layer));
  return { lying, free: sorted.filter((layer) => !taken.has(layer)) };
}

function holds({ recorded, stays }: Restoration, { item, priority }: Layer): boolean {
  const isHeld = ({ slot, kind, name, priority: own }: RecordedLayer): boolean =>
    slot === undefined && kind === item.kind && own === priority && hasName(item, name);
  return !stays && recorded.some(isHeld);
}
