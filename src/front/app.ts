// App (application.giantswarm.io): spec.config, spec.userConfig and spec.extraConfigs → one stack of
// ConfigMaps and one of Secrets, in app-operator's order; and back. SPEC sections 3, 4.
import type { Diagnostic } from "../diagnostic.ts";
import type { Fold, Layer, LayerKind, Reference, Stack, StackEntry } from "../model.ts";
import type { Edit } from "../wire/envelope.ts";
import { addEntry, changeList, type Fields, removeEntries, replaceScalar } from "../wire/edit.ts";
import { childOf, describe, isNode, type Item, refOf, textAt } from "../wire/item.ts";
import { quote } from "../yaml/quote.ts";
import type { Node } from "../yaml/tape.ts";
import { catalogBelow } from "./app-catalog.ts";
import { type AppReference, readReferences } from "./app-references.ts";
import type { Collected, FrontEnd, Surroundings } from "./front-end.ts";

/** Platform priorities (apiextensions-application v1alpha1). */
const clusterValuesPriority = 1;
const userPriority = 100;

/** At equal priority: list entries, then annotated layers, then the slot, then what the platform binds. */
const Rank = { listed: 0, annotated: 1, slot: 2, unseen: 3 } as const;

type Ranked = { readonly entry: StackEntry; readonly priority: number; readonly rank: number };

export const app: FrontEnd = {
  kind: "App",
  apiVersions: ["application.giantswarm.io/v1alpha1"],
  defaultPriority: 25,
  maxPriority: 150,
  dataKey: "values",
  collect,
  rewrite,
};

function collect(target: Item, around: Surroundings): Collected {
  const root = target.read();
  const spec = isNode(root) ? childOf(root, "spec") : undefined;
  if (spec === undefined) return { stacks: [], diagnostics: [] };
  const { references, diagnostics } = readReferences(target, spec);
  const stacks = (["ConfigMap", "Secret"] as const).map((kind) => stackOf(kind, target, { spec, references, around }));
  return { stacks: stacks.filter(({ entries }) => entries.some((entry) => "layer" in entry)), diagnostics };
}

interface App {
  readonly spec: Node;
  readonly references: readonly AppReference[];
  readonly around: Surroundings;
}

function stackOf(kind: LayerKind, target: Item, { spec, references, around }: App): Stack {
  const own = references.filter((reference) => reference.kind === kind);
  const ranked: Ranked[] = [
    ...own.map((reference) => rankReference(reference, spec, target, around)),
    ...around.annotated.filter((layer) => layer.kind === kind).map(rankAnnotated),
    ...unseenOf(spec, own, around.settings.app.unseen),
  ];
  const entries = ranked.toSorted((a, b) => a.priority - b.priority || a.rank - b.rank).map(({ entry }) => entry);
  return { target, kind, below: catalogBelow(kind, spec, around), entries };
}

function rankAnnotated(layer: Layer): Ranked {
  return { entry: { layer }, priority: layer.priority, rank: Rank.annotated };
}

function rankReference(reference: AppReference, spec: Node, target: Item, around: Surroundings): Ranked {
  const { priority, slot } = reference;
  const rank = slot === "extraConfigs" ? Rank.listed : Rank.slot;
  return { entry: entryOf(reference, spec, target, around), priority, rank };
}

function entryOf(reference: AppReference, spec: Node, target: Item, { names }: Surroundings): StackEntry {
  const { priority, kind, slot } = reference;
  // Admission demands fixed names in this slot for the catalog `default`, so it cannot take a folded one.
  if (slot === "userConfig" && textAt(spec, "catalog") === "default") return { barrier: { why: "reserved", priority } };
  const [item, ...others] = names.find(reference, target);
  if (item === undefined) return { barrier: { why: "late-bound", priority } };
  if (others.length > 0) return { barrier: { why: "ambiguous", priority, fault: ambiguous(reference, target, [item, ...others]) } };
  return { layer: { item, kind, priority, key: undefined, reference } };
}

function unseenOf(spec: Node, own: readonly Reference[], priorities: readonly number[]): Ranked[] {
  const kubeConfig = childOf(spec, "kubeConfig");
  const inCluster = kubeConfig !== undefined && textAt(kubeConfig, "inCluster") === "true";
  const userSet = own.some(({ slot }) => slot === "userConfig");
  return priorities
    .filter((priority) => priority > 0 && !(priority === clusterValuesPriority && inCluster) && !(priority === userPriority && userSet))
    .map((priority) => ({ entry: { barrier: { why: "unseen", priority } }, priority, rank: Rank.unseen }));
}

