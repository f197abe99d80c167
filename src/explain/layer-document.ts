// An entry of a stack, as a list of objects has it → a document: how views name it, and where its values are.
import type { LayerReason, LayerState } from "../explanation.ts";
import type { Barrier, Layer, LayerReader } from "../layers/index.ts";
import { dataKeyFor, type ReadEntry, readRecord } from "../core/index.ts";
import { type Item, Mark } from "../krm/index.ts";
import { type NamedLayer, type StackDocument, unseenDocument } from "./document.ts";
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
  const { layer, barrier, state, root, whole } = entry;
  const { places, reader } = scene;
  if (layer === undefined)
    return barrier === undefined
      ? unseenDocument({ why: "catalog", priority: 0, state: "unseen" })
      : { ...unseenDocument(barrierFacts(barrier, scene)), held: barrier.item };
  return {
    facts: layerFacts(layer, state, scene),
    isKnown: state === undefined,
    ...(root && { root }),
    ...(whole !== undefined && { whole }),
    isSecret: reader.isSecret(layer),
    at: () => places.ofLayer(layer),
    placeOf: (node, path) => places.ofValue(layer, node, path),
    renderedOver: (node) => places.overriddenInRender(layer, node),
    variablesOf: (node) => places.variablesOf(layer, node),
    held: state === "sealed" || state === "late" ? layer.item : undefined,
  };
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

function barrierFacts({ why, priority, reference, mark }: Barrier, { target }: Scene): NamedLayer {
  if (reference === undefined) return { why: "platform", priority, state: "unseen" };
  const { kind, name, namespace = target?.namespace, key } = reference;
  return {
    kind,
    ...(namespace === undefined ? {} : { namespace }),
    name,
    ...(key === undefined ? {} : { key }),
    priority,
    why: "reference",
    slot: slotOf(reference),
    state: barredStates[why],
    ...(why === "no-key" && target ? { lacks: key ?? dataKeyFor(target) } : {}),
    ...(mark === undefined ? {} : { mark }),
    ...(why === "target-path" && reference.node !== undefined
      ? { setsPath: reference.node.textAt("targetPath") ?? "" }
      : {}),
  };
}

function layerFacts(layer: Layer, state: ReadEntry["state"], scene: Scene): NamedLayer {
  const { item, priority, reference, format } = layer;
  const { reader, places, isBrief } = scene;
  const key = layer.dotted === undefined ? reader.keyOf(layer) : undefined;
  const record = item.annotations.has(Mark.foldedFrom) ? readRecord(item) : undefined;
  const replaces = isBrief || state !== undefined ? [] : places.replacedBy(layer);
  return {
    kind: item.kind,
    ...(item.namespace === undefined ? {} : { namespace: item.namespace }),
    name: item.name,
    ...(key === undefined ? {} : { key }),
    priority,
    ...(item !== scene.target && isDefault(layer) ? { isDefaultPriority: true } : {}),
    why: reasonFor(layer, scene),
    ...(reference === undefined || reference.slot === "catalog" ? {} : { slot: slotOf(reference) }),
    state: state ?? "apart",
    ...(state === "late" && key !== undefined ? { lacks: key } : {}),
    ...(format === "text" ? { whole: true } : {}),
    ...(record === undefined ? {} : { foldedFrom: record.layers.map((each) => objectText(each)) }),
    ...(replaces.length === 0 ? {} : { replaces }),
  };
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
