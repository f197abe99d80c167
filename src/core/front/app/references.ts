// The references of an App, with app-operator's defaults applied (CRD defaults do not exist at build
// time), and the same with folded items replaced by their layers again.
import { type Diagnostic, nearest } from "../../../diagnostic.ts";
import { objectText } from "../../../object-id.ts";
import type { LayerKind, RecordedLayer, Reference, OwnReferences } from "../../../layers/index.ts";
import { type NameIndex, previousNamesOf } from "../../select/names.ts";
import { type Item, atItem } from "../../../krm/index.ts";
import type { Node } from "../../../yaml/index.ts";
import { restorationIn } from "../annotated.ts";
import type { Surroundings } from "../front-end.ts";
import { lookalikes, specOf } from "../spec.ts";
import { appKind } from "../../../kinds.ts";
import { restoredList } from "./restored-list.ts";

const {
  maxPriority,
  references: {
    lists: [listSlot],
    listPriority,
    slots: slotPriorities,
  },
} = appKind;
const slotKinds = { configMap: "ConfigMap", secret: "Secret" } as const satisfies {
  [key: string]: LayerKind;
};

/** What is not known of a reference alone. All have these fields: objects of one shape are read fast. */
const unplaced = { after: undefined, behind: undefined } as const;

export function readReferences(target: Item): OwnReferences {
  const spec = specOf(target);
  if (spec === undefined) return { references: [], diagnostics: [] };
  const diagnostics: Diagnostic[] = [];
  const slots = [...slotReferences("config", spec, target), ...slotReferences("userConfig", spec, target)];
  const extras = spec
    .list("extraConfigs")
    .flatMap((node, index) => extraReference(node, index, target, diagnostics));
  diagnostics.push(...lookalikes(target, spec, ["configs", "extraConfig", "extraconfigs"], listSlot));
  return { references: [...slots, ...extras], diagnostics };
}

function slotReferences(slot: "config" | "userConfig", spec: Node, target: Item): Reference[] {
  const config = spec.get(slot);
  if (config === undefined) return [];
  return (["configMap", "secret"] as const).flatMap((key) => {
    const node = config.get(key);
    const name = node === undefined ? "" : node.textAt("name");
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
        ...unplaced,
      },
    ];
  });
}

function extraReference(node: Node, index: number, target: Item, diagnostics: Diagnostic[]): Reference[] {
  const field = `spec.extraConfigs[${index}]`;
  const name = node.textAt("name");
  const kindText = node.textAt("kind") || "configMap";
  const kind = kindText === "configMap" || kindText === "secret" ? slotKinds[kindText] : undefined;
  const priority = priorityOf(node, field, target, diagnostics);
  if (kind === undefined) diagnostics.push(wrongKind(target, `${field}.kind`, kindText));
  if (!name) diagnostics.push(noName(target, `${field}.name`));
  if (kind === undefined || priority === undefined || !name) return [];
  const place = { slot: listSlot, index, priority, node, ...unplaced };
  return [{ kind, name, namespace: namespaceOf(node, target), ...place }];
}

/** Replaces references to folded items by their recorded references; a slot patched since keeps its new name. */
export function restoreReferences(
  target: Item,
  references: readonly Reference[],
  { restorations, names }: Surroundings,
): readonly Reference[] {
  if (restorations.length === 0) return withoutRestoring(references);
  const undone = restorations.filter(({ stays }) => !stays);
  const foldIn = restorationIn(restorations, names, target);
  const kept = references.filter((own) => own.slot !== listSlot && foldIn(own)?.stays !== false);
  const free = undone
    .flatMap(({ layers }) => layers)
    .filter(({ slot }) => slot !== undefined && slot !== listSlot)
    .filter(({ slot, kind }) => !kept.some((own) => own.slot === slot && own.kind === kind));
  const list = references.filter(({ slot }) => slot === listSlot);
  const namesOf = (reference: Reference): readonly string[] => entryNames(reference, target, names);
  const entries = restoredList(listSlot, list, undone, { foldIn, namesOf, restored: toReference });
  const held = restorations.flatMap(({ stays, recorded }) => (stays ? recorded.map(objectText) : []));
  // A fold that stays may come undone later: its top layer is at its place then.
  const nameOf = (reference: Reference): string =>
    objectText(foldIn(reference)?.recorded.findLast(({ slot }) => slot === listSlot) ?? reference);
  return [...kept, ...free.map(toReference), ...withLower(entries, new Set(held), nameOf)];
}

function withoutRestoring(references: readonly Reference[]): readonly Reference[] {
  const list = references.filter(({ slot }) => slot === listSlot);
  const slots = references.filter(({ slot }) => slot !== listSlot);
  return [...slots, ...withLower(list, new Set(), objectText)];
}

/** The name of an entry, and its name before kustomize renamed its item. */
function entryNames(reference: Reference, target: Item, names: NameIndex): string[] {
  const previous = names.find(reference, target).flatMap(previousNamesOf);
  return [reference.name, ...previous].map((name) => objectText({ ...reference, name }));
}

/**
 * Each entry with the one of its kind and priority below it, and with the one in front of it.
 *
 * @param held names in the records of folds that stay: they are still valid, so that folding again changes nothing
 */
function withLower(
  list: readonly Reference[],
  held: ReadonlySet<string>,
  nameOf: (reference: Reference) => string,
): Reference[] {
  const last = new Map<string, Reference>();
  let behind: Reference["behind"];
  return list.map((reference) => {
    const { kind, priority, after } = reference;
    const lower = last.get(`${kind} ${priority}`);
    last.set(`${kind} ${priority}`, reference);
    const isHeld = after !== undefined && held.has(after);
    const entry = { ...reference, after: isHeld ? after : lower && nameOf(lower), behind };
    behind = { entry, name: () => nameOf(reference) };
    return entry;
  });
}

function toReference({ kind, name, namespace, priority, slot = "", after }: RecordedLayer): Reference {
  return {
    kind,
    name,
    namespace,
    slot,
    index: undefined,
    priority,
    node: undefined,
    after,
    behind: undefined,
  };
}

function namespaceOf(node: Node, target: Item): string | undefined {
  return node.textAt("namespace") || target.namespace;
}

function priorityOf(node: Node, field: string, target: Item, diagnostics: Diagnostic[]): number | undefined {
  const value = node.get("priority");
  if (value === undefined) return listPriority;
  const { type, text } = value.isScalar
    ? value.resolved()
    : { type: "mapping", text: "a mapping or a sequence" };
  if (type === "null") return listPriority;
  const priority = type === "int" ? Number(text) : Number.NaN;
  if (priority >= 1 && priority <= maxPriority) return priority;
  diagnostics.push({
    ...about(target, "invalid-priority", `${field}.priority`),
    message: `\`${field}.priority\`: expected a whole number from 1 to ${maxPriority}, got ${type === "string" ? "the string " : ""}\`${text}\``,
    hint: `the API server refuses it, app-operator would drop the entry: correct it, or drop the field for the default ${listPriority}`,
  });
  return undefined;
}

function noName(target: Item, field: string): Diagnostic {
  return {
    ...about(target, "invalid-reference", field),
    message: `\`${field}\`: expected a name, got none`,
    hint: "name the ConfigMap or Secret, or remove the entry",
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
  return { code, severity: "error", ...atItem(target), field };
}
