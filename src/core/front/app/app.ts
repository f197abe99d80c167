// App (application.giantswarm.io): spec.config, spec.userConfig and spec.extraConfigs → one stack of
// ConfigMaps and one of Secrets, in app-operator's order. docs/folding.md (Declaring a layer) and docs/targets.md (App).
import type { Layer, LayerKind, Reference, Restoration, Stack, StackEntry } from "../../../layers/index.ts";
import type { Item } from "../../../krm/index.ts";
import type { Node } from "../../../yaml/index.ts";
import { appKind } from "../../../kinds.ts";
import { catalogBelow } from "./catalog.ts";
import { readReferences, restoreReferences } from "./references.ts";
import { rewrite } from "./rewrite.ts";
import { annotatedIn, type PlacedLayer } from "../annotated.ts";
import type { Collected, ItemFrontEnd, Surroundings } from "../front-end.ts";
import { ambiguous, exemptionFrom, noSpec, specOf } from "../spec.ts";

/** Platform priorities (apiextensions-application v1alpha1, app-admission-controller). */
const clusterValuesPriority = 1;
const userPriority = appKind.references.slots.userConfig;

/** At equal priority: list entries, then annotated layers, then the slot, then what the platform binds. */
const Rank = { listed: 0, annotated: 1, slot: 2, unseen: 3 } as const;

interface Ranked {
  readonly entry: StackEntry;
  readonly priority: number;
  readonly rank: number;
}

export const app: ItemFrontEnd = {
  referencesOf: readReferences,
  collect,
  rewrite,
};

function collect(target: Item, around: Surroundings): Collected {
  const spec = specOf(target);
  const { references: own, diagnostics } = around.own;
  const references = restoreReferences(target, own, around);
  if (spec === undefined)
    return { stacks: [], references, diagnostics: around.annotated.length > 0 ? [noSpec(target)] : [] };
  const kinds = (["ConfigMap", "Secret"] as const).filter(
    (kind) =>
      references.some((reference) => reference.kind === kind) ||
      around.annotated.some(({ item }) => item.kind === kind),
  );
  const stacks = kinds.map((kind) => stackOf(kind, target, spec, references, around));
  return {
    stacks: stacks.filter(({ entries }) => entries.some(isNamed)),
    references,
    diagnostics,
  };
}

function stackOf(
  kind: LayerKind,
  target: Item,
  spec: Node,
  references: readonly Reference[],
  around: Surroundings,
): Stack {
  const own = references.filter((reference) => reference.kind === kind);
  const { placed, free } = annotatedIn(
    target,
    around.annotated.filter((layer) => layer.item.kind === kind),
    around,
    (layer, above) => above.some((each) => isAlike(layer, each)),
  );
  const ranked: Ranked[] = [
    ...own.flatMap((reference) => [
      ...layersBelow(reference, placed, target, around).map((layer) =>
        rankLayer(layer, rankUnder(reference)),
      ),
      rankReference(reference, spec, target, around),
    ]),
    ...free.map((layer) => rankLayer(layer, Rank.annotated)),
    ...unseenOf(spec, own, around.settings.app.unseen),
  ];
  const entries = ranked
    .toSorted((a, b) => a.priority - b.priority || a.rank - b.rank)
    .map(({ entry }) => entry);
  return { target, ...catalogBelow(kind, spec, around), entries };
}

/** An entry that the target or a layer names; entries that only the platform may bind make no stack. */
function isNamed(entry: StackEntry): boolean {
  return "layer" in entry || entry.barrier.reference !== undefined;
}

function rankLayer(layer: Layer, rank: number): Ranked {
  return { entry: { layer }, priority: layer.priority, rank };
}

/** Below a fold in the list are the layers listed with it; below one in a slot, those above the list. */
function rankUnder({ slot }: Reference): number {
  return slot === "extraConfigs" ? Rank.listed : Rank.annotated;
}

/** Only entries of the same priority have an order. */
function isAlike({ item, priority }: Layer, { item: folded, recorded }: Restoration): boolean {
  return folded.kind === item.kind && recorded.at(-1)?.priority === priority;
}

/** Layers that were folded below a fold that stays. */
function layersBelow(
  reference: Reference,
  placed: readonly PlacedLayer[],
  target: Item,
  { names }: Surroundings,
): Layer[] {
  if (placed.length === 0) return [];
  const found: readonly Item[] = names.find(reference, target);
  return placed.flatMap(({ layer, above }) => {
    const under = above.find((each) => isAlike(layer, each));
    return under !== undefined && found.includes(under.item) ? layer : [];
  });
}

function rankReference(reference: Reference, spec: Node, target: Item, around: Surroundings): Ranked {
  const rank = reference.slot === "extraConfigs" ? Rank.listed : Rank.slot;
  return { entry: entryOf(reference, spec, target, around), priority: reference.priority, rank };
}

function entryOf(
  reference: Reference,
  spec: Node,
  target: Item,
  { names, containsListedLayers, markedByUs }: Surroundings,
): StackEntry {
  const { priority, slot } = reference;
  // Admission demands fixed names in this slot for the catalog `default`, so it cannot take a folded one.
  if (slot === "userConfig" && spec.textAt("catalog") === "default")
    return { barrier: { why: "reserved", priority, reference } };
  const found = names.find(reference, target);
  const [item] = found;
  if (item === undefined) return { barrier: { why: "late-bound", priority, reference } };
  if (found.length > 1)
    return { barrier: { why: "ambiguous", priority, reference, fault: ambiguous(reference, target, found) } };
  const layer: Layer = {
    item,
    priority,
    key: undefined,
    reference,
    markedByUs: markedByUs.has(item),
    containsListedLayers: containsListedLayers.has(item),
  };
  const exempt = exemptionFrom(layer);
  return exempt === undefined ? { layer } : { barrier: exempt };
}

/** Layers that the platform binds without a reference: each is above all named entries of its priority. */
function unseenOf(spec: Node, own: readonly Reference[], priorities: readonly number[]): Ranked[] {
  const kubeConfig = spec.get("kubeConfig");
  const inCluster = kubeConfig !== undefined && kubeConfig.textAt("inCluster") === "true";
  const userSet = own.some(({ slot }) => slot === "userConfig");
  return priorities
    .filter(
      (priority) =>
        priority > 0 &&
        !(priority === clusterValuesPriority && inCluster) &&
        !(priority === userPriority && userSet),
    )
    .map((priority) => ({ entry: { barrier: { why: "unseen", priority } }, priority, rank: Rank.unseen }));
}
