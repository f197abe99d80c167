// The references an App holds, with app-operator's defaults applied (CRD defaults do not exist at build
// time), and the same with folded items taken apart again.
import { type Diagnostic, nearest } from "../../diagnostic.ts";
import type { LayerKind, RecordedLayer, Reference, Restoration, OwnReferences } from "../../model.ts";
import type { NameIndex } from "../../select/names.ts";
import { childOf, describe, type Item, listAt, refOf, textAt } from "../../wire/item.ts";
import { resolveScalar } from "../../yaml/resolve.ts";
import { isScalar, type Node } from "../../yaml/tape.ts";
import { specOf } from "../spec.ts";

/** Defaults and bounds of apiextensions-application v1alpha1. */
const defaultPriority = 25;
const maxPriority = 150;
const slotPriorities = { config: 50, userConfig: 100 } as const;
const slotKinds = { configMap: "ConfigMap", secret: "Secret" } as const satisfies {
  [key: string]: LayerKind;
};

export function readReferences(target: Item): OwnReferences {
  const spec = specOf(target);
  if (spec === undefined) return { references: [], diagnostics: [] };
  const diagnostics: Diagnostic[] = [];
  const slots = (["config", "userConfig"] as const).flatMap((slot) => slotReferences(slot, spec, target));
  const extras = listAt(spec, "extraConfigs").flatMap((node, index) =>
    extraReference(node, index, target, diagnostics),
  );
  return { references: [...slots, ...extras], diagnostics };
}

function slotReferences(slot: "config" | "userConfig", spec: Node, target: Item): Reference[] {
  const config = childOf(spec, slot);
  return (["configMap", "secret"] as const).flatMap((key) => {
    const node = config === undefined ? undefined : childOf(config, key);
    const name = node === undefined ? "" : textAt(node, "name");
    // app-operator takes an empty name for "not set": Go writes unset structs that way.
    if (node === undefined || !name) return [];
    const kind = slotKinds[key];
    return [
      {
        kind,
        name,
        namespace: namespaceOf(node, target),
        slot,
        index: undefined,
        priority: slotPriorities[slot],
        node,
      },
    ];
  });
}

function extraReference(node: Node, index: number, target: Item, diagnostics: Diagnostic[]): Reference[] {
  const field = `spec.extraConfigs[${index}]`;
  const name = textAt(node, "name");
  const kindText = textAt(node, "kind") || "configMap";
  const kind = kindText === "configMap" || kindText === "secret" ? slotKinds[kindText] : undefined;
  const priority = priorityOf(node, field, target, diagnostics);
  if (kind === undefined) diagnostics.push(wrongKind(target, `${field}.kind`, kindText));
  if (!name) diagnostics.push(noName(target, `${field}.name`));
  if (kind === undefined || priority === undefined || !name) return [];
  return [{ kind, name, namespace: namespaceOf(node, target), slot: "extraConfigs", index, priority, node }];
}

/** Replaces references to folded items by those they were folded from; a slot patched since keeps its new name. */
export function restoreReferences(
  target: Item,
  references: readonly Reference[],
  restorations: readonly Restoration[],
  names: NameIndex,
): readonly Reference[] {
  if (restorations.length === 0) return inOrder(references);
  const restorationOf = (reference: Reference): Restoration | undefined => {
    const found: readonly Item[] = names.find(reference, target);
    return restorations.find(({ item }) => found.includes(item));
  };
  const isTakenApart = (reference: Reference): boolean => restorationOf(reference)?.stays === false;
  const back = restorations.filter(({ stays }) => !stays).flatMap(({ layers }) => layers);
  const slots = references.filter(({ slot }) => slot !== "extraConfigs").filter((own) => !isTakenApart(own));
  const slotsBack = back.filter(({ slot }) => slot !== undefined && slot !== "extraConfigs");
  const free = slotsBack.filter(
    ({ slot, kind }) => !slots.some((own) => own.slot === slot && own.kind === kind),
  );
  const list = withOriginalIndexes(
    references.filter(({ slot }) => slot === "extraConfigs"),
    restorations,
    restorationOf,
  );
  const listBack = back
    .filter(({ slot }) => slot === "extraConfigs")
    .map((layer) => toReference(layer, list.moved));
  const extras = [...list.references.filter((reference) => !isTakenApart(reference)), ...listBack];
  return [
    ...slots,
    ...free.map((layer) => toReference(layer, 0)),
    ...extras.toSorted((a, b) => indexOf(a) - indexOf(b)),
  ];
}

