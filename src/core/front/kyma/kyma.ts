// Kyma overrides (kyma-operator 1.x): ConfigMaps and Secrets labelled `installer: overrides` have flat dotted
// keys; they become one ConfigMap and one Secret of nested values per component, for Helm or Flux. Order:
// common before component, then install-order, then ConfigMap before Secret, then name. docs/targets.md (Kyma).
import {
  type HeldTexts,
  labelOf,
  type Component,
  type Layer,
  type LayerItem,
  type LayerKind,
  type Stack,
} from "../../../layers/index.ts";
import type { Diagnostic } from "../../../diagnostic.ts";
import { hasLabels } from "../../select/selectors.ts";
import { grouped } from "../../../grouped.ts";
import type { Settings } from "../../../settings/index.ts";
import type { Item } from "../../../krm/index.ts";
import type { Collected, ComponentFrontEnd, Surroundings } from "../front-end.ts";
import { flatOf, Paths, scopeFaults } from "./keys.ts";
import { kymaKind } from "../../../kinds.ts";
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

/** The name of the values for all components. */
const commonName = "overrides";

export const kyma: ComponentFrontEnd = {
  componentsIn,
  collect,
};

/** A component per name and namespace, and one for the common values; only if a selector asks for them. */
function componentsIn(items: readonly Item[], selectors: Settings["targets"]): Component[] {
  const kymaSelectors = (selectors ?? []).filter(({ kind }) => kind === kymaKind.kind);
  if (kymaSelectors.length === 0) return [];
  const found: { readonly first: number; readonly component: Component }[] = [];
  for (const [namespace, overrides] of byNamespace(overridesIn(items))) {
    const groups = byName(overrides);
    const common = groups.get(commonName) ?? [];
    const wanted = [...groups].flatMap(([name, own]) => {
      const first = own.find((item) => kymaSelectors.some((each) => isSelected(item, name, each)));
      return first === undefined ? [] : [{ name, own, first: first.index }];
    });
    const shares = wanted.length < groups.size;
    for (const { name, own, first } of wanted) {
      // Common layers apply to all; a component that has their name by mistake gets a fault.
      const layers = name === commonName ? own : inItemOrder([...common, ...own]);
      found.push({ first, component: componentOf({ name, namespace, layers, shares }) });
    }
  }
  return found.toSorted((a, b) => a.first - b.first).map(({ component }) => component);
}

type KymaSelector = NonNullable<Settings["targets"]>[number];

function isSelected(item: LayerItem, name: string, selector: KymaSelector): boolean {
  return (
    (selector.name ?? name) === name &&
    (selector.namespace ?? item.namespace) === item.namespace &&
    hasLabels(item, selector.labels)
  );
}

function byNamespace(items: readonly LayerItem[]): Map<string | undefined, LayerItem[]> {
  return grouped(items, ({ namespace }) => namespace);
}

function byName(items: readonly LayerItem[]): Map<string, LayerItem[]> {
  return grouped(items, (item) => labelOf(item, componentLabel) ?? commonName);
}

function inItemOrder(items: readonly LayerItem[]): LayerItem[] {
  return items.toSorted((a, b) => a.index - b.index);
}

function componentOf(parts: Pick<Component, "name" | "namespace" | "layers" | "shares">): Component {
  return { withoutItem: true, apiVersion: "", kind: kymaKind.kind, annotations: new Map(), ...parts };
}

function collect(target: Component, { annotated, holdings }: Surroundings): Collected {
  const diagnostics: Diagnostic[] = [];
  const layers = target.layers
    .flatMap((item) => overrideOf(item, { target, holdings, diagnostics }))
    .toSorted(compare);
  for (const fault of scopeFaults(layers, target)) diagnostics.push(fault);
  const left = withoutOverridden(layers);
  const statics = annotated.toSorted((a, b) => a.priority - b.priority);
  const stacks = (["ConfigMap", "Secret"] as const).map((kind) =>
    stackOf(kind, statics, left, target, holdings),
  );
  return { stacks: stacks.filter(({ entries }) => entries.length > 0), references: [], diagnostics };
}

interface OverrideReading {
  readonly target: Component;
  readonly holdings: HeldTexts;
  readonly diagnostics: Diagnostic[];
}

function overrideOf(item: LayerItem, { target, holdings, diagnostics }: OverrideReading): Override[] {
  const component = labelOf(item, componentLabel);
  const isCommon = component === undefined;
  if (!isCommon && component !== target.name) return [];
  const { order, fault } = orderOf(item);
  if (fault !== undefined) diagnostics.push(fault);
  if (component === "" || component === commonName) diagnostics.push(wrongComponent(item, component));
  // The fold itself reports that a sealed one cannot be read.
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
 * The consumer puts the Secret's values over the ConfigMap's. Values that a layer of the other kind overrides, in
 * Kyma's order, are therefore left out; the rest is merged as usual. A layer that adds nothing is folded, too:
 * left in the list it would apply again.
 */
function withoutOverridden(layers: readonly Override[]): Override[] {
  const above = { ConfigMap: new Paths(), Secret: new Paths() };
  return layers
    .toReversed()
    .map((override) => {
      const { kind } = override.item;
      const other = kind === "Secret" ? above.ConfigMap : above.Secret;
      const flat = override.flat.filter(({ path }) => !other.overlap(path));
      for (const { path } of override.flat) above[kind].add(path);
      return { ...override, flat };
    })
    .toReversed();
}

/** @param statics nested values, below all overrides */
function stackOf(
  kind: LayerKind,
  statics: readonly Layer[],
  layers: readonly Override[],
  target: Component,
  holdings: HeldTexts,
): Stack {
  const below = statics
    .filter(({ item }) => item.kind === kind)
    .map((layer) => ({ layer: { ...layer, scope: "static", shared: target.shares } }));
  const overrides = layers
    .filter(({ item }) => item.kind === kind)
    .map((override) => {
      const layer = layerOf(override, override.flat, holdings);
      return { layer: { ...layer, shared: target.shares && override.isCommon } };
    });
  const entries = [...below, ...overrides];
  const placedBefore = entries[0]?.layer.item;
  const labels = [overridesLabel, componentLabel, orderLabel];
  return {
    target,
    below: [],
    entries,
    whole: true,
    ...(placedBefore === undefined ? {} : { placedBefore }),
    layerLabels: labels,
  };
}

function layerOf({ item, isCommon, order }: Override, flat: readonly Flat[], holdings: HeldTexts): Layer {
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

/** A data key that cannot be read, because its item or the key itself is sealed. */
function sealedKeyOf(item: LayerItem, holdings: HeldTexts): string | undefined {
  return holdings.keysOf(item).find((key) => holdings.isSealed(item, key));
}
