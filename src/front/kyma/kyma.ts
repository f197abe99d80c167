// Kyma overrides (kyma-operator 1.x): ConfigMaps and Secrets that say `installer: overrides` hold flat dotted
// keys; one ConfigMap and one Secret of nested values per component come of them, for Helm or Flux. Order:
// common before component, then install-order, then ConfigMap before Secret, then name. SPEC section 6.
import { labelsOf, dataKeysOf } from "../../layer/data-keys.ts";
import { isSealed } from "../../layer/layers.ts";
import type { Diagnostic } from "../../diagnostic.ts";
import type { Layer, LayerKind, Stack } from "../../model.ts";
import { hasLabels } from "../../select/selectors.ts";
import type { Settings } from "../../config/settings.ts";
import type { Item } from "../../wire/item.ts";
import type { Collected, FrontEnd, Surroundings } from "../front-end.ts";
import { flatOf, nestedText, overlap, scopeFaults } from "./keys.ts";
import {
  componentLabel,
  type Flat,
  type Override,
  orderLabel,
  orderOf,
  overridesIn,
  overridesLabel,
  wrongComponent,
} from "./overrides.ts";

/** What the values are called that hold for every component. */
const commonName = "overrides";

export const kyma: FrontEnd = {
  kind: "Kyma",
  apiVersions: [],
  defaultPriority: 0,
  maxPriority: Number.MAX_SAFE_INTEGER,
  standsAlone: true,
  dataKey: "values.yaml",
  targetsIn,
  layersOf,
  referencesOf: () => [],
  collect,
  rewrite: () => [],
};

/** A target per component and namespace, and one for what is common; only where a selector asks for them. */
function targetsIn(items: readonly Item[], selectors: Settings["targets"]): Item[] {
  const asked = (selectors ?? []).filter(({ kind }) => kind === "Kyma");
  if (asked.length === 0) return [];
  const found = new Map<string, Item>();
  for (const item of overridesIn(items)) {
    const name = labelsOf(item).get(componentLabel) ?? commonName;
    const { namespace } = item;
    const isAsked = asked.some(
      (each) =>
        (each.name ?? name) === name &&
        (each.namespace ?? namespace) === namespace &&
        hasLabels(item, each.labels),
    );
    const key = `${namespace ?? ""}/${name}`;
    if (isAsked && !found.has(key)) found.set(key, targetFor(item, name));
  }
  return [...found.values()];
}

/** No item is a component: this one stands for it, where its first layer does. */
function targetFor(layer: Item, name: string): Item {
  return { ...layer, apiVersion: "", kind: "Kyma", name, annotations: new Map() };
}

function layersOf(target: Item, items: readonly Item[]): Item[] {
  return overridesIn(items).filter(({ namespace }) => namespace === target.namespace);
}

function collect(target: Item, { items, settings }: Surroundings): Collected {
  const diagnostics: Diagnostic[] = [];
  const shared = isShared(target, items, settings.targets);
  const layers = layersOf(target, items)
    .flatMap((item) => overrideOf(item, target, diagnostics))
    .toSorted(compare);
  diagnostics.push(...scopeFaults(layers, target));
  const stacks = (["ConfigMap", "Secret"] as const).map((kind) => stackOf(kind, layers, { target, shared }));
  return { stacks: stacks.filter(({ entries }) => entries.length > 0), references: [], diagnostics };
}

interface Scene {
  readonly target: Item;
  readonly shared: boolean;
}

/** True if components that no selector asks for need the common overrides, too. */
function isShared({ namespace }: Item, items: readonly Item[], selectors: Settings["targets"]): boolean {
  const here = (targets: readonly Item[]): number =>
    targets.filter((each) => each.namespace === namespace).length;
  return here(targetsIn(items, selectors)) < here(targetsIn(items, [{ kind: "Kyma" }]));
}

function overrideOf(item: Item, target: Item, diagnostics: Diagnostic[]): Override[] {
  const component = labelsOf(item).get(componentLabel);
  const isCommon = component === undefined;
  if (!isCommon && component !== target.name) return [];
  const { order, fault } = orderOf(item);
  if (fault !== undefined) diagnostics.push(fault);
  if (component === "" || component === commonName) diagnostics.push(wrongComponent(item, component));
  // The fold itself tells that a sealed one cannot be read.
  return [{ item, isCommon, order, flat: isSealedItem(item) ? [] : flatOf(item, target, diagnostics) }];
}

function compare(a: Override, b: Override): number {
  return (
    Number(b.isCommon) - Number(a.isCommon) ||
    a.order - b.order ||
    Number(a.item.kind === "Secret") - Number(b.item.kind === "Secret") ||
    (a.item.name < b.item.name ? -1 : Number(a.item.name > b.item.name))
  );
}

/**
 * The consumer puts the Secret's values over the ConfigMap's. What a layer of the other kind overrides, in
 * Kyma's order, is therefore left out; the rest is merged as ever.
 */
function stackOf(kind: LayerKind, layers: readonly Override[], { target, shared }: Scene): Stack {
  const entries = layers.flatMap((override, index) => {
    if (override.item.kind !== kind) return [];
    const above = layers.slice(index + 1).filter(({ item }) => item.kind !== kind);
    const left = override.flat.filter(
      ({ path }) => !above.some(({ flat }) => flat.some((other) => overlap(other.path, path))),
    );
    // One that adds nothing is folded all the same: left behind it would count again.
    return [{ layer: { ...layerOf(override, left), shared: shared && override.isCommon } }];
  });
  const beside = entries[0]?.layer.item ?? target;
  const labels = [overridesLabel, componentLabel, orderLabel];
  return { target, below: [], entries, whole: true, beside, layerLabels: labels };
}

function layerOf({ item, isCommon, order }: Override, flat: readonly Flat[]): Layer {
  const variable = flat.find(({ text }) => text.includes("${"));
  const layer = {
    item,
    kind: item.kind as LayerKind,
    priority: order,
    key: sealedKeyOf(item) ?? (variable ?? flat[0])?.key,
    reference: undefined,
    scope: isCommon ? "common" : "component",
  };
  return isSealedItem(item) ? layer : { ...layer, text: nestedText(flat) };
}

function isSealedItem(item: Item): boolean {
  return sealedKeyOf(item) !== undefined;
}

/** A data key that cannot be read, as its item or it alone is sealed. */
function sealedKeyOf(item: Item): string | undefined {
  const kind = item.kind as LayerKind;
  return dataKeysOf(item).find((key) => isSealed({ item, kind, priority: 0, key, reference: undefined }));
}
