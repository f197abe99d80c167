// All front ends: the one place that names them.
import type { Settings } from "../../settings/index.ts";
import type { Component, OwnReferences, Target } from "../../layers/index.ts";
import type { Item } from "../../krm/index.ts";
import type { Node } from "../../yaml/index.ts";
import { app } from "./app/app.ts";
import {
  type Collected,
  type ComponentFrontEnd,
  type ItemFrontEnd,
  noReferences,
  type Surroundings,
} from "./front-end.ts";
import { helmRelease } from "./helm-release/helm-release.ts";
import { inPlace } from "./in-place/in-place.ts";
import { factsOf, type KindName, type KindWithoutItem } from "../../kinds.ts";
import { kyma } from "./kyma/kyma.ts";

const itemFrontEnds: { readonly [Kind in Exclude<KindName, KindWithoutItem>]: ItemFrontEnd } = {
  App: app,
  HelmRelease: helmRelease,
  ConfigMap: inPlace,
  Secret: inPlace,
};
const componentFrontEnds: { readonly [Kind in KindWithoutItem]: ComponentFrontEnd } = { Kyma: kyma };

/** True for a target without an item of its own. */
export function isComponent(target: Target): target is Component {
  return "withoutItem" in target;
}

/** True for a target that is edited itself; the others get folded items. */
export function isInPlace(target: Target): target is Item {
  return !isComponent(target) && factsOf(target.kind)?.inPlace === true;
}

/** Targets without an item of their own. */
export function componentsIn(items: readonly Item[], selectors: Settings["targets"]): readonly Component[] {
  return Object.values(componentFrontEnds).flatMap((frontEnd) => frontEnd.componentsIn(items, selectors));
}

/** The front end of an item that was selected as a target. */
export function frontEndOf({ kind }: Item): ItemFrontEnd {
  return known(byItemKind.get(kind), kind);
}

const byItemKind = new Map<string, ItemFrontEnd>(Object.entries(itemFrontEnds));
const byComponentKind = new Map<string, ComponentFrontEnd>(Object.entries(componentFrontEnds));

/** The target's references in the input. Cached: several stages need them, and items never change. */
export function referencesOf(target: Target): OwnReferences {
  if (isComponent(target)) return noReferences;
  let found = references.get(target);
  if (found === undefined) references.set(target, (found = frontEndOf(target).referencesOf(target)));
  return found;
}

const references = new WeakMap<Item, OwnReferences>();

/** Every stack of a target. */
export function collectFrom(target: Target, around: Surroundings): Collected {
  return isComponent(target)
    ? known(byComponentKind.get(target.kind), target.kind).collect(target, around)
    : frontEndOf(target).collect(target, around);
}

/** Values of the target itself, over all its layers: a mapping inside it. */
export function inlineOf(target: Target): Node | undefined {
  return isComponent(target) ? undefined : frontEndOf(target).inlineOf?.(target);
}

/** Items that are layers of a target by their labels. */
export function labelledLayersOf(target: Target): readonly Item[] {
  return isComponent(target) ? target.layers : [];
}

/** Data key of the folded items of a target. */
export function dataKeyFor({ kind }: Target): string {
  return known(factsOf(kind), kind).dataKey;
}

function known<T>(found: T | undefined, kind: string): T {
  if (found === undefined) throw new Error(`no front end for ${kind}`);
  return found;
}
