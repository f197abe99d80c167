// An entry of a stack, as a list of objects has it → a document: how views name it, and where its values are.
import type { ExplainedLayer, LayerReason, LayerState } from "../explanation.ts";
import type { Barrier, Layer, LayerReader } from "../layers/index.ts";
import { dataKeyFor, type ReadEntry, readRecord } from "../core/index.ts";
import { type Item, Mark } from "../krm/index.ts";
import type { Counts, StackDocument } from "./document.ts";
import { rememberHeld } from "./hidden.ts";
import type { Places } from "./places.ts";
import { objectText } from "../object-id.ts";

/** The target of a stack, and what its layers are read with. */
export interface Scene {
  readonly target: Item | undefined;
  readonly reader: LayerReader;
  readonly places: Places;
  /** True where few places are used. */
  readonly isBrief: boolean;
}

export function documentOf(entry: ReadEntry, scene: Scene): StackDocument {
  const { layer, root, whole } = entry;
  const { places, reader, target } = scene;
  const read = { ...(root === undefined ? {} : { root }), ...(whole === undefined ? {} : { whole }) };
  const named = (id: string, counts: Counts): ExplainedLayer => layerOf(entry, id, scene, counts);
  if (layer !== undefined)
    return {
      ...read,
      layer: named,
      isSecret: reader.isSecret(layer),
      at: () => places.ofLayer(layer),
      placeOf: (node, path) => places.ofValue(layer, node, path),
      renderedOver: (node) => places.overriddenInRender(layer, node),
    };
  const chained = root && places.documentOf(root);
  return {
    ...read,
    layer: named,
    isSecret: chained?.isSecret === true,
    at: () => (target && root ? places.ofInline(target, root) : undefined),
    placeOf: (node) => target && places.ofInline(target, node),
    ...(chained === undefined ? {} : { variablesOf: chained.variablesOf }),
  };
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
      ? { setsPath: reference.node.textAt("targetPath") ?? "" }
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
    ...(record === undefined ? {} : { foldedFrom: record.layers.map((each) => objectText(each)) }),
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
    reference.node.get("priority") === undefined
  );
}
