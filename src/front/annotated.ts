// Where annotated layers lie in a stack, and folds of such that stay because the layers themselves are gone.
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

/** True for a fold of annotated layers alone that stays: it lies where they lay, wherever its entry stands. */
export function isNoted(restoration: Restoration | undefined): boolean {
  return restoration?.stays === true && restoration.recorded.every(({ slot }) => slot === undefined);
}

/** A fold of annotated layers that stays, and the reference to it. */
interface Staying {
  readonly reference: Reference;
  readonly fold: Restoration;
}

/** An annotated layer, or a fold of such that stays. */
export type Noted = { readonly layer: Layer } | Staying;

/**
 * By priority, then in item order. Beside folds that stay, what was folded keeps the order that its folds have in the
 * target, and what is new lies on top of them.
 * @param order folds as the target names them
 */
function notedInOrder(
  annotated: readonly Layer[],
  staying: readonly Staying[],
  order: readonly Restoration[],
): Noted[] {
  const layers = annotated.map((layer) => ({ layer }));
  if (staying.length === 0) return layers.toSorted((a, b) => a.layer.priority - b.layer.priority);
  const placeOf = (noted: Noted): number => {
    const fold = "fold" in noted ? noted.fold : order.find((each) => holds(each, noted.layer));
    return fold === undefined ? order.length : order.indexOf(fold);
  };
  return [...layers, ...staying].toSorted((a, b) => priorityOf(a) - priorityOf(b) || placeOf(a) - placeOf(b));
}

/** Annotated layers of a target, and folds of such that some of its references name. */
export function notedIn(
  target: Item,
  annotated: readonly Layer[],
  references: readonly Reference[],
  { names, restorations, own }: Pick<Surroundings, "names" | "restorations" | "own">,
): Noted[] {
  const restorationOf = restorationIn(restorations, names, target);
  const staying = references.flatMap((reference): Staying[] => {
    const fold = reference.annotated === true ? restorationOf(reference) : undefined;
    return fold === undefined ? [] : [{ reference, fold }];
  });
  // A slot stands apart from the list, but has its priority.
  const inStack = own.references.toSorted((a, b) => a.priority - b.priority);
  const order = staying.length === 0 ? [] : inStack.flatMap((each) => restorationOf(each) ?? []);
  return notedInOrder(annotated, staying, order);
}

export function priorityOf(noted: Noted): number {
  return "layer" in noted ? noted.layer.priority : (noted.fold.recorded.at(-1)?.priority ?? 0);
}

function holds({ recorded, stays }: Restoration, { item }: Layer): boolean {
  const isHeld = ({ slot, kind, name }: RecordedLayer): boolean =>
    slot === undefined && kind === item.kind && hasName(item, name);
  return !stays && recorded.some(isHeld);
}
