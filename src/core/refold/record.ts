// The record of a folded item: its target, a digest of its value, and each layer it replaced. An annotation holds it
// as JSON, so that a later run can restore the references and fold again.
import { Mark, type Item } from "../../krm/index.ts";
import { factsOf, referenceFields, topPriority } from "../../kinds.ts";
import { objectText } from "../../object-id.ts";
import {
  isLayerKind,
  type Fold,
  type Layer,
  type RecordedLayer,
  type Reference,
} from "../../layers/index.ts";
import type { Settings } from "../../settings/index.ts";
import { parsePath, type MergeRule } from "../../merge/index.ts";

/** The form of records that this program writes; it also reads older ones. Form 1 had no number, and no `after`. */
const recordFormat = 2;
/** A program that does not know rules would merge without them, so records with rules have a newer form. */
const formatWithRules = 3;

/** The layers of a folded item and their target, as its annotation holds them. */
export interface FoldRecord {
  /** The form it is written in. */
  readonly v?: number;
  /** `Kind/[namespace/]name`. */
  readonly target: string;
  /** Of the item's value. */
  readonly digest: string;
  /** Of the inputs, for a sealed item: decides whether the seal is kept. */
  readonly inputs?: string;
  /** True if no target references the item, as its users do. */
  readonly alone?: boolean;
  /** The merge rules of the fold, first to last. */
  readonly rules?: readonly MergeRule[];
  readonly layers: readonly RecordedLayer[];
}

/** The disposal of the layers of a fold, as far as a later run needs it. */
export interface DisposedLayers {
  /** Layers with our mark `local-config`, from this run or an earlier one. */
  readonly marked: ReadonlySet<Item>;
  /** Layers that are removed. */
  readonly pruned: ReadonlySet<Item>;
}

/** @param folds of the same target */
export function recordOf(
  { stack, layers, text, inputs }: Fold,
  { marked, pruned }: DisposedLayers,
  folds: readonly Fold[],
): string {
  const isOurs = marked.size > 0 || pruned.size > 0;
  const slots = factsOf(stack.target.kind)?.references?.slots ?? {};
  const hasSlot = layers.some(({ reference }) => reference !== undefined && reference.slot in slots);
  let folded: ReadonlySet<Reference | undefined> | undefined;
  const isFolded = (entry: Reference): boolean => {
    folded ??= new Set(folds.flatMap((fold) => fold.layers.map(({ reference }) => reference)));
    return folded.has(entry);
  };
  // JSON leaves undefined fields out.
  return JSON.stringify({
    v: stack.rules === undefined ? recordFormat : formatWithRules,
    target: objectText(stack.target),
    digest: text.digest(),
    inputs,
    alone: stack.placedBefore === undefined ? undefined : true,
    rules: stack.rules?.all,
    layers: layers.map((layer, index) =>
      recordLayer(layer, {
        after: lowerOf(layers, index),
        behind: hasSlot ? behindOf(layer, isFolded) : undefined,
        local: (isOurs && marked.has(layer.item)) || undefined,
        gone: (isOurs && pruned.has(layer.item)) || undefined,
      }),
    ),
  });
}

interface LayerNotes {
  readonly after: string | undefined;
  readonly behind: string | undefined;
  readonly local: true | undefined;
  readonly gone: true | undefined;
}

function recordLayer({ item, key, priority, reference }: Layer, notes: LayerNotes): object {
  const { kind } = item;
  const { after, behind, local, gone } = notes;
  if (reference === undefined)
    return { kind, namespace: item.namespace, name: item.name, key, priority, local, gone };
  const { namespace, name, key: named, optional: isOptional, slot } = reference;
  const optional = isOptional === true ? true : undefined;
  return { kind, namespace, name, key: named, optional, priority, slot, after, behind, local, gone };
}

/** The entry below a layer in its list, unless it is the layer recorded before it. */
function lowerOf(layers: readonly Layer[], index: number): string | undefined {
  const after = layers[index]?.reference?.after;
  const previous = layers[index - 1]?.reference;
  if (after === undefined || previous === undefined) return after;
  return after === objectText(previous) ? undefined : after;
}

/** What is in front of the lowest layer of its priority. What folds comes back on its own, so its place says nothing. */
function behindOf({ reference }: Layer, isFolded: (entry: Reference) => boolean): string | undefined {
  if (reference?.after !== undefined) return undefined;
  let next = reference?.behind;
  while (next !== undefined && isFolded(next.entry)) next = next.entry.behind;
  return next?.name();
}

