// All front ends: the one place that names them.
import type { Settings } from "../config/settings.ts";
import type { Component, OwnReferences, Reference, Target } from "../model.ts";
import type { Item } from "../wire/item.ts";
import type { Node } from "../yaml/tape.ts";
import { app } from "./app/app.ts";
import {
  type Collected,
  type ComponentFrontEnd,
  type FrontEnd,
  type ItemFrontEnd,
  noReferences,
  type Surroundings,
} from "./front-end.ts";
import { helmRelease } from "./helm-release/helm-release.ts";
import { configMap, secret } from "./in-place/in-place.ts";
import { kyma } from "./kyma/kyma.ts";

export const itemFrontEnds: readonly ItemFrontEnd[] = [app, helmRelease, configMap, secret];
const componentFrontEnds: readonly ComponentFrontEnd[] = [kyma];
export const frontEnds: readonly FrontEnd[] = [...itemFrontEnds, ...componentFrontEnds];

/** True for a target without an item of its own. */
export function isComponent(target: Target): target is Component {
  return "standsAlone" in target;
}

/** Targets without an item of their own. */
export function componentsIn(items: readonly Item[], selectors: Settings["targets"]): readonly Component[] {
  return componentFrontEnds.flatMap((frontEnd) => frontEnd.componentsIn(items, selectors));
}

/** The front end of an item that was selected as a target. */
export function frontEndOf({ kind }: Item): ItemFrontEnd {
  return found(itemFrontEnds, kind);
}

/** The target's references in the input. Cached: several stages need them, and items never change. */
export function referencesOf(target: Target): OwnReferences {
  if (isComponent(target)) return noReferences;
  let known = references.get(target);
  if (known === undefined) references.set(target, (known = frontEndOf(target).referencesOf(target)));
  return known;
}

const references = new WeakMap<Item, OwnReferences>();

function componentFrontEndOf({ kind }: Component): ComponentFrontEnd {
  return found(componentFrontEnds, kind);
}

/** Every stack of a target. */
export function collectFrom(target: Target, around: Surroundings): Collected {
  return isComponent(target)
    ? componentFrontEndOf(target).collect(target, around)
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

/** The data key that a target needs before it gets values: Flux waits for it. */
export function keyAsked(target: Target, { key, optional }: Reference): string | undefined {
  const isRequired = target.kind === helmRelease.kind && optional !== true;
  return isRequired ? (key ?? helmRelease.dataKey) : undefined;
}

/** Data key of the folded items of a target. */
export function dataKeyFor({ kind }: Target): string {
  return found(frontEnds, kind).dataKey;
}

function found<F extends FrontEnd>(among: readonly F[], kind: string): F {
  const frontEnd = among.find((each) => each.kind === kind);
  if (frontEnd === undefined) throw new Error(`no front end for ${kind}`);
  return frontEnd;
}