function ambiguous(reference: AppReference, target: Item, items: readonly Item[]): Diagnostic {
  return {
    code: "ambiguous-reference", severity: "error", item: refOf(target), field: reference.field,
    message: `\`${reference.kind}/${reference.name}\` is there ${items.length} times`,
    at: { text: describe(target) }, also: items.map((item) => ({ text: describe(item) })),
    hint: "give the items different names, or put the right one beside the target",
  }; // prettier-ignore
}

/** SPEC section 4: a folded layer takes a place of its run: `userConfig`, else `config`, else its top extraConfig. */
function rewrite(target: Item, folds: readonly Fold[]): readonly Edit[] | Diagnostic {
  const root = target.read();
  const spec = isNode(root) ? childOf(root, "spec") : undefined;
  if (spec === undefined || !isNode(root)) return [];
  const aliased = root.doc.targets.size > 0;
  if (aliased) return aliasFault(target);
  const places = folds.map(placeOf);
  const gone = folds.flatMap(({ layers }, index) => layers.flatMap(({ reference }) => (reference && reference !== places[index] ? [reference] : [])));
  const renames = folds.flatMap((fold, index) => renameOf(places[index], fold));
  const added = folds.filter((_, index) => places[index] === undefined).map((fold) => fieldsOf(fold, target, spec));
  const placeless = added.find((fields) => "code" in fields);
  if (placeless !== undefined) return placeless;
  return [...renames, ...removeSlots(gone, spec), ...changeExtras(gone, added as readonly Fields[], spec)];
}

function placeOf({ layers }: Fold): Reference | undefined {
  const references = layers.flatMap(({ reference }) => (reference ? [reference] : []));
  const slot = references.findLast((reference) => reference.slot === "userConfig") ?? references.findLast((reference) => reference.slot === "config");
  return slot ?? layers.at(-1)?.reference;
}

function renameOf(place: Reference | undefined, { name }: Fold): Edit[] {
  const node = place === undefined ? undefined : childOf(place.node, "name");
  return node === undefined ? [] : [replaceScalar(node, quote(name))];
}

function removeSlots(gone: readonly Reference[], spec: Node): Edit[] {
  return ["config", "userConfig"].flatMap((slot) => {
    const entries = gone.filter((reference) => reference.slot === slot).map(({ node }) => node);
    return removeEntries(entries, spec);
  });
}

function changeExtras(gone: readonly Reference[], added: readonly Fields[], spec: Node): Edit[] {
  const removed = gone.filter(({ slot }) => slot === "extraConfigs").map(({ node }) => node);
  const list = childOf(spec, "extraConfigs");
  if (list !== undefined) return changeList(list, removed, added);
  return added.length === 0 ? [] : [addEntry(spec, "extraConfigs", added)];
}

/** A new entry at the priority of the run's top layer, which no entry of the App names. */
function fieldsOf({ layers, stack, name, namespace }: Fold, target: Item, spec: Node): Fields | Diagnostic {
  const top = layers.at(-1) as Layer;
  const told = layers.findLast(({ reference }) => reference?.namespace !== undefined)?.reference?.namespace;
  const known = told ?? namespace ?? target.namespace ?? readReferences(target, spec).references[0]?.namespace;
  if (known === undefined) return noNamespace(target);
  const kind = stack.kind === "Secret" ? "secret" : "configMap";
  return [["kind", kind], ["name", quote(name)], ["namespace", quote(known)], ["priority", String(top.priority)]]; // prettier-ignore
}

function noNamespace(target: Item): Diagnostic {
  return {
    code: "no-namespace", severity: "error", item: refOf(target), at: { text: describe(target) },
    message: "an App names the namespace of each of its layers, and nothing tells which one the folded layer will have",
    hint: "give the App and its layers a namespace before they are folded",
  }; // prettier-ignore
}

function aliasFault(target: Item): Diagnostic {
  return {
    code: "item-unreadable", severity: "error", item: refOf(target), at: { text: describe(target) },
    message: "cannot change references written with YAML aliases", hint: "write the references of this item out",
  }; // prettier-ignore
}
