// References to missing items; and those of them that name a lost fold.
import type { Settings } from "../../settings/index.ts";
import type { Survey } from "../context.ts";
import type { Diagnostic } from "../../diagnostic.ts";
import { isComponent } from "../front/all.ts";
import type { Reference, Run, Target } from "../../layers/index.ts";
import type { NameIndex } from "../select/names.ts";
import { isFromKpt } from "../../krm/index.ts";
import { foldLost, isFoldName, isSiblingName } from "./naming.ts";

/** References of a target to items that are not in the list. */
export interface Missing {
  readonly target: Target;
  readonly references: readonly Reference[];
}

export function missingOf(
  target: Target,
  references: readonly Reference[],
  names: NameIndex,
): readonly Reference[] {
  return references.filter((reference) => names.find(reference, target).length === 0);
}

/** Targets that fold and reference an earlier fold that is gone: folding on would lose its values. */
export function lostFolds(
  stacks: readonly (readonly Run[])[],
  targets: readonly Missing[],
  { restorations }: Pick<Survey, "restorations">,
  output: Settings["output"],
): ReadonlyMap<Target | undefined, Diagnostic> {
  if (targets.length === 0) return new Map();
  const folding = new Set(stacks.flat().map(({ stack }) => stack.target));
  const lost = new Map<Target | undefined, Diagnostic>();
  for (const { target, references } of targets) {
    // In kustomize another pipeline may add the folded item; kpt has the whole package.
    if (isComponent(target) || !(folding.has(target) || isFromKpt(target))) continue;
    // The target and the setting may have changed since; its other folds still have the former name.
    const siblings = (restorations.get(target) ?? []).map(({ item }) => item.name);
    const isFolds = ({ name }: Reference): boolean =>
      isFoldName(name, target, output) || siblings.some((sibling) => isSiblingName(name, sibling));
    const found = references.find(isFolds);
    if (found !== undefined) lost.set(target, foldLost(target, found));
  }
  return lost;
}
