// One stack: its layers with their reasons and states, and its values. Everything is read at once, because documents are
// unloaded soon; whether a layer folds is known once everything is planned.
import type {
  ExplainedLayer,
  ExplainedStack,
  ExplainedValue,
  LayerReason,
  LayerState,
  RemovedValue,
} from "../explanation.ts";
import { formatItem } from "../diagnostic.ts";
import {
  type Barrier,
  childOf,
  dataKeyFor,
  describe,
  type Fold,
  type Layer,
  Mark,
  type ReadEntry,
  readRecord,
  type RunEnd,
  type Stack,
  textAt,
} from "../core/index.ts";
import { rememberHeld } from "./hidden.ts";
import { type Counts, type Scene, ValuesOfStack } from "./stack-values.ts";

/** A stack before it is known which of its layers fold. */
export interface Draft {
  readonly stack: Stack;
  /** Layers of the stack, in its order; undefined where one is unknown. */
  readonly own: readonly (Layer | undefined)[];
  readonly layers: readonly ExplainedLayer[];
  readonly values: readonly ExplainedValue[];
  readonly removed: readonly RemovedValue[];
}

/** @param nextId the next free id */
export function draftOf(
  stack: Stack,
  entries: readonly ReadEntry[],
  scene: Scene,
  nextId: () => string,
  removed: readonly RemovedValue[],
): Draft {
  const ids = entries.map(() => nextId());
  const valuesOfStack = new ValuesOfStack(entries, ids, scene);
  const values = valuesOfStack.values();
  const layers = entries.map((each, index) =>
    layerOf(each, ids[index] ?? "", scene, valuesOfStack.of(index)),
  );
  return { stack, own: entries.map(({ layer }) => layer), layers, values, removed };
}

/** The stack, with the items it folds into and the places where a run ends. */
export function finished(draft: Draft, folds: readonly Fold[], runEnds: readonly RunEnd[]): ExplainedStack {
  const { stack, own, values, removed } = draft;
  const folded = new Set<Layer | undefined>(folds.flatMap((fold) => fold.layers));
  const layers = draft.layers.map((layer, index): ExplainedLayer =>
    layer.state === "apart" && folded.has(own[index]) ? { ...layer, state: "folded" } : layer,
  );
  const byLayer = new Map(own.map((layer, index) => [layer, layers[index]?.id ?? ""]));
  const idOf = (layer: Layer): string => byLayer.get(layer) ?? "";
  const [kind, second] = new Set(layers.flatMap((layer) => layer.kind ?? []));
  return {
    ...(second === undefined && (kind === "ConfigMap" || kind === "Secret") ? { kind } : {}),
    ...(stack.into === undefined ? {} : { key: stack.into.key }),
    layers,
    runs: folds.map((fold) => ({ layers: fold.layers.map(idOf), into: intoOf(fold) })),
    splits: runEnds.map(({ below, above, reason }) => ({
      below: idOf(below),
      above: idOf(above),
      reason: reason.why,
      cure: reason.cure,
    })),
    values,
    ...(removed.length === 0 ? {} : { removed }),
  };
}

function intoOf({ stack, kind, name, namespace }: Fold): string {
  return stack.into === undefined ? formatItem({ kind, name, namespace }) : describe(stack.into.item);
}

function layerOf(entry: ReadEntry, id: string, scene: Scene, counts: Counts): ExplainedLayer {
  const { layer, barrier, isInline } = entry;
  if (layer !== undefined) return itemLayer(layer, entry, { id, counts }, scene);
  if (isInline === true) {
    const { target, places } = scene;
    const { root } = entry;
    const at = target === undefined || root === undefined ? undefined : places.ofInline(target, root);
    const isPatch = root !== undefined && places.documentOf(root)?.isPatch === true;
    const why = isPatch ? "patch" : "own";
    const secret = root !== undefined && places.documentOf(root)?.isSecret === true;
    return {
      id,
      why,
      slot: "spec.values",
      state: "apart",
      ...(secret ? { secret } : {}),
      ...counts,
      ...(at && { at }),
    };
  }
  return barrier === undefined
    ? { id, why: "catalog", priority: 0, state: "unseen" }
    : barrierLayer(barrier, id, scene);
}

