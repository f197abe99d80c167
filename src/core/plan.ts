// What would fold: every target, its stacks and its folds, before anything is written. The steps are in the order
// in which they run. Pure; it asks for what only SOPS can do.
import { Checks } from "./checks.ts";
import { type AllCollected, collectReferenced } from "./collect.ts";
import type { Context, StackOutcome, Survey } from "./context.ts";
import type { Plan } from "./emit/assembly.ts";
import { lostFolds, type Missing, missingOf } from "./emit/lost-folds.ts";
import { Names } from "./emit/naming.ts";
import type { Collected } from "./front/front-end.ts";
import { foldInPlace } from "./fold-in-place.ts";
import type { Fold, JudgedTarget, Run, Stack, Target } from "../layers/index.ts";
import type { Steps } from "./sops/need.ts";
import { openSealed, sealRuns } from "./sops/steps.ts";
import { foldStack } from "./stack/runs.ts";
import { mayTie } from "./stack/ties.ts";
import { surveyTargets } from "./survey.ts";
import type { Item } from "../krm/index.ts";
import type { ObjectId } from "../object-id.ts";

/**
 * Faults go to the context's report; a plan that failed must not be written.
 * @param others targets that are no items of the list: they are judged only
 */
export function* planFolds(
  items: readonly Item[],
  context: Context,
  others: readonly JudgedTarget[] = [],
): Steps<Plan> {
  const survey = surveyTargets(items, context);
  yield* openSealed(survey, context);
  const checks = new Checks(items, context);
  const inPlace = foldInPlace(items, survey, checks, context);
  const { collected, missing } = collectReferenced(items, survey, context);
  const outcomes = foldReferenced(collected, survey, checks, context);
  const runs = outcomes.map(({ runs: found = [] }) => found);
  const judged = others.flatMap((each) => checks.faultsOf(each));
  checks.finish(collected, runs.flat(), new Set(survey.selection.targets));
  const sealed = yield* sealRuns(runs, survey, context);
  const folds = nameRuns(items, sealed, { survey, collected, missing }, context);
  const runEnds = [...inPlace.runEnds, ...outcomes.flatMap((each) => each.runEnds)];
  return { survey, inPlace, collected, folds, runEnds, judged };
}

/** A target that opted out has stacks, and no folds. */
function foldReferenced(
  collected: ReadonlyMap<Target, Collected>,
  survey: Survey,
  checks: Checks,
  context: Context,
): StackOutcome[] {
  const folding = new Set(survey.selection.targets);
  return [...collected].flatMap(([target, { stacks }]) => {
    const isFolding = folding.has(target);
    const outcomes = stacks.map((stack): StackOutcome => {
      const outcome =
        isFolding && isFolded(stack, context) ? foldStack(stack, context) : { stack, runEnds: [] };
      if (isFolding) checks.checkStack(stack, stacks);
      context.onStack?.(outcome, stacks, survey);
      return outcome;
    });
    if (isFolding) checks.checkTarget(target, stacks);
    return outcomes;
  });
}

/** A lint asks only for faults that folding finds. */
function isFolded(stack: Stack, { purpose }: Context): boolean {
  return purpose !== "lint" || mayTie(stack) || stack.rules !== undefined;
}

function nameRuns(
  items: readonly Item[],
  stacks: readonly (readonly Run[])[],
  { survey, collected, missing }: AllCollected & Pick<Plan, "survey">,
  { settings, report }: Context,
): Fold[] {
  const { targetReferences, restorations, refused, names } = survey;
  const alone = targetReferences
    .filter(({ leftAlone }) => leftAlone)
    .map(({ target, references }) => ({ target, references: missingOf(target, references, names) }));
  const dangling = [...missing, ...alone.filter(({ target }) => !collected.has(target))];
  const referenced = dangling.flatMap(namedBy);
  const naming = new Names({ items, names, refused, referenced, earlier: restorations });
  const lost = lostFolds(stacks, missing, survey, settings.output);
  report.all([...lostFolds([], alone, survey, settings.output).values()]);
  report.all([...lost.values()]);
  return stacks.flatMap((runs) => {
    const { folds, faults } = naming.assign(runs, settings.output);
    if (!lost.has(folds[0]?.stack.target)) report.all(faults);
    return folds;
  });
}

/** Objects that the cluster may have. */
function namedBy({ target, references }: Missing): ObjectId[] {
  return references.map(({ kind, name, namespace = target.namespace }) => ({ kind, name, namespace }));
}
