// Folded items of an earlier run: which of them to take apart again, so that a base and an overlay can
// both fold, and kpt can render any number of times. An edited or forgotten folded item is an error, never a loss.
import { Mark } from "../wire/annotation-names.ts";
import { type Diagnostic, formatItem } from "../diagnostic.ts";
import type { Holdings } from "../layer/holdings.ts";
import { guard } from "../layer/guarded.ts";
import { isLayerItem, isText } from "../layer/held.ts";
import type { LayerReader } from "../layer/layers.ts";
import type { RecordedLayer, Restoration, Target } from "../model.ts";
import { type NameIndex, previousNamesOf } from "../select/names.ts";
import { findableHolders, type Holder, holderOf, type Holders } from "./holders.ts";
import { layersNow } from "./moved.ts";
import { type FoldRecord, isNewer, readRecord, rulesOf } from "./record.ts";
import { isFromKpt } from "../wire/comments.ts";
import { type Item, refOf } from "../wire/item.ts";
import { placeOf } from "../wire/place.ts";

/** Folded items whose references take their place again; the others stay as layers. */
export function takenApart(restorations: readonly Restoration[]): readonly Restoration[] {
  return restorations.filter(({ stays }) => !stays);
}

export interface Restorations {
  /** By target. */
  readonly restorations: ReadonlyMap<Target, readonly Restoration[]>;
  readonly diagnostics: readonly Diagnostic[];
  /** Folded items that an error is about. */
  readonly refused: ReadonlySet<Item>;
}

interface Surroundings {
  readonly names: NameIndex;
  readonly holdings: Holdings;
  readonly layers: LayerReader;
  /** True where layers are removed once folded: then a missing one says nothing. */
  readonly pruning: boolean;
}

/** Finds what every folded item of an earlier run was folded from and for. Never throws; an edited or forgotten one is a fault. */
export function restore(
  items: readonly Item[],
  holders: readonly Holder[],
  around: Surroundings,
): Restorations {
  const restorations = new Map<Target, Restoration[]>();
  const diagnostics: Diagnostic[] = [];
  const refused = new Set<Item>();
  const folded = items.filter(({ annotations }) => annotations.has(Mark.foldedFrom));
  if (folded.length === 0) return { restorations, diagnostics, refused };
  const isRecorded = recordedIn(folded);
  const lookup = { ...around, ...findableHolders(holders, around.names) };
  for (const item of folded) {
    const { diagnostic, target, restoration } = takeApart(item, lookup);
    const isExplained = diagnostic?.code === "folded-unreferenced" && isRecorded(item);
    if (diagnostic !== undefined && !isExplained) diagnostics.push(diagnostic);
    if (diagnostic?.severity === "error" && !isExplained) refused.add(item);
    if (target !== undefined && restoration !== undefined) {
      restorations.set(target, [...(restorations.get(target) ?? []), restoration]);
    }
  }
  return { restorations, diagnostics, refused };
}

/** A folded item that was folded again is named by the record of the later one. */
function recordedIn(folded: readonly Item[]): (item: Item) => boolean {
  const namespaces = new Map<string, Set<string | undefined>>();
  for (const item of folded) {
    for (const { kind, name, namespace } of readRecord(item)?.layers ?? []) {
      const known = namespaces.get(`${kind}/${name}`) ?? new Set();
      namespaces.set(`${kind}/${name}`, known.add(namespace ?? item.namespace));
    }
  }
  return (item) => {
    const previous = previousNamesOf(item);
    // kustomize may have moved what it has renamed.
    return [item.name, ...previous].some((name) => {
      const known = namespaces.get(`${item.kind}/${name}`);
      return known !== undefined && (previous.length > 0 || known.has(item.namespace));
    });
  };
}

interface Outcome {
  readonly diagnostic?: Diagnostic;
  readonly target?: Target;
  readonly restoration?: Restoration;
}

function takeApart(item: Item, lookup: Surroundings & Holders): Outcome {
  const { names } = lookup;
  const record = readRecord(item);
  if (record === undefined) return { diagnostic: edited(item, "its record cannot be read") };
  if (isNewer(record)) return { diagnostic: newer(item) };
  const holder = holderOf(item, record, lookup);
  const isUsed = (lookup.holding.get(item) ?? []).length > 0;
  if (holder === undefined) {
    return !isUsed && isForgotten(item, record, names) ? { diagnostic: forgotten(item) } : {};
  }
  const { target, leftAlone } = holder;
  const recorded = layersNow(record, item, target, names);
  if (leftAlone && !saysSo(target)) return {};
  const there = recorded.filter((layer) => layer.gone !== true && isThere(layer, target, names));
  const missing = recorded.length - there.length;
  // A reference is never lost: its object may be bound later. An annotated layer left with its file.
  const layers = recorded.filter((layer) => layer.slot !== undefined || there.includes(layer));
  const found = { item, recorded, layers, rules: rulesOf(record) };
  if (missing > 0 && (wasPruned(record, recorded, lookup) || !isFromKpt(item))) {
    // A slot names something else by now, and what was pruned is nowhere but in here.
    if (!isUsed && record.alone !== true) return { diagnostic: forgotten(item, recorded) };
    if (leftAlone) return {};
    return { diagnostic: kept(item, missing), target, restoration: { ...found, stays: true } };
  }
  const edit = editOf(item, record, lookup);
  if (edit !== undefined) return { diagnostic: edited(item, edit) };
  const gone = layers.filter((layer) => !there.includes(layer));
  const diagnostic = gone.length === 0 ? undefined : referenceBack(target, gone);
  return { ...(diagnostic && { diagnostic }), target, restoration: { ...found, stays: false } };
}

