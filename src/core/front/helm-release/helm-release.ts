// HelmRelease (helm.toolkit.fluxcd.io): spec.valuesFrom → one stack of mixed kinds, in list order. Inline
// spec.values is on top of it all and is never folded. docs/targets.md (HelmRelease); helm-controller's
// chartutil.ChartValuesFromReferences is what the result must equal.
import type { Layer, Reference, StackEntry } from "../../../layers/index.ts";
import type { Item } from "../../../krm/index.ts";
import type { Node } from "../../../yaml/index.ts";
import type { Collected, ItemFrontEnd, Surroundings } from "../front-end.ts";
import { annotatedIn } from "../annotated.ts";
import { helmReleaseKind } from "../../../kinds.ts";
import { listPriority, readReferences, restorePlaces } from "./references.ts";
import { rewrite } from "./rewrite.ts";
import { ambiguous, exemptionFrom, noSpec, specOf } from "../spec.ts";

export const helmRelease: ItemFrontEnd = {
  referencesOf: readReferences,
  collect,
  inlineOf,
  rewrite,
};

/** Inline values are on top of all layers. */
function inlineOf(target: Item): Node | undefined {
  const spec = specOf(target);
  const values = spec?.get("values");
  return values === undefined || !values.isMapping ? undefined : values;
}

function collect(target: Item, around: Surroundings): Collected {
  const { references: own, diagnostics } = around.own;
  if (specOf(target) === undefined)
    return { stacks: [], references: [], diagnostics: around.annotated.length > 0 ? [noSpec(target)] : [] };
  const { placed, free } = annotatedIn(target, around.annotated, around, () => true);
  const { places, diagnostics: changed } = restorePlaces(target, own, placed, around);
  const isBelow = ({ priority }: Layer): boolean => priority < listPriority;
  const entries = [
    ...free.filter(isBelow).map((layer) => ({ layer })),
    ...places.map((place) => ("layer" in place ? place : entryOf(place.reference, target, around))),
    ...free.filter((layer) => !isBelow(layer)).map((layer) => ({ layer })),
  ];
  const references = places.flatMap((place) => ("reference" in place ? place.reference : []));
  return {
    stacks: [{ target, below: [], entries, atHome: true }],
    references,
    diagnostics: [...diagnostics, ...changed],
  };
}

function entryOf(
  reference: Reference,
  target: Item,
  { names, holdings, containsListedLayers, markedByUs }: Surroundings,
): StackEntry {
  const { priority, node, key = helmReleaseKind.dataKey } = reference;
  // Its value is not a document, and inline values are merged in below it: nothing folds across.
  const found = names.find(reference, target);
  const [item] = found;
  if (node !== undefined && node.textAt("targetPath"))
    return { barrier: { why: "target-path", priority, reference, ...(item && { item }) } };
  if (item === undefined) return { barrier: { why: "late-bound", priority, reference } };
  if (found.length > 1)
    return { barrier: { why: "ambiguous", priority, reference, fault: ambiguous(reference, target, found) } };
  const marks = { markedByUs: markedByUs.has(item), containsListedLayers: containsListedLayers.has(item) };
  const layer: Layer = { item, priority, key, reference, ...marks };
  const exempt = exemptionFrom(layer);
  if (exempt !== undefined) return { barrier: exempt };
  const isLate = reference.optional !== true && !holdings.isSealed(item, key) && holdings.lacks(item, key);
  return isLate ? { barrier: { why: "no-key", priority, reference } } : { layer };
}
