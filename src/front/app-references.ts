// The references an App holds, with app-operator's defaults applied (CRD defaults do not exist at build time).
import { type Diagnostic, nearest } from "../diagnostic.ts";
import type { LayerKind, Reference } from "../model.ts";
import { childOf, describe, type Item, listAt, refOf, textAt } from "../wire/item.ts";
import { resolveScalar } from "../yaml/resolve.ts";
import { isScalar, type Node } from "../yaml/tape.ts";

/** Defaults and bounds of apiextensions-application v1alpha1. */
const defaultPriority = 25;
const maxPriority = 150;
const slotPriorities = { config: 50, userConfig: 100 } as const;
const kinds: Readonly<Record<string, LayerKind>> = { configMap: "ConfigMap", secret: "Secret" };

export interface AppReference extends Reference {
  readonly priority: number;
  /** Path in the App, e.g. `spec.extraConfigs[2]`. */
  readonly field: string;
}

export interface AppReferences {
  readonly references: readonly AppReference[];
  readonly diagnostics: readonly Diagnostic[];
}

export function readReferences(target: Item, spec: Node): AppReferences {
  const diagnostics: Diagnostic[] = [];
  const slots = (["config", "userConfig"] as const).flatMap((slot) => slotReferences(slot, spec, target));
  const extras = listAt(spec, "extraConfigs").flatMap((node, index) => {
    return extraReference(node, `spec.extraConfigs[${index}]`, target, diagnostics);
  });
  return { references: [...slots, ...extras], diagnostics };
}

function slotReferences(slot: "config" | "userConfig", spec: Node, target: Item): AppReference[] {
  const config = childOf(spec, slot);
  return (["configMap", "secret"] as const).flatMap((kind) => {
    const node = config === undefined ? undefined : childOf(config, kind);
    const name = node === undefined ? "" : textAt(node, "name");
    // app-operator takes an empty name for "not set": Go writes unset structs that way.
    if (node === undefined || !name) return [];
    const field = `spec.${slot}.${kind}`;
    return [{ kind: kinds[kind] as LayerKind, name, namespace: namespaceOf(node, target), slot, node, field, priority: slotPriorities[slot] }];
  });
}

function extraReference(node: Node, field: string, target: Item, diagnostics: Diagnostic[]): AppReference[] {
  const name = textAt(node, "name");
  const kindText = textAt(node, "kind") || "configMap";
  const kind = Object.hasOwn(kinds, kindText) ? kinds[kindText] : undefined;
  const priority = priorityOf(node, field, target, diagnostics);
  if (kind === undefined) diagnostics.push(wrongKind(target, `${field}.kind`, kindText));
  if (kind === undefined || priority === undefined || !name) return [];
  return [{ kind, name, namespace: namespaceOf(node, target), slot: "extraConfigs", node, field, priority }];
}

function namespaceOf(node: Node, target: Item): string | undefined {
  return textAt(node, "namespace") || target.namespace;
}

function priorityOf(node: Node, field: string, target: Item, diagnostics: Diagnostic[]): number | undefined {
  const value = childOf(node, "priority");
  if (value === undefined) return defaultPriority;
  const { type, text } = isScalar(value) ? resolveScalar(value) : { type: "mapping", text: "a mapping or a sequence" };
  if (type === "null") return defaultPriority;
  const priority = type === "int" ? Number(text) : Number.NaN;
  if (priority >= 1 && priority <= maxPriority) return priority;
  diagnostics.push({
    code: "invalid-priority", severity: "error", item: refOf(target), field: `${field}.priority`, at: { text: describe(target) },
    message: `\`${field}.priority\`: expected a whole number from 1 to ${maxPriority}, got ${type === "string" ? "text " : ""}\`${text}\``,
    hint: "the API server refuses it, app-operator would drop the entry: correct it, or drop the field for the default 25",
  }); // prettier-ignore
  return undefined;
}

function wrongKind(target: Item, field: string, got: string): Diagnostic {
  const near = Object.keys(kinds).find((kind) => kind.toLowerCase() === got.toLowerCase()) ?? nearest(got, Object.keys(kinds));
  return {
    code: "invalid-reference", severity: "error", item: refOf(target), field, at: { text: describe(target) },
    message: `\`${field}\`: expected \`configMap\` or \`secret\`, got \`${got}\``,
    hint: near === undefined ? "app-operator ignores entries of other kinds" : `write \`${near}\`: app-operator ignores any other spelling`,
  }; // prettier-ignore
}
