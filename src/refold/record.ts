// What a folded item remembers: its target, a digest of its value, and each layer it replaced. Kept in an
// annotation as JSON, so that a later run can restore the references and fold anew.
import { Mark } from "../wire/annotation-names.ts";
import { isLayerKind } from "../layer/held.ts";
import type { Settings } from "../config/settings.ts";
import { formatItem } from "../diagnostic.ts";
import { parsePath } from "../merge/path.ts";
import type { MergeRule } from "../merge/rules.ts";
import type { Fold, Layer, Neighbours, RecordedLayer, Reference } from "../model.ts";
import { describe, type Item } from "../wire/item.ts";

/** The form of records that this program writes; it reads those below, too. 1 had no number, and no neighbours. */
const recordFormat = 2;
/** Who does not know rules would merge without them. */
const formatWithRules = 3;

/** What a folded item was folded from, as its annotation holds it. */
export interface FoldRecord {
  /** The form it is written in. */
  readonly v?: number;
  /** `Kind/[namespace/]name`. */
  readonly target: string;
  /** Of what the item holds. */
  readonly digest: string;
  /** Of what went in, where the item is sealed: that decides whether the seal is kept. */
  readonly inputs?: string;
  /** True if no target references the item, as its users do. */
  readonly alone?: boolean;
  /** What merging did at some paths, first to last. */
  readonly rules?: readonly MergeRule[];
  readonly layers: readonly RecordedLayer[];
}

/** What becomes of the layers of a fold, as far as a later run has to know. */
export interface Fates {
  /** Those that bear our mark `local-config`, from now or from earlier. */
  readonly marked: ReadonlySet<Item>;
  /** Those that are removed. */
  readonly pruned: ReadonlySet<Item>;
}

export function recordOf({ stack, layers, text, inputs }: Fold, { marked, pruned }: Fates): string {
  const isOurs = marked.size > 0 || pruned.size > 0;
  const slots = new Set(layers.flatMap(({ reference }) => reference?.slot ?? []));
  const takesSlot = slots.size > 1;
  // What is undefined is left out.
  return JSON.stringify({
    v: stack.rules === undefined ? recordFormat : formatWithRules,
    target: describe(stack.target),
    digest: text.digest(),
    inputs,
    alone: stack.beside === undefined ? undefined : true,
    rules: stack.rules?.all,
    layers: layers.map((layer, index) =>
      recordLayer(layer, takesSlot ? slotNeighbours(layers, index) : neighboursOf(layers, index), {
        local: (isOurs && marked.has(layer.item)) || undefined,
        gone: (isOurs && pruned.has(layer.item)) || undefined,
      }),
    ),
  });
}

function recordLayer(
  { item, key, priority, reference }: Layer,
  { after, before }: Neighbours,
  { local, gone }: { readonly local: true | undefined; readonly gone: true | undefined },
): object {
  const { kind } = item;
  if (reference === undefined)
    return { kind, namespace: item.namespace, name: item.name, key, priority, local, gone };
  const { namespace, name, key: named, optional: isOptional, slot } = reference;
  const optional = isOptional === true ? true : undefined;
  return { kind, namespace, name, key: named, optional, priority, slot, after, before, local, gone };
}

/** Nothing where the entries beside it are those that are recorded beside it. */
function neighboursOf(layers: readonly Layer[], index: number): Neighbours {
  const { after, before } = layers[index]?.reference?.neighbours ?? none;
  if (after !== undefined) return isEntry(layers[index - 1], after) ? none : { after };
  return before === undefined || isEntry(layers[index + 1], before) ? none : { before };
}

/**
 * The same where the folded item is in a slot: no entry of the list says where its layers stood, so the first of those
 * that stood together has to. Without a like outside the fold the nearest entry of the other kind is its neighbour.
 */
function slotNeighbours(layers: readonly Layer[], index: number): Neighbours {
  const { neighbours, others = none } = layers[index]?.reference ?? {};
  const { after } = neighbours ?? none;
  if (neighbours === undefined || after !== undefined) return neighboursOf(layers, index);
  let last = index;
  while (isEntry(layers[last + 1], layers[last]?.reference?.neighbours?.before)) last++;
  const before = layers[last]?.reference?.neighbours?.before;
  if (before !== undefined) return { before };
  return others.after === undefined ? others : { after: others.after };
}

/** True for the layer of an entry, by the name its neighbours know. */
function isEntry(layer: Layer | undefined, name: string | undefined): boolean {
  const reference = layer?.reference;
  return reference?.neighbours !== undefined && name === entryName(reference);
}

const none: Neighbours = {};

/** An entry of a list, as its neighbours are recorded. */
export function entryName({ kind, name, namespace }: Reference): string {
  return formatItem({ kind, name, namespace });
}

/** Whether valuefold marked a recorded layer; where the record does not tell, the setting that marks references does. */
export function wasMarked({ local }: RecordedLayer, { layers }: Settings): boolean {
  return local ?? layers === "local";
}

/** True for a record of a form that only a later version knows. */
export function isNewer({ v = 1 }: FoldRecord): boolean {
  return v > formatWithRules;
}

/** Several stages ask for the same ones, and items never change. */
const records = new WeakMap<Item, FoldRecord>();

/** Reads a record, the one place where its fields are checked; undefined if this program did not write it. */
export function readRecord(item: Item): FoldRecord | undefined {
  const text = item.annotations.get(Mark.foldedFrom);
  if (text === undefined) return undefined;
  const known = records.get(item) ?? parsed(text);
  if (known !== undefined) records.set(item, known);
  return known;
}

function parsed(text: string): FoldRecord | undefined {
  try {
    const found: unknown = JSON.parse(text);
    return isRecord(found) ? complete(found) : undefined;
  } catch {
    return undefined;
  }
}

/** What merging did at some paths. */
export function rulesOf({ rules = [] }: FoldRecord): readonly MergeRule[] {
  return rules;
}

/** What is left out is said by the form: who was not marked is told since the second. */
function complete(record: FoldRecord): FoldRecord {
  if (record.v === undefined) return record;
  return { ...record, layers: record.layers.map((layer) => ({ ...layer, local: layer.local === true })) };
}

type Shape = Readonly<Record<string, (value: unknown) => boolean>>;

function isShaped(found: unknown, shape: Shape): boolean {
  if (typeof found !== "object" || found === null || Array.isArray(found)) return false;
  return Object.entries(shape).every(([name, fits]) => fits((found as Record<string, unknown>)[name]));
}

function isRecord(found: unknown): found is FoldRecord {
  return isShaped(found, recordShape);
}

/** As strict as the settings: whoever merged by what it makes of a wrong one would lose lists. */
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

/** What a reference can have at most, whatever its target. */
const topPriority = 150;

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
  slot: orNone((slot) => isOneOf(slot, ["config", "userConfig", "extraConfigs", "valuesFrom"])),
  after: orNone(isText),
  before: orNone(isText),
  local: isFlag,
  gone: isFlag,
} satisfies Shape;

const recordShape = {
  v: orNone(isCount),
  target: isText,
  digest: isText,
  inputs: orNone(isText),
  alone: isFlag,
  rules: orNone((rules) => Array.isArray(rules) && rules.every(isRule)),
  layers: (layers) => Array.isArray(layers) && layers.every(isRecordedLayer),
} satisfies Shape;
