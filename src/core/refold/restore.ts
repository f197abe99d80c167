// Folded items of an earlier run: which of them are replaced by their layers again, so that a base and an overlay can
// both fold, and kpt can render any number of times. An edited or forgotten folded item is an error, never a loss.
import { Mark, isFromKpt, type Item, atItem } from "../../krm/index.ts";
import type { Diagnostic } from "../../diagnostic.ts";
import { objectText } from "../../object-id.ts";
import {
  type Holdings,
  guard,
  isLayerItem,
  isText,
  type LayerReader,
  type RecordedLayer,
  type Restoration,
  type Target,
} from "../../layers/index.ts";
import { type NameIndex, previousNamesOf } from "../select/names.ts";
import { lookUpTargets, type TargetReferences, targetOfFold, type TargetLookup } from "./folded-target.ts";
import { conflictIn } from "./folded-references.ts";
import { layersNow } from "./moved.ts";
import { type FoldRecord, isNewer, readRecord, rulesOf } from "./record.ts";

/** Folded items that are replaced by their references again; the others stay as layers. */
export function undoneFolds(restorations: readonly Restoration[]): readonly Restoration[] {
  return restorations.filter(({ stays }) => !stays);
}

export interface Restorations {
  /** By target. */
  readonly restorations: ReadonlyMap<Target, readonly Restoration[]>;
  readonly diagnostics: readonly Diagnostic[];
  /** Folded items with an error. */
  readonly refused: ReadonlySet<Item>;
}

interface RestoreContext {
  readonly names: NameIndex;
  readonly holdings: Holdings;
  readonly layers: LayerReader;
  /** True where layers are removed once folded: then a missing layer is expected. */
  readonly pruning: boolean;
}

/** Finds the layers and the target of every folded item of an earlier run. Never throws; an edited or forgotten one is a fault. */
export function restore(
  items: readonly Item[],
  targets: readonly TargetReferences[],
  context: RestoreContext,
): Restorations {
  const restorations = new Map<Target, Restoration[]>();
  const diagnostics: Diagnostic[] = [];
  const refused = new Set<Item>();
  const folded = items.filter(({ annotations }) => annotations.has(Mark.foldedFrom));
  if (folded.length === 0) return { restorations, diagnostics, refused };
  const isRecorded = recordedIn(folded);
  const lookup = { ...context, ...lookUpTargets(targets, context.names) };
  for (const item of folded) {
    const { diagnostic, target, restoration } = restoreItem(item, lookup);
    if (target !== undefined) diagnostics.push(...borrowed(item, target, lookup));
    const isExplained = diagnostic?.code === "folded-dangling" && isRecorded(item);
    if (diagnostic !== undefined && !isExplained) diagnostics.push(diagnostic);
    if (diagnostic?.severity === "error" && !isExplained) refused.add(item);
    if (target !== undefined && restoration !== undefined) {
      restorations.set(target, [...(restorations.get(target) ?? []), restoration]);
    }
  }
  for (const [target, own] of restorations) {
    // Where a folded item is at fault, its record is missing here.
    if (refused.size > 0 || "withoutItem" in target) continue;
    const records = own.map(({ item }) => readRecord(item)?.layers ?? []);
    const conflict = conflictIn(target, records);
    if (conflict !== undefined) diagnostics.push(conflict);
  }
  return { restorations, diagnostics, refused };
}

/** True for a folded item that was itself folded: the record of the later one names it. */
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
    // kustomize may have moved the items that it renamed.
    return [item.name, ...previous].some((name) => {
      const known = namespaces.get(`${item.kind}/${name}`);
      return known !== undefined && (previous.length > 0 || known.has(item.namespace));
    });
  };
}

interface RestoreOutcome {
  readonly diagnostic?: Diagnostic;
  readonly target?: Target;
  readonly restoration?: Restoration;
}

function restoreItem(item: Item, lookup: RestoreContext & TargetLookup): RestoreOutcome {
  const { names } = lookup;
  const record = readRecord(item);
  if (record === undefined) return { diagnostic: edited(item, "its record cannot be read") };
  if (isNewer(record)) return { diagnostic: newer(item) };
  const found = targetOfFold(item, record, lookup);
  const isUsed = (lookup.byItem.get(item) ?? []).length > 0;
  if (found === undefined) {
    return !isUsed && isForgotten(item, record, names) ? { diagnostic: forgotten(item) } : {};
  }
  const { target, leftAlone } = found;
  const recorded = layersNow(record, item, target, names);
  if (leftAlone && !optsOut(target)) return {};
  const there = recorded.filter((layer) => layer.gone !== true && isThere(layer, target, names));
  const missing = recorded.length - there.length;
  // A reference is never lost: its object may be bound later. A missing annotated layer was deleted with its file.
  const layers = recorded.filter((layer) => layer.slot !== undefined || there.includes(layer));
  const base = { item, recorded, layers, rules: rulesOf(record) };
  if (missing > 0 && (wasPruned(record, recorded, lookup) || !isFromKpt(item))) {
    // The slot now names another item, and pruned layers are only in this item.
    if (!isUsed && record.alone !== true) return { diagnostic: forgotten(item, recorded) };
    if (leftAlone) return {};
    return { diagnostic: kept(item, missing), target, restoration: { ...base, stays: true } };
  }
  const edit = editOf(item, record, lookup);
  if (edit !== undefined) return { diagnostic: edited(item, edit) };
  const gone = layers.filter((layer) => !there.includes(layer));
  const diagnostic = gone.length === 0 ? undefined : referenceBack(target, gone);
  return { ...(diagnostic && { diagnostic }), target, restoration: { ...base, stays: false } };
}

