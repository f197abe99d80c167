// The references of a HelmRelease, and the same with folded items replaced by their layers again.
import { type Diagnostic, nearest } from "../../../diagnostic.ts";
import {
  isLayerKind,
  type Layer,
  type RecordedLayer,
  type Reference,
  type OwnReferences,
} from "../../../layers/index.ts";
import { type Item, refOf, placeOf } from "../../../krm/index.ts";
import type { Node } from "../../../yaml/index.ts";
import { type PlacedLayer, restorationIn } from "../annotated.ts";
import type { Surroundings } from "../front-end.ts";
import { lookalikes, specOf } from "../spec.ts";
import { helmReleaseKind } from "../../../kinds.ts";

const [slot] = helmReleaseKind.references.lists;

/** The priority of its entries: annotated layers go below or above them all. */
export const { listPriority } = helmReleaseKind.references;

export function readReferences(target: Item): OwnReferences {
  const spec = specOf(target);
  const diagnostics: Diagnostic[] = [];
  const list = spec === undefined ? [] : spec.list(slot);
  const references = list.flatMap((node, index) => readReference(node, index, target, diagnostics));
  if (spec !== undefined)
    diagnostics.push(...lookalikes(target, spec, ["valueFrom", "valuesfrom", "valuesFroms"], slot));
  return { references, diagnostics };
}

/** An entry has no namespace: Flux reads it in the HelmRelease's own. */
function readReference(node: Node, index: number, target: Item, diagnostics: Diagnostic[]): Reference[] {
  const kind = node.textAt("kind") ?? "";
  const name = node.textAt("name") ?? "";
  if (!isLayerKind(kind) || name === "") {
    diagnostics.push(isLayerKind(kind) ? noName(target, index) : wrongKind(target, index, kind));
    return [];
  }
  const key = node.textAt("valuesKey");
  const named = key === undefined || key === "" ? {} : { key };
  const optional = node.textAt("optional") === "true" ? { optional: true } : {};
  return [
    { kind, name, namespace: undefined, slot, index, priority: listPriority, node, ...named, ...optional },
  ];
}

/** An entry of the list, or a layer that was folded into one and is below a fold that stays. */
type ListPlace = { readonly reference: Reference } | { readonly layer: Layer };

/** Replaces references to folded items by their recorded references, in the recorded order. */
export function restorePlaces(
  target: Item,
  entries: readonly Reference[],
  placed: readonly PlacedLayer[],
  { restorations, names }: Surroundings,
): { readonly places: readonly ListPlace[]; readonly diagnostics: readonly Diagnostic[] } {
  const diagnostics: Diagnostic[] = [];
  const restorationOf = restorationIn(restorations, names, target);
  const places = entries.flatMap((reference): ListPlace[] => {
    const restoration = restorationOf(reference);
    if (restoration === undefined || restoration.stays) return [{ reference }];
    if (!isBare(reference)) diagnostics.push(changedEntry(target, reference));
    const own = placed.filter(({ from }) => from === restoration);
    return restoration.layers.flatMap((recorded): ListPlace[] => {
      if (recorded.slot !== undefined) return toReference(recorded).map((each) => ({ reference: each }));
      return own.flatMap(({ layer, as }) => (as === recorded ? { layer } : []));
    });
  });
  return { places, diagnostics };
}

/** True if an entry has only kind and name. */
function isBare({ node }: Reference): boolean {
  return (
    node === undefined || ["valuesKey", "targetPath", "optional"].every((key) => node.get(key) === undefined)
  );
}

function changedEntry(target: Item, { index }: Reference): Diagnostic {
  return {
    ...about(target, `spec.${slot}[${index}]`),
    code: "folded-edited",
    message: `\`spec.${slot}[${index}]\`: the entry of a folded item was changed`,
    hint: "keep only its kind and name, and add another entry for the rest",
  };
}

function toReference(layer: RecordedLayer): Reference[] {
  const { kind, name, namespace, priority, key, optional, slot: own } = layer;
  if (own === undefined) return [];
  const named = key === undefined ? {} : { key };
  const free = optional === true ? { optional } : {};
  const place = { slot: own, index: undefined, priority, node: undefined };
  return [{ kind, name, namespace, ...place, ...named, ...free }];
}

function wrongKind(target: Item, index: number, got: string): Diagnostic {
  const near = nearest(got, ["ConfigMap", "Secret"]);
  return {
    ...about(target, `spec.${slot}[${index}].kind`),
    message: `\`spec.${slot}[${index}].kind\`: expected \`ConfigMap\` or \`Secret\`, got \`${got}\``,
    hint: near === undefined ? "the API server refuses any other kind" : `write \`${near}\``,
  };
}

function noName(target: Item, index: number): Diagnostic {
  return {
    ...about(target, `spec.${slot}[${index}].name`),
    message: `\`spec.${slot}[${index}].name\`: expected a name, got none`,
    hint: "name the ConfigMap or Secret, or remove the entry",
  };
}

function about(target: Item, field: string): Omit<Diagnostic, "message"> {
  const at = placeOf(target);
  return { code: "invalid-reference", severity: "error", item: refOf(target), field, at };
}
