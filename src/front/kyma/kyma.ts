// Kyma overrides (kyma-operator 1.x): ConfigMaps and Secrets that say `installer: overrides` hold flat dotted
// keys; one ConfigMap and one Secret of nested values per component come of them, for Helm or Flux. Order:
// common before component, then install-order, then ConfigMap before Secret, then name. docs/targets.md, Kyma.
import type { Held } from "../../layer/held.ts";
import { labelsOf } from "../../layer/metadata.ts";
import type { Diagnostic } from "../../diagnostic.ts";
import type { Component, Layer, LayerItem, LayerKind, Stack } from "../../model.ts";
import { hasLabels } from "../../select/selectors.ts";
import type { Settings } from "../../config/settings.ts";
import type { Item } from "../../wire/item.ts";
import type { Collected, ComponentFrontEnd, Surroundings } from "../front-end.ts";
import { flatOf, overlap, scopeFaults } from "./keys.ts";
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

export const kyma: ComponentFrontEnd = {
  kind: "Kyma",
  apiVersions: [],
  defaultPriority: 0,
  maxPriority: Number.MAX_SAFE_INTEGER,
  standsAlone: true,
  dataKey: "values.yaml",
  componentsIn,
  layersOf,
  collect,
};

/** A component per name and namespace, and one for what is common; only where a selector asks for them. */
function componentsIn(items: readonly Item[], selectors: Settings["targets"]): Component[] {
  const asked = (selectors ?? []).filter(({ kind }) => kind === "Kyma");
  if (asked.length === 0) return [];
  const found = new Map<string, Component>();
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
    if (isAsked && !found.has(key)) found.set(key, componentOf(item, name));
  }
  return [...found.values()];
}

function componentOf({ namespace }: Item, name: string): Component {
  return { standsAlone: true, apiVersion: "", kind: "Kyma", name, namespace, annotations: new Map() };
}

function layersOf(target: Component, items: readonly Item[]): LayerItem[] {
  return overridesIn(items).filter(({ namespace }) => namespace === target.namespace);
}

function collect(target: Component, { items, settings, holdings }: Surroundings): Collected {
  const diagnostics: Diagnostic[] = [];
  const shared = isShared(target, items, settings.targets);
  const layers = layersOf(target, items)
    .flatMap((item) => overrideOf(item, { target, holdings, diagnostics }))
    .toSorted(compare);
  diagnostics.push(...scopeFaults(layers, target));
  const stacks = (["ConfigMap", "Secret"] as const).map((kind) =>
    stackOf(kind, layers, { target, shared, holdings }),
  );
  return { stacks: stacks.filter(({ entries }) => entries.length > 0), references: [], diagnostics };
}

interface Folding {
  readonly target: Component;
  /** True if other components need the common layers, too. */
  readonly shared: boolean;
  readonly holdings: Held;
}

/** True if components that no selector asks for need the common overrides, too. */
function isShared({ namespace }: Component, items: readonly Item[], selectors: Settings["targets"]): boolean {
  const here = (targets: readonly Component[]): number =>
    targets.filter((each) => each.namespace === namespace).length;
  return here(componentsIn(items, selectors)) < here(componentsIn(items, [{ kind: "Kyma" }]));
}

interface Reading {
  readonly target: Component;
  readonly holdings: Held;
  readonly diagnostics: Diagnostic[];
}

function overrideOf(item: LayerItem, { target, holdings, diagnostics }: Reading): Override[] {
  const component = labelsOf(item).get(componentLabel);
  const isCommon = component === undefined;
  if (!isCommon && component !== target.name) return [];
  const { order, fault } = orderOf(item);
  if (fault !== undefined) diagnostics.push(fault);
  if (component === "" || component === commonName) diagnostics.push(wrongComponent(item, component));
  // The fold itself tells that a sealed one cannot be read.
  const isSealed = sealedKeyOf(item, holdings) !== undefined;
  const flat = isSealed ? [] : flatOf(item, target, holdings, diagnostics);
  return [{ item, isCommon, order, flat }];
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
function stackOf(kind: LayerKind, layers: readonly Override[], { target, shared, holdings }: Folding): Stack {
  const entries = layers.flatMap((override, index) => {
    if (override.item.kind !== kind) return [];
    const above = layers.slice(index + 1).filter(({ item }) => item.kind !== kind);
    const left = override.flat.filter(
      ({ path }) => !above.some(({ flat }) => flat.some((other) => overlap(other.path, path))),
    );
    // One that adds nothing is folded all the same: left behind it would count again.
    return [{ layer: { ...layerOf(override, left, holdings), shared: shared && override.isCommon } }];
  });
  const beside = entries[0]?.layer.item;
  const labels = [overridesLabel, componentLabel, orderLabel];
  return {
    target,
    below: [],
    entries,
    whole: true,
    ...(beside === undefined ? {} : { beside }),
    layerLabels: labels,
  };
}

function layerOf({ item, isCommon, order }: Override, flat: readonly Flat[], holdings: Held): Layer {
  const variable = flat.find(({ holdsVariable }) => holdsVariable);
  const sealed = sealedKeyOf(item, holdings);
  const layer = {
    item,
    priority: order,
    key: sealed ?? (variable ?? flat[0])?.key,
    reference: undefined,
    scope: isCommon ? "common" : "component",
  };
  if (sealed !== undefined) return layer;
  return { ...layer, dotted: flat.map(({ key }) => key) };
}

/** A data key that cannot be read, as its item or it alone is sealed. */
function sealedKeyOf(item: LayerItem, holdings: Held): string | undefined {
  return holdings.keysOf(item).find((key) => holdings.isSealed(item, key));
}
