// Which targets there are, before any layer is read: their references, their annotated layers, and what earlier folds left.
import type { Context, Survey } from "./context.ts";
import { componentsIn, isComponent, isInPlace, referencesOf } from "./front/all.ts";
import { isFoldedAgain } from "./front/in-place/record.ts";
import { unreadable } from "./front/spec.ts";
import type { Layer, Target } from "./model.ts";
import type { Holder } from "./refold/holders.ts";
import { markedLayers } from "./refold/marks.ts";
import { restore } from "./refold/restore.ts";
import { NameIndex } from "./select/names.ts";
import { holdersOf, layerHeld, layersByTarget, settledIn } from "./select/order.ts";
import { selectTargets, type TargetSelection } from "./select/targets.ts";
import { Mark } from "./wire/annotation-names.ts";
import type { Item } from "./wire/item.ts";

export function surveyTargets(items: readonly Item[], context: Context): Survey {
  const { settings, report, holdings, layers } = context;
  const selection = select(items, context);
  const names = new NameIndex(items);
  const others = selection.targets.filter((target) => !isInPlace(target));
  for (const target of others) if (!isComponent(target)) report.all(unreadable(target));
  const own = new Map([...others, ...selection.leftAlone].map((target) => [target, referencesOf(target)]));
  const holderOf = (target: Target, leftAlone: boolean): Holder => {
    return { target, references: own.get(target)?.references ?? [], leftAlone };
  };
  const holders = [
    ...others.map((target) => holderOf(target, false)),
    ...selection.leftAlone.map((target) => holderOf(target, true)),
  ];
  const pruning = settings.layers === "prune";
  const around = { names, holdings, layers, pruning };
  const { restorations, diagnostics, refused } = restore(items, holders, around);
  report.all(diagnostics);
  const annotated = new Map<Target, readonly Layer[]>();
  const holds = new Set<Item>();
  for (const [target, all] of layersByTarget(selection.annotated)) {
    const earlier = restorations.get(target) ?? [];
    const held = all.filter((layer) => {
      const holding = holdersOf(layer, earlier);
      for (const { item } of holding) holds.add(item);
      return (
        holding.length > 0 ||
        (context.prunes && isInPlace(target) && isKept(layer) && !isFoldedAgain(target, all))
      );
    });
    report.all(held.map((layer) => layerHeld(layer, target)));
    const left = all.filter((layer) => !held.includes(layer));
    annotated.set(target, settledIn(left, earlier));
  }
  const marked = markedLayers(restorations, names, settings);
  return { selection, names, own, holders, holds, marked, restorations, refused, annotated };
}

/** True for a layer kept by an earlier fold: the only trace of that fold if its target was edited in place. */
function isKept({ item }: Layer): boolean {
  return item.annotations.get(Mark.kept) === "true";
}

function select(items: readonly Item[], { settings, report }: Context): TargetSelection {
  const components = componentsIn(items, settings.targets);
  const selection = selectTargets(items, settings.targets, components);
  report.all(selection.diagnostics);
  return { ...selection, targets: [...selection.targets, ...components] };
}