/** Records without a version do not say what was pruned: there the setting does. */
function wasPruned(
  { v }: FoldRecord,
  recorded: readonly RecordedLayer[],
  { pruning }: Surroundings,
): boolean {
  return recorded.some(({ gone }) => gone === true) || (v === undefined && pruning);
}

/** What somebody changed about a folded item. */
function editOf(item: Item, { digest }: FoldRecord, { layers, holdings }: Surroundings): string | undefined {
  const [key, second] = holdings.keysOf(item);
  const text = key === undefined || second !== undefined ? undefined : holdings.textOf(item, key);
  // Nearly always the text is there to the byte, and need not be read as values.
  if (isLayerItem(item) && isText(text) && text.digest() === digest) return undefined;
  if (digestOf(item, layers) !== digest) return "its value is not what was folded";
  return second === undefined ? undefined : "it holds more than what was folded";
}

/** A target that says itself that it is not to be folded gets its references back; one that no selector asks for does not. */
function saysSo({ annotations }: Target): boolean {
  return annotations.get(Mark.fold) === "false";
}

/** A layer that was annotated is known by its own namespace, a referenced one as its target names it. */
function isThere(layer: RecordedLayer, target: Target, names: NameIndex): boolean {
  const { kind, name, namespace, slot } = layer;
  if (names.find({ kind, name, namespace }, target).length > 0) return true;
  return (
    slot === undefined && names.within(kind, name, namespace).some((item) => item.namespace === namespace)
  );
}

/** What stands alone is forgotten once kpt's user has deleted the layers that asked for it. */
function isForgotten(item: Item, { alone, layers }: FoldRecord, names: NameIndex): boolean {
  if (alone !== true) return true;
  return isFromKpt(item) && layers.some((layer) => names.find(layer, item).length === 0);
}

/** Digest of what a folded item holds, as values are read. */
function digestOf(item: Item, layers: LayerReader): string | undefined {
  if (!isLayerItem(item)) return undefined;
  const { text } = layers.valuesOf({ item, priority: 0, key: undefined, reference: undefined });
  return guard(text, item.kind === "Secret").digest();
}

function about(item: Item): Pick<Diagnostic, "item" | "at"> {
  return { item: refOf(item), at: placeOf(item) };
}

function edited(item: Item, why: string): Diagnostic {
  const hint =
    "put the change into a layer and restore this item as it was folded, or remove the item and restore the target's references";
  return {
    code: "folded-edited",
    severity: "error",
    message: `a folded item was edited: ${why}`,
    hint,
    ...about(item),
  };
}

function newer(item: Item): Diagnostic {
  return {
    code: "folded-by-newer",
    severity: "error",
    message:
      "a later version of valuefold made this folded item, and this one does not know the form of its record",
    hint: "use one version in base and overlay, at your desk and in CI",
    ...about(item),
  };
}

function forgotten(item: Item, recorded: readonly RecordedLayer[] = []): Diagnostic {
  const pruned = recorded.filter(({ gone }) => gone === true);
  const names = pruned.map((layer) => `\`${formatItem(layer)}\``).join(", ");
  const hint =
    names === ""
      ? "remove the item, or restore the reference to it"
      : `restore the reference to it; or bring back ${names}, which only this item holds, and remove the item`;
  return {
    code: "folded-unreferenced",
    severity: "error",
    message: "no target references this folded item any more",
    hint,
    ...about(item),
  };
}

/** Once: after this run the record no longer holds what is gone. */
function referenceBack(target: Target, gone: readonly RecordedLayer[]): Diagnostic {
  const names = [...new Set(gone.map((layer) => `\`${formatItem(layer)}\``))].join(", ");
  return {
    code: "reference-back",
    severity: "warning",
    message: `what this ${target.kind} was folded from is not in the list any more, and it references that again: ${names}`,
    hint: "bring the object back, or take the reference away; if the cluster has it, there is nothing to do",
    item: refOf(target),
    at: placeOf(target),
  };
}

function kept(item: Item, missing: number): Diagnostic {
  const message = `${missing} of the layers it was folded from are not in the list, so this folded item counts as a layer like any other`;
  return { code: "folded-kept", severity: "info", message, ...about(item) };
}