/** The state of an entry that no fold takes. */
const barredStates: Readonly<Record<Barrier["why"], LayerState>> = {
  "late-bound": "late",
  "no-key": "late",
  exempt: "late",
  unseen: "unseen",
  reserved: "apart",
  ambiguous: "unreadable",
  "target-path": "apart",
};

function barrierLayer(barrier: Barrier, id: string, scene: Scene): ExplainedLayer {
  const { why, priority, reference, mark, item } = barrier;
  if (reference === undefined) return { id, why: "platform", priority, state: "unseen" };
  const { kind, name, namespace = scene.target?.namespace, key } = reference;
  const explained: ExplainedLayer = {
    id,
    kind,
    ...(namespace === undefined ? {} : { namespace }),
    name,
    ...(key === undefined ? {} : { key }),
    priority,
    why: "reference",
    slot: slotOf(reference),
    state: barredStates[why],
    ...(why === "no-key" && scene.target ? { lacks: key ?? dataKeyFor(scene.target) } : {}),
    ...(mark === undefined ? {} : { mark }),
    ...(why === "target-path" && reference.node !== undefined
      ? { setsPath: textAt(reference.node, "targetPath") ?? "" }
      : {}),
  };
  if (item !== undefined) rememberHeld(explained, { item });
  return explained;
}

function itemLayer(
  layer: Layer,
  { state }: ReadEntry,
  { id, counts }: { readonly id: string; readonly counts: Counts },
  scene: Scene,
): ExplainedLayer {
  const { item, priority, reference, format } = layer;
  const { reader, places } = scene;
  const key = layer.dotted === undefined ? reader.keyOf(layer) : undefined;
  const record = item.annotations.has(Mark.foldedFrom) ? readRecord(item) : undefined;
  const explained: ExplainedLayer = {
    id,
    kind: item.kind,
    ...(item.namespace === undefined ? {} : { namespace: item.namespace }),
    name: item.name,
    ...(key === undefined ? {} : { key }),
    priority,
    ...(item !== scene.target && isDefault(layer) ? { isDefaultPriority: true } : {}),
    why: reasonFor(layer, scene),
    ...(reference === undefined || reference.slot === "catalog" ? {} : { slot: slotOf(reference) }),
    ...stateOf(state, key),
    ...(reader.isSecret(layer) ? { secret: true } : {}),
    ...(format === "text" ? { whole: true } : {}),
    ...(record === undefined ? {} : { foldedFrom: record.layers.map((each) => formatItem(each)) }),
    ...(scene.isBrief ? {} : placed(layer, state, places)),
    ...(state === undefined && format !== "text" ? counts : {}),
  };
  if (state === "sealed" || state === "late") rememberHeld(explained, layer);
  if (!scene.isBrief) return explained;
  // In brief, few of the places are used.
  return Object.defineProperty(explained, "at", { get: () => places.ofLayer(layer), enumerable: true });
}

function placed(
  layer: Layer,
  state: ReadEntry["state"],
  places: Scene["places"],
): Pick<ExplainedLayer, "at" | "replaces"> {
  const at = places.ofLayer(layer);
  const replaces = state === undefined ? places.replacedBy(layer) : [];
  return { ...(at && { at }), ...(replaces.length === 0 ? {} : { replaces }) };
}

function stateOf(
  state: ReadEntry["state"],
  key: string | undefined,
): Pick<ExplainedLayer, "state" | "lacks"> {
  return { state: state ?? "apart", ...(state === "late" && key !== undefined ? { lacks: key } : {}) };
}

function slotOf({ slot, index }: NonNullable<Layer["reference"]>): string {
  return `spec.${slot}${index === undefined ? "" : `[${index}]`}`;
}

function reasonFor({ item, reference, dotted, scope }: Layer, { target }: Scene): LayerReason {
  if (item === target) return "own";
  if (reference !== undefined) return reference.slot === "catalog" ? "catalog" : "reference";
  return dotted !== undefined || (scope !== undefined && scope !== "static") ? "label" : "annotation";
}

/** True where neither an annotation nor the field of a list entry sets the priority. */
function isDefault({ item, reference, dotted }: Layer): boolean {
  if (dotted !== undefined) return false;
  if (reference === undefined)
    return !item.annotations.has(Mark.priority) && !item.annotations.has(Mark.priorityBefore);
  return (
    reference.slot === "extraConfigs" &&
    reference.node !== undefined &&
    childOf(reference.node, "priority") === undefined
  );
}
