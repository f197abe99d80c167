// Which targets there are, before any layer is read: their references, their annotated layers, and what earlier folds left.
import type { Context, Survey } from "./context.ts";
import type { Diagnostic } from "../diagnostic.ts";
import { objectText } from "../object-id.ts";
import { componentsIn, isComponent, isInPlace, referencesOf } from "./front/all.ts";
import { isFoldedAgain } from "./front/in-place/record.ts";
import { unreadable } from "./front/spec.ts";
import type { Layer, Target } from "../layers/index.ts";
import type { TargetReferences } from "./refold/folded-target.ts";
import { markedLayers } from "./refold/marks.ts";
import { readRecord } from "./refold/record.ts";
import { restore } from "./refold/restore.ts";
import { notSelected } from "./select/annotation-faults.ts";
import { NameIndex } from "./select/names.ts";
import { foldsContaining, layerHeld, layersByTarget, settledIn } from "./select/order.ts";
import { selectTargets, type TargetSelection } from "./select/targets.ts";
import { Mark, type Item } from "../krm/index.ts";

export function surveyTargets(items: readonly Item[], context: Context): Survey {
  const { settings, report, holdings, layers } = context;
  const selection = select(items, context);
  const names = new NameIndex(items);
  const others = selection.targets.filter((target) => !isInPlace(target));
  for (const target of others) if (!isComponent(target)) report.all(unreadable(target));
  const own = new Map([...others, ...selection.leftAlone].map((target) => [target, referencesOf(target)]));
  const referencesIn = (target: Target, leftAlone: boolean): TargetReferences => {
    return { target, references: own.get(target)?.references ?? [], leftAlone };
  };
  const targetReferences = [
    ...others.map((target) => referencesIn(target, false)),
    ...selection.leftAlone.map((target) => referencesIn(target, true)),
  ];
  const pruning = settings.layers === "prune";
  const around = { names, holdings, layers, pruning };
  const { restorations, diagnostics, refused } = restore(items, targetReferences, around);
  report.all(diagnostics);
  const markedByUs = markedLayers(restorations, names, settings);
  const applied = withoutHeld(selection, restorations, context);
  return { selection, names, own, targetReferences, markedByUs, restorations, refused, ...applied };
}

/** The annotated layers that apply. Those that are already in a fold that stays are reported. */
function withoutHeld(
  selection: TargetSelection,
  restorations: Survey["restorations"],
  { report, prunes }: Context,
): Pick<Survey, "annotated" | "containsListedLayers"> {
  const annotated = new Map<Target, readonly Layer[]>();
  const containsListedLayers = new Set<Item>();
  for (const [target, all] of layersByTarget(selection.annotated)) {
    const earlier = restorations.get(target) ?? [];
    const isHeld = (layer: Layer): boolean =>
      foldsContaining(layer, earlier).length > 0 ||
      (prunes && isInPlace(target) && isKept(layer) && !isFoldedAgain(target, all));
    const held = all.filter(isHeld);
    for (const { item } of held.flatMap((layer) => foldsContaining(layer, earlier)))
      containsListedLayers.add(item);
    report.all(held.map((layer) => layerHeld(layer, target)));
    const left = all.filter((layer) => !held.includes(layer));
    annotated.set(target, settledIn(left, earlier));
  }
  return { annotated, containsListedLayers };
}

/** True for a layer kept by an earlier fold: the only trace of that fold if its target was edited in place. */
function isKept({ item }: Layer): boolean {
  return item.annotations.get(Mark.kept) === "true";
}

/** Layers that another function of the pipeline has folded: that this one leaves their targets alone is no loss. */
function foldedNames(items: readonly Item[]): ReadonlySet<string> {
  const folded = items.filter(({ annotations }) => annotations.has(Mark.foldedFrom));
  return new Set(
    folded.flatMap((item) =>
      (readRecord(item)?.layers ?? []).map((layer) =>
        objectText({ ...layer, namespace: layer.namespace ?? item.namespace }),
      ),
    ),
  );
}

function select(items: readonly Item[], { settings, report }: Context): TargetSelection {
  const components = componentsIn(items, settings.targets);
  const selection = selectTargets(items, settings.targets, components);
  const folded = foldedNames(items);
  const isFolded = ({ hint, item }: Diagnostic): boolean =>
    hint === notSelected && item !== undefined && folded.has(objectText(item));
  report.all(selection.diagnostics.filter((each) => !isFolded(each)));
  return { ...selection, targets: [...selection.targets, ...components] };
}