/** Records without a version do not say whether layers were pruned: there the setting decides. */
function wasPruned(
  { v }: FoldRecord,
  recorded: readonly RecordedLayer[],
  { pruning }: RestoreContext,
): boolean {
  return recorded.some(({ gone }) => gone === true) || (v === undefined && pruning);
}

/** How a folded item was edited; undefined if it was not. */
function editOf(
  item: Item,
  { digest }: FoldRecord,
  { layers, holdings }: RestoreContext,
): string | undefined {
  const [key, second] = holdings.keysOf(item);
  const text = key === undefined || second !== undefined ? undefined : holdings.textOf(item, key);
  // Nearly always the text is unchanged, and need not be read as values.
  if (isLayerItem(item) && isText(text) && text.digest() === digest) return undefined;
  if (digestOf(item, layers) !== digest) return "its value differs from the folded one";
  return second === undefined ? undefined : "it has more data keys than the folded one";
}

/** A target that opts out of folding gets its references back; one that no selector matches does not. */
function optsOut({ annotations }: Target): boolean {
  return annotations.get(Mark.fold) === "false";
}

/** An annotated layer is found in its own namespace, a referenced one as its target names it. */
function isThere(layer: RecordedLayer, target: Target, names: NameIndex): boolean {
  const { kind, name, namespace, slot } = layer;
  if (names.find({ kind, name, namespace }, target).length > 0) return true;
  return (
    slot === undefined && names.within(kind, name, namespace).some((item) => item.namespace === namespace)
  );
}

/** A fold without a target (`alone`) is forgotten once a kpt user has deleted the layers that asked for it. */
function isForgotten(item: Item, { alone, layers }: FoldRecord, names: NameIndex): boolean {
  if (alone !== true) return true;
  return isFromKpt(item) && layers.some((layer) => names.find(layer, item).length === 0);
}

/** Digest of the values of a folded item. */
function digestOf(item: Item, layers: LayerReader): string | undefined {
  if (!isLayerItem(item)) return undefined;
  const { text } = layers.valuesOf({ item, priority: 0, key: undefined, reference: undefined });
  return guard(text, item.kind === "Secret").digest();
}

function edited(item: Item, why: string): Diagnostic {
  const hint =
    "put the change into a layer and restore this item as it was folded, or remove the item and restore the target's references";
  return {
    code: "folded-edited",
    severity: "error",
    message: `a folded item was edited: ${why}`,
    hint,
    ...atItem(item),
  };
}

function newer(item: Item): Diagnostic {
  return {
    code: "folded-edited",
    severity: "error",
    message: "a later version of valuefold made this folded item",
    reason: "this version cannot read its record",
    hint: "use one version in base and overlay, locally and in CI",
    ...atItem(item),
  };
}

function forgotten(item: Item, recorded: readonly RecordedLayer[] = []): Diagnostic {
  const pruned = recorded.filter(({ gone }) => gone === true);
  const names = pruned.map((layer) => `\`${objectText(layer)}\``).join(", ");
  const hint =
    names === ""
      ? "remove the item, or restore the reference to it"
      : `restore the reference to it; or restore ${names}, which only this item holds, and remove the item`;
  return {
    code: "folded-dangling",
    severity: "error",
    message: "no target references this folded item",
    hint,
    ...atItem(item),
  };
}

/** References of other targets, such as a copy of this one: they get whatever is folded for it later. */
function borrowed(item: Item, owner: Target, { byItem }: TargetLookup): Diagnostic[] {
  const isOfTargets = readRecord(item)?.alone !== true;
  const others = isOfTargets ? (byItem.get(item) ?? []).filter(({ target }) => target !== owner) : [];
  return others.flatMap(({ target }): Diagnostic[] => {
    if ("withoutItem" in target) return [];
    return [
      {
        code: "invalid-reference",
        severity: "warning",
        ...atItem(target),
        message: `this ${target.kind} names the folded item of \`${objectText(owner)}\``,
        reason: `every layer of \`${objectText(owner)}\` changes it, too`,
        hint: `name the layers instead: ${namesOf(item)}`,
      },
    ];
  });
}

function namesOf(item: Item): string {
  const names = (readRecord(item)?.layers ?? []).map((layer) => `\`${objectText(layer)}\``);
  return names.join(", ");
}

/** Reported once: after this run the record no longer holds the missing layer. */
function referenceBack(target: Target, gone: readonly RecordedLayer[]): Diagnostic {
  const names = [...new Set(gone.map((layer) => `\`${objectText(layer)}\``))].join(", ");
  return {
    code: "reference-back",
    severity: "warning",
    message: `what this ${target.kind} was folded from is no longer in the list`,
    reason: `its references are restored: ${names}`,
    hint: "restore the object, or remove the reference; if the cluster has it, there is nothing to do",
    ...atItem(target),
  };
}

function kept(item: Item, missing: number): Diagnostic {
  const message = `${missing} of the layers it was folded from are not in the list`;
  const reason = "this folded item is a layer like any other";
  return { code: "layer-kept", severity: "info", message, reason, ...atItem(item) };
}