/** Whether valuefold marked a recorded layer; without an entry in the record, the setting for references decides. */
export function wasMarked({ local }: RecordedLayer, { layers }: Settings): boolean {
  return local ?? layers === "local";
}

/** True for a record of a form that only a later version knows. */
export function isNewer({ v = 1 }: FoldRecord): boolean {
  return v > formatWithRules;
}

/** Cached: several stages need the same records, and items never change. */
const records = new WeakMap<Item, FoldRecord>();

/** Reads a record; the one place where its fields are checked; undefined if this program did not write it. */
export function readRecord(item: Item): FoldRecord | undefined {
  const text = item.annotations.get(Mark.foldedFrom);
  if (text === undefined) return undefined;
  const known = records.get(item) ?? parsed(text);
  if (known !== undefined) records.set(item, known);
  return known;
}

function parsed(text: string): FoldRecord | undefined {
  // A byte that is not UTF-8: restored references would name something else.
  if (text.includes("\ufffd")) return undefined;
  try {
    const found: unknown = JSON.parse(text);
    return isRecord(found) ? complete(found) : undefined;
  } catch {
    return undefined;
  }
}

/** The merge rules in a record. */
export function rulesOf({ rules = [] }: FoldRecord): readonly MergeRule[] {
  return rules;
}

/** Fills in omitted fields by the form: since form 2 an omitted mark means "not marked". */
function complete(record: FoldRecord): FoldRecord {
  if (record.v === undefined) return record;
  return { ...record, layers: record.layers.map((layer) => ({ ...layer, local: layer.local === true })) };
}

type FieldChecks = Readonly<Record<string, (value: unknown) => boolean>>;

function isShaped(found: unknown, shape: FieldChecks): boolean {
  if (typeof found !== "object" || found === null || Array.isArray(found)) return false;
  return Object.entries(shape).every(([name, fits]) => fits((found as Record<string, unknown>)[name]));
}

function isRecord(found: unknown): found is FoldRecord {
  return isShaped(found, recordShape);
}

/** As strict as the settings: merging by a wrong rule would lose lists. */
function isRule(found: unknown): found is MergeRule {
  if (typeof found !== "object" || found === null) return false;
  const { path, key, list, mapping, null: nulls, ...others } = found as { readonly [name: string]: unknown };
  return (
    typeof path === "string" &&
    !("wrongAt" in parsePath(path)) &&
    (key === undefined || isKeys(key)) &&
    isOneOf(list, ["append", "prepend", "set", "replace"]) &&
    isOneOf(mapping, ["replace", "merge"]) &&
    isOneOf(nulls, ["drop", "keep"]) &&
    Object.keys(others).length === 0
  );
}

function isKeys(key: unknown): boolean {
  if (typeof key === "string") return true;
  return Array.isArray(key) && key.length > 0 && key.every((each) => typeof each === "string");
}

function isOneOf(text: unknown, words: readonly string[]): boolean {
  return text === undefined || (typeof text === "string" && words.includes(text));
}

function isRecordedLayer(found: unknown): found is RecordedLayer {
  if (!isShaped(found, layerShape)) return false;
  const { slot, priority } = found as RecordedLayer;
  return slot === undefined || (priority >= 1 && priority <= topPriority);
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function orNone(fits: (value: unknown) => boolean): (value: unknown) => boolean {
  return (value) => value === undefined || fits(value);
}

const isFlag = orNone((value) => typeof value === "boolean");
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;

const layerShape = {
  kind: (kind) => isText(kind) && isLayerKind(kind),
  name: isText,
  namespace: orNone(isText),
  key: orNone(isText),
  priority: isCount,
  optional: isFlag,
  slot: orNone((slot) => isOneOf(slot, referenceFields)),
  after: orNone(isText),
  behind: orNone(isText),
  local: isFlag,
  gone: isFlag,
} satisfies FieldChecks;

const recordShape = {
  v: orNone(isCount),
  target: isText,
  digest: isText,
  inputs: orNone(isText),
  alone: isFlag,
  rules: orNone((rules) => Array.isArray(rules) && rules.every(isRule)),
  layers: (layers) => Array.isArray(layers) && layers.every(isRecordedLayer),
} satisfies FieldChecks;
