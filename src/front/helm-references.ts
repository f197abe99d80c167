// The references a HelmRelease holds, and the same with folded items taken apart again.
import { type Diagnostic, nearest } from "../diagnostic.ts";
import { isLayerKind } from "../layers.ts";
import type { RecordedLayer, Reference } from "../model.ts";
import { describe, type Item, listAt, refOf, textAt } from "../wire/item.ts";
import type { Node } from "../yaml/tape.ts";
import type { Surroundings } from "./front-end.ts";
import { specOf } from "./target-faults.ts";

const slot = "valuesFrom";

/** What its entries count as: annotated layers go below or above them all. */
export const listPriority = 50;

export interface HelmReferences {
  readonly references: readonly Reference[];
  readonly diagnostics: readonly Diagnostic[];
}

export function readReferences(target: Item): HelmReferences {
  const spec = specOf(target);
  const diagnostics: Diagnostic[] = [];
  const list = spec === undefined ? [] : listAt(spec, slot);
  const references = list.flatMap((node, index) => readReference(node, index, target, diagnostics));
  return { references, diagnostics };
}

/** An entry has no namespace: Flux reads it in the HelmRelease's own. */
function readReference(node: Node, index: number, target: Item, diagnostics: Diagnostic[]): Reference[] {
  const kind = textAt(node, "kind") ?? "";
  const name = textAt(node, "name") ?? "";
  if (!isLayerKind(kind) || name === "") {
    diagnostics.push(isLayerKind(kind) ? noName(target, index) : wrongKind(target, index, kind));
    return [];
  }
  const key = textAt(node, "valuesKey");
  const named = key === undefined || key === "" ? {} : { key };
  const optional = textAt(node, "optional") === "true" ? { optional: true } : {};
  return [
    { kind, name, namespace: undefined, slot, index, priority: listPriority, node, ...named, ...optional },
  ];
}

/** A reference to a folded item gives way to those it was folded from, in the order they had. */
export function restoreReferences(
  target: Item,
  own: readonly Reference[],
  { restorations, names }: Surroundings,
): Reference[] {
  const restored = own.flatMap((reference): Reference[] => {
    const found = names.find(reference, target);
    const restoration = restorations.find(({ item, stays }) => !stays && found.includes(item));
    return restoration === undefined ? [reference] : restoration.layers.flatMap(toReference);
  });
  return restored.map((reference, index) => ({ ...reference, index }));
}

function toReference({
  kind,
  name,
  namespace,
  priority,
  key,
  optional,
  slot: own,
}: RecordedLayer): Reference[] {
  if (own === undefined) return [];
  const named = key === undefined ? {} : { key };
  const free = optional === true ? { optional } : {};
  return [
    { kind, name, namespace, slot: own, index: undefined, priority, node: undefined, ...named, ...free },
  ];
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
    hint: "name the ConfigMap or Secret, or take the entry out",
  };
}

function about(target: Item, field: string): Omit<Diagnostic, "message"> {
  const at = { text: describe(target) };
  return { code: "invalid-reference", severity: "error", item: refOf(target), field, at };
}
