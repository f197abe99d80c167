// What is odd about objects of the list: misspelt fields, values without a user, folded items too large for a client-side apply.
import { allNamesOf, findUses, nameReferencesOf, readRecord, Spans, type Survey } from "../../core/index.ts";
import { type Envelope, type Item, Mark, placeOf, refOf } from "../../krm/index.ts";
import { factsOf, layerLabels, usualDataKeys } from "../../kinds.ts";
import { type Holdings, isLayerItem, isText, labelOf, type LayerItem } from "../../layers/index.ts";
import type { Settings } from "../../settings/index.ts";
import type { Diagnostic } from "../../diagnostic.ts";
import { fieldSlips } from "./field-slips.ts";
import { hashless, objectText } from "../../object-id.ts";

/** What `kubectl apply` keeps in an annotation, all annotations of an object together (apimachinery, TotalAnnotationSizeLimitB). */
const mostBytesToApply = 262_144;

export function lintObjects(
  envelope: Envelope,
  survey: Survey,
  { settings, holdings }: { readonly settings: Settings; readonly holdings: Holdings },
): Diagnostic[] {
  const large = envelope.items.filter(
    (item) => item.annotations.has(Mark.foldedFrom) && item.end - item.start > mostBytesToApply,
  );
  const unused = unusedValues(envelope, survey, settings, holdings);
  return [...envelope.items.flatMap(fieldSlips), ...unused.map(unusedValue), ...large.map(tooLarge)];
}

/** Values in the list of a target that neither a target nor another item names. */
function unusedValues(
  envelope: Envelope,
  { selection, names, own }: Survey,
  settings: Settings,
  holdings: Holdings,
): readonly LayerItem[] {
  const targets = [...selection.targets, ...selection.leftAlone].filter(
    ({ kind }) => factsOf(kind)?.references !== undefined,
  );
  if (targets.length === 0) return [];
  const used = new Set<Item>();
  const missed = new Set<string>();
  for (const target of targets)
    for (const reference of own.get(target)?.references ?? []) {
      const found = names.find(reference, target);
      for (const item of found) used.add(item);
      if (found.length === 0) missed.add(`${reference.kind}/${reference.name}`);
    }
  for (const { kind, name, found } of foldedIn(envelope.items, names)) {
    for (const item of found) used.add(item);
    // kustomize adds the hash of a generated name after the function: the record has the name without it.
    if (found.length === 0) missed.add(`${kind}/${name}`);
  }
  const free = envelope.items
    .filter(isLayerItem)
    .filter((item) => !used.has(item) && isFree(item) && hasValues(item, holdings))
    .filter((item) => !isMissed(item, missed));
  const uses = findUses(envelope, free, {
    namesOf: allNamesOf,
    released: new Spans([]),
    namesAnother: () => false,
    nameReferences: nameReferencesOf(settings),
  });
  return free.filter((item) => !uses.has(item));
}

/** True if a reference names it without the hash: that reference is reported, with this item as the cure. */
function isMissed({ kind, name }: LayerItem, missed: ReadonlySet<string>): boolean {
  return missed.has(`${kind}/${name}`) || missed.has(`${kind}/${hashless(name)}`);
}

/** Layers of folded items of the list: one that is still in the list may be used elsewhere, too. */
function foldedIn(
  items: readonly Item[],
  names: Survey["names"],
): { readonly kind: string; readonly name: string; readonly found: readonly Item[] }[] {
  const folded = items.filter(({ annotations }) => annotations.has(Mark.foldedFrom));
  return folded.flatMap((item) =>
    (readRecord(item)?.layers ?? []).map(({ kind, name, namespace = item.namespace }) => ({
      kind,
      name,
      found: names.within(kind, name, namespace),
    })),
  );
}

/** Neither a layer by an annotation or label, nor a folded item. */
function isFree(item: LayerItem): boolean {
  const { annotations } = item;
  const isMarked = [Mark.into, Mark.foldedFrom, Mark.localConfig].some((mark) => annotations.has(mark));
  return !isMarked && !layerLabels.some((label) => labelOf(item, label) !== undefined);
}

function hasValues(item: LayerItem, holdings: Holdings): boolean {
  return holdings.keysOf(item).some((key) => {
    const text = usualDataKeys.includes(key) ? holdings.textOf(item, key) : undefined;
    return text !== undefined && !(isText(text) && text.length === 0);
  });
}

function unusedValue(item: LayerItem): Diagnostic {
  return {
    code: "unused-values",
    severity: "warning",
    message: `\`${objectText(item)}\` has values, and nothing in the list uses it`,
    hint: "reference it, annotate it with `valuefold.dev/into`, or remove it, unless the cluster uses it",
    item: refOf(item),
    at: placeOf(item),
  };
}

function tooLarge(item: Item): Diagnostic {
  return {
    code: "too-large-to-apply",
    severity: "warning",
    message: `this folded item has ${item.end - item.start} bytes`,
    reason: `a client-side apply takes at most ${mostBytesToApply}`,
    hint: "use server-side apply, as Flux and Argo CD can, or make the values smaller",
    item: refOf(item),
    at: placeOf(item),
  };
}
