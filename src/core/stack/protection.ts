// The rules of the setting `protect`: for which targets each applies, which layers may set its path, and its text.
import type { Settings } from "../../settings/index.ts";
import { parsePath, type Step } from "../../merge/index.ts";
import type { Named } from "../../krm/index.ts";
import type { LayerOwner, Target } from "../../layers/index.ts";
import { isSelected, type ItemSelector } from "../select/selectors.ts";
import { hashless, objectText } from "../../object-id.ts";

type Rule = NonNullable<Settings["protect"]>[number];

/** A rule that applies to a target. */
export interface Protection {
  readonly rule: Rule;
  readonly steps: readonly Step[];
}

export function protectionsFor(target: Target | Named, { protect = [] }: Settings): Protection[] {
  return protect.flatMap((rule): Protection[] => {
    const steps = parsePath(rule.path);
    return "wrongAt" in steps || !isForTarget(target, rule) ? [] : [{ rule, steps }];
  });
}

/** By the selectors of `targets`; of what is no item by kind and name, as it has no labels. */
export function isForTarget(
  target: Target | Named,
  { targets }: { readonly targets?: readonly ItemSelector[] | undefined },
): boolean {
  if ("read" in target) return isSelected(target, targets);
  return (
    targets === undefined ||
    targets.some(
      ({ kind = target.kind, name = target.name, namespace = target.namespace, labels }) =>
        kind === target.kind &&
        name === target.name &&
        namespace === target.namespace &&
        labels === undefined,
    )
  );
}

/** What settings call a file. */
const fileKind = "ConfigMap";

/** Which layers may set it, in words. */
export function permissionText({ above, only }: Rule): string {
  const named = only?.map((each) => `\`${objectText(each)}\``).join(", ");
  const who = named ?? "layers";
  return above === undefined ? who : `${who} up to priority ${above}`;
}

/** True if a rule lets a layer set the path. */
export function isAllowed(
  { kind = fileKind, name, namespace, priority }: LayerOwner,
  { above = Infinity, only }: Rule,
): boolean {
  const isNamed = only?.some(
    (each) =>
      each.kind === kind &&
      // For an item that kustomize generates, also its name before the hash.
      (each.name === name || each.name === hashless(name)) &&
      (each.namespace ?? namespace) === namespace,
  );
  // Values of the target itself have no priority: only their name can permit them.
  return priority === Infinity && isNamed === true ? true : priority <= above && isNamed !== false;
}
