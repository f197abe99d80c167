// The rules of the setting `protect`: for which targets each holds, who may set what it protects, and how that is said.
import type { Settings } from "../config/settings.ts";
import { formatItem } from "../diagnostic.ts";
import { parsePath, type Step } from "../merge/path.ts";
import type { Target } from "../model.ts";
import { hashSuffix } from "../select/names.ts";
import { isSelected } from "../select/selectors.ts";

type Rule = NonNullable<Settings["protect"]>[number];

/** A rule that holds for a target. */
export interface Protection {
  readonly rule: Rule;
  readonly steps: readonly Step[];
}

/** Who has a place in a stack. */
export interface Bearer {
  readonly kind: string;
  readonly name: string;
  readonly namespace: string | undefined;
  readonly priority: number;
}

export function protectionsFor(target: Target, { protect = [] }: Settings): Protection[] {
  return protect.flatMap((rule): Protection[] => {
    const steps = parsePath(rule.path);
    return "wrongAt" in steps || !isMeant(target, rule) ? [] : [{ rule, steps }];
  });
}

/** As the setting `targets` selects; of Kyma's components by name. */
export function isMeant(target: Target, { targets }: { readonly targets?: Settings["targets"] }): boolean {
  if ("read" in target) return isSelected(target, targets);
  return (
    targets === undefined ||
    targets.some(
      ({ kind, name = target.name, namespace = target.namespace }) =>
        kind === "Kyma" && name === target.name && namespace === target.namespace,
    )
  );
}

/** Who may set it, in words. */
export function permissionText({ above, only }: Rule): string {
  const named = only?.map((each) => `\`${formatItem(each)}\``).join(", ");
  const who = named ?? "layers";
  return above === undefined ? who : `${who} up to priority ${above}`;
}

/** True if a rule lets somebody set the path. */
export function isAllowed(
  { kind, name, namespace, priority }: Bearer,
  { above = Infinity, only }: Rule,
): boolean {
  const isNamed = only?.some(
    (each) =>
      each.kind === kind &&
      // What kustomize generates is named by what it was before the hash.
      (each.name === name || each.name === name.replace(hashSuffix, "")) &&
      (each.namespace ?? namespace) === namespace,
  );
  // Values of the target itself have no priority: it is named, or it is not.
  return priority === Infinity && isNamed === true ? true : priority <= above && isNamed !== false;
}
