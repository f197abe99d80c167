// The stacks of each target, from its front end, with the rules that apply to them. References of the list that lead
// nowhere are found on the way.
import type { Context, Survey } from "./context.ts";
import { type Missing, missingOf } from "./emit/lost-folds.ts";
import { collectFrom, isInPlace } from "./front/all.ts";
import { type Collected, noReferences, type Surroundings } from "./front/front-end.ts";
import type { Target } from "../layers/index.ts";
import { NearMisses } from "./select/near-misses.ts";
import { RulesOfTargets } from "./stack/rules.ts";
import type { Item } from "../krm/index.ts";

export interface AllCollected {
  readonly collected: ReadonlyMap<Target, Collected>;
  /** References to nothing in the list. */
  readonly missing: readonly Missing[];
}

/** The stacks of all targets that are not edited in place. */
export function collectReferenced(items: readonly Item[], survey: Survey, context: Context): AllCollected {
  const collected = new Map<Target, Collected>();
  const missing: Missing[] = [];
  const { targets, leftAlone } = survey.selection;
  // A target that opted out since gets its earlier folds undone.
  const unfolding = leftAlone.filter((target) => survey.restorations.has(target));
  const near = isSilenced(context)
    ? undefined
    : new NearMisses({ items, names: survey.names, holdings: context.holdings, own: survey.own });
  const collectOne = collecting(items, survey, context);
  for (const target of [...targets.filter((each) => !isInPlace(each)), ...unfolding]) {
    const found = collectOne(target);
    const references = missingOf(target, found.references, survey.names);
    if (references.length > 0) missing.push({ target, references });
    collected.set(target, found);
    if (near !== undefined)
      context.report.all(found.references.flatMap((reference) => near.of(target, reference) ?? []));
  }
  return { collected, missing };
}

function isSilenced({ settings }: Context): boolean {
  const level = settings.verify.lints?.["unresolved-reference"];
  return level === "off" || level === false;
}

/** Collects the stacks of one target after the other; its faults are reported. */
export function collecting(
  items: readonly Item[],
  survey: Survey,
  context: Context,
): (target: Target) => Collected {
  const rulesOfTargets = new RulesOfTargets(context.settings);
  return (target) => {
    const found = collectFrom(target, surroundingsOf(target, items, survey, context));
    const rules = rulesOfTargets.of(target, survey.restorations.get(target) ?? []);
    context.report.all(found.diagnostics);
    return rules === undefined
      ? found
      : { ...found, stacks: found.stacks.map((stack) => ({ ...stack, rules })) };
  };
}

function surroundingsOf(
  target: Target,
  items: readonly Item[],
  { names, containsListedLayers, markedByUs, restorations, annotated, own }: Survey,
  { settings, holdings, layers, prunes }: Context,
): Surroundings {
  return {
    items,
    prunes,
    names,
    settings,
    holdings,
    isReadable: (layer) => layers.isReadable(layer),
    own: own.get(target) ?? noReferences,
    annotated: annotated.get(target) ?? [],
    containsListedLayers,
    markedByUs,
    restorations: restorations.get(target) ?? [],
  };
}