/** Entries without a name are none: indexes count the others. */
function inOrder(references: readonly Reference[]): readonly Reference[] {
  let count = 0;
  return references.map((reference) => {
    if (reference.slot !== "extraConfigs") return reference;
    const index = count++;
    return reference.index === index ? reference : { ...reference, index };
  });
}

/**
 * The list with the indexes its entries had before the folds took entries out, so that restored ones find
 * their places again. `moved` tells how many entries were put in front since.
 */
function withOriginalIndexes(
  list: readonly Reference[],
  restorations: readonly Restoration[],
  restorationOf: (reference: Reference) => Restoration | undefined,
): { references: Reference[]; moved: number } {
  const taken = new Set(restorations.flatMap(({ recorded }) => recorded.flatMap(({ index }) => index ?? [])));
  const indexIn = (reference: Reference): number | undefined => {
    const restoration = restorationOf(reference);
    return restoration === undefined ? undefined : listIndex(restoration);
  };
  const untaken = Array.from({ length: list.length + taken.size }, (_, index) => index).filter(
    (index) => !taken.has(index),
  );
  const moved = movedBy(list, indexIn, untaken);
  let others = 0;
  const references = list.map((reference): Reference => {
    const original = indexIn(reference) ?? (others < moved ? others++ - moved : untaken[others++ - moved]);
    return { ...reference, index: (original ?? list.length) + moved };
  });
  return { references, moved };
}

/** By how much the entries before the first folded one outnumber those that were there. */
function movedBy(
  list: readonly Reference[],
  indexIn: (reference: Reference) => number | undefined,
  untaken: readonly number[],
): number {
  const first = list.findIndex((reference) => indexIn(reference) !== undefined);
  if (first < 0) return 0;
  const original = indexIn(list[first] as Reference) ?? 0;
  return Math.max(0, first - untaken.filter((index) => index < original).length);
}

/** Where in the list a fold stands: at its top entry's place, unless it took a slot or no entry at all. */
function listIndex({ recorded }: Restoration): number | undefined {
  const inSlot = recorded.some(({ slot }) => slot !== undefined && slot !== "extraConfigs");
  return inSlot ? undefined : recorded.at(-1)?.index;
}

function indexOf({ index }: Reference): number {
  return index ?? 0;
}

function toReference(
  { kind, name, namespace, priority, index, slot = "" }: RecordedLayer,
  moved: number,
): Reference {
  return {
    kind,
    name,
    namespace,
    slot,
    index: index === undefined ? undefined : index + moved,
    priority,
    node: undefined,
  };
}

function namespaceOf(node: Node, target: Item): string | undefined {
  return textAt(node, "namespace") || target.namespace;
}

function priorityOf(node: Node, field: string, target: Item, diagnostics: Diagnostic[]): number | undefined {
  const value = childOf(node, "priority");
  if (value === undefined) return defaultPriority;
  const { type, text } = isScalar(value)
    ? resolveScalar(value)
    : { type: "mapping", text: "a mapping or a sequence" };
  if (type === "null") return defaultPriority;
  const priority = type === "int" ? Number(text) : Number.NaN;
  if (priority >= 1 && priority <= maxPriority) return priority;
  diagnostics.push({
    ...about(target, "invalid-priority", `${field}.priority`),
    message: `\`${field}.priority\`: expected a whole number from 1 to ${maxPriority}, got ${type === "string" ? "text " : ""}\`${text}\``,
    hint: "the API server refuses it, app-operator would drop the entry: correct it, or drop the field for the default 25",
  });
  return undefined;
}

function noName(target: Item, field: string): Diagnostic {
  return {
    ...about(target, "invalid-reference", field),
    message: `\`${field}\`: expected a name, got none`,
    hint: "name the ConfigMap or Secret, or take the entry out",
  };
}

function wrongKind(target: Item, field: string, got: string): Diagnostic {
  const known = Object.keys(slotKinds);
  const near = known.find((kind) => kind.toLowerCase() === got.toLowerCase()) ?? nearest(got, known);
  return {
    ...about(target, "invalid-reference", field),
    message: `\`${field}\`: expected \`configMap\` or \`secret\`, got \`${got}\``,
    hint:
      near === undefined
        ? "app-operator ignores entries of other kinds"
        : `write \`${near}\`: app-operator ignores any other spelling`,
  };
}

function about(target: Item, code: Diagnostic["code"], field: string): Omit<Diagnostic, "message"> {
  return { code, severity: "error", item: refOf(target), field, at: { text: describe(target) } };
}
