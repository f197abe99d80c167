// Which annotated layers go into which target, and which target is folded first: one that is itself a layer
// of another must be done before it.
import type { Diagnostic } from "../../diagnostic.ts";
import { objectText } from "../../object-id.ts";
import { grouped } from "../../grouped.ts";
import type { Layer, RecordedLayer, Restoration, Target } from "../../layers/index.ts";
import { allNamesOf, hasName } from "./names.ts";
import type { TargetSelection } from "./targets.ts";
import { type Item, type Named, atItem } from "../../krm/index.ts";

export type LayersByTarget = ReadonlyMap<Target, readonly Layer[]>;

export function layersByTarget(annotated: TargetSelection["annotated"]): LayersByTarget {
  const layers = new Map<Target, Layer[]>();
  for (const { layer, targets } of annotated) {
    for (const target of targets) {
      const known = layers.get(target);
      // `App/x, App/*` means the target once.
      if (known === undefined) layers.set(target, [layer]);
      else if (known.at(-1)?.item !== layer.item) known.push(layer);
    }
  }
  return layers;
}

/** Folded items that stay and have an annotated layer in them already. */
export function foldsContaining(
  { item, reference }: Layer,
  restorations: readonly Restoration[],
): readonly Restoration[] {
  if (reference !== undefined) return [];
  return restorations.filter(
    ({ stays, recorded }) =>
      stays && recorded.some((each) => each.slot === undefined && isRecordedAs(item, each)),
  );
}

/** Annotated layers with their place in earlier folds of the target: the order there is not reported again. */
export function settledIn(layers: readonly Layer[], restorations: readonly Restoration[]): readonly Layer[] {
  const recorded = restorations.flatMap((each) => each.recorded).filter(({ slot }) => slot === undefined);
  if (recorded.length === 0) return layers;
  const byName = grouped(recorded.entries(), ([, { name }]) => name);
  return layers.map((layer) => {
    const { item } = layer;
    const places = allNamesOf(item)
      .flatMap((name) => byName.get(name) ?? [])
      .filter(([, each]) => isRecordedAs(item, each))
      .map(([place]) => place);
    return places.length === 0
      ? layer
      : { ...layer, earlierPlace: places.reduce((least, place) => Math.min(least, place)) };
  });
}

/** True for an item that a record names, by its own name or by one that kustomize has changed. */
export function isRecordedAs(
  item: Item,
  { kind, name, namespace }: Pick<RecordedLayer, "kind" | "name" | "namespace">,
): boolean {
  return item.kind === kind && hasName(item, name) && isSameSpace(item, namespace);
}

/** kustomize may have given either a namespace since. */
function isSameSpace({ namespace }: Item, recorded: string | undefined): boolean {
  return recorded === undefined || namespace === undefined || namespace === recorded;
}

/** It is not known whether the layer has changed since. */
export function layerHeld({ item }: Layer, target: Named): Diagnostic {
  return {
    code: "layer-held",
    severity: "warning",
    ...atItem(item),
    message: `this layer is in what was folded for \`${objectText(target)}\` already, and is not applied again`,
    hint: "if it has changed since, fold what was rendered before the first fold",
  };
}

export interface FoldingOrder {
  readonly order: readonly Item[];
  readonly faults: readonly Diagnostic[];
}

/** Targets that are layers of others first; a target that is a layer of itself, in the end, is a fault. */
export function inFoldingOrder(targets: readonly Item[], layers: LayersByTarget): FoldingOrder {
  const wanted = new Set(targets);
  const order = new Set<Item>();
  const faults: Diagnostic[] = [];
  const open: Item[] = [];
  const visit = (target: Item): void => {
    if (order.has(target)) return;
    if (open.includes(target)) return void faults.push(cycle([...open.slice(open.indexOf(target)), target]));
    open.push(target);
    for (const { item } of layers.get(target) ?? []) if (wanted.has(item)) visit(item);
    open.pop();
    order.add(target);
  };
  for (const target of targets) visit(target);
  return { order: [...order], faults };
}

function cycle(chain: readonly Item[]): Diagnostic {
  const [first] = chain as [Item];
  return {
    code: "fold-cycle",
    severity: "error",
    ...atItem(first),
    message: `a target is a layer of itself: ${chain
      .toReversed()
      .map((item) => `\`${objectText(item)}\``)
      .join(" goes into ")}`,
    hint: "remove one of the annotations `valuefold.dev/into`",
  };
}
