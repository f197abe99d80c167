// What would fold: every target, its stacks and its folds, before anything is written. The steps are in the order
// in which they run. Pure; it asks for what only SOPS can do.
import type { Context, SchemaCheck, StackOutcome, Survey } from "./context.ts";
import type { Diagnostic } from "../diagnostic.ts";
import type { InPlace, Plan } from "./emit/assembly.ts";
import { lostFolds, type Missing, missingOf } from "./emit/lost-folds.ts";
import { type ObjectName, Names } from "./emit/naming.ts";
import {
  collectFrom,
  componentsIn,
  frontEndOf,
  frontEnds,
  inlineOf,
  isComponent,
  keyAsked,
  referencesOf,
} from "./front/all.ts";
import { grouped } from "./grouped.ts";
import { type Collected, noReferences, type Surroundings } from "./front/front-end.ts";
import { isFoldedAgain } from "./front/in-place/record.ts";
import { unreadable } from "./front/spec.ts";
import type { RunEnd, Fold, Layer, Reference, Run, Stack, StackRules, Target } from "./model.ts";
import { markedLayers } from "./refold/marks.ts";
import type { Holder } from "./refold/holders.ts";
import { restore } from "./refold/restore.ts";
import { NameIndex } from "./select/names.ts";
import { NearMisses } from "./select/near-misses.ts";
import { holdersOf, inFoldingOrder, layerHeld, layersByTarget, settledIn } from "./select/order.ts";
import { selectTargets, type TargetSelection } from "./select/targets.ts";
import type { Steps } from "./sops/need.ts";
import { openSealed, sealRuns } from "./sops/steps.ts";
import { opensInPlace } from "./stack/layer-faults.ts";
import { protectedFaults } from "./stack/protect.ts";
import { rulesApart } from "./stack/rule-apart.ts";
import { RulesOfTargets, rulesKept } from "./stack/rules.ts";
import { foldStack } from "./stack/runs.ts";
import { mayTie } from "./stack/ties.ts";
import { UnmatchedPaths } from "./stack/unmatched-paths.ts";
import { Mark } from "./wire/annotation-names.ts";
import { withoutComments } from "./wire/comments.ts";
import type { Edit } from "./wire/envelope.ts";
import type { Item } from "./wire/item.ts";
import type { Node } from "./yaml/tape.ts";

/** Faults go to the context's report; a plan that failed must not be written. */
export function* planFolds(items: readonly Item[], context: Context): Steps<Plan> {
  const survey = surveyTargets(items, context);
  yield* openSealed(survey, context);
  const schemas =
    context.settings.schemas === undefined ? undefined : context.wings.checkSchemas(items, context);
  const paths = new UnmatchedPaths(context.settings, context.layers);
  const withPaths = { ...context, paths };
  const inPlace = foldInPlace(items, survey, withPaths, schemas);
  const { collected, missing } = collect(items, survey, context);
  const folding = new Set(survey.selection.targets);
  const outcomes = [...collected].flatMap(([target, { stacks }]) => {
    if (!folding.has(target))
      return stacks.map((stack) => noted({ stack, runEnds: [] }, stacks, survey, context));
    const found = stacks.map((stack) => foldReferenced(stack, stacks, survey, withPaths));
    if (schemas !== undefined) context.report.all(schemas.faultsOf(target, stacks, inlineOf(target)));
    return found;
  });
  const runs = outcomes.map(({ runs: found = [] }) => found);
  reportRules(collected, runs.flat(), folding, context);
  if (schemas !== undefined) context.report.all(schemas.rest());
  context.report.all(paths.found(context.purpose === "lint"));
  const sealed = yield* sealRuns(runs, survey, context);
  const folds = nameRuns(items, sealed, { survey, collected, missing }, context);
  const runEnds = [...inPlace.runEnds, ...outcomes.flatMap((each) => each.runEnds)];
  return { survey, inPlace, collected, folds, runEnds };
}

function foldReferenced(
  stack: Stack,
  all: readonly Stack[],
  survey: Survey,
  context: WithPaths,
): StackOutcome {
  const isFolded = context.purpose !== "lint" || mayTie(stack) || stack.rules !== undefined;
  const outcome = isFolded ? foldStack(stack, context) : { stack, runEnds: [] };
  lookAtPaths(stack, all, context);
  return noted(outcome, all, survey, context);
}

function noted<T extends StackOutcome>(
  outcome: T,
  all: readonly Stack[],
  survey: Survey,
  context: Context,
): T {
  context.onStack?.(outcome, all, survey);
  return outcome;
}

/** Reports values that rules cannot merge, and rules that apply because of an earlier fold. */
function reportRules(
  collected: ReadonlyMap<Target, Collected>,
  runs: readonly Run[],
  folding: ReadonlySet<Target>,
  context: Context,
): void {
  const withRules = [...collected].filter(([, { stacks }]) => stacks[0]?.rules !== undefined);
  if (withRules.length === 0) return;
  const byTarget = grouped(runs, ({ stack }) => stack.target);
  for (const [target, { stacks }] of withRules)
    if (folding.has(target))
      context.report.all(rulesApart(stacks, byTarget.get(target) ?? [], inlineOf(target), context));
  const rules = withRules.flatMap(([, { stacks }]) => stacks[0]?.rules ?? []);
  context.report.all(rulesKept(rules));
}

interface WithPaths extends Context {
  readonly paths: UnmatchedPaths;
}

/** Checks the paths in settings: which layers may set them, and whether any layer does. */
function lookAtPaths(stack: Stack, all: readonly Stack[], context: WithPaths): void {
  context.report.all(protectedIn(stack, all, context));
  context.paths.look(stack, inlineAbove(stack, all));
}

function protectedIn(stack: Stack, all: readonly Stack[], context: Context): Diagnostic[] {
  if (context.settings.protect === undefined) return [];
  return protectedFaults(stack, inlineAbove(stack, all), context);
}

/** Values that a target holds itself override its last stack. */
function inlineAbove(stack: Stack, all: readonly Stack[]): Node | undefined {
  return stack === all.at(-1) ? inlineOf(stack.target) : undefined;
}

function surveyTargets(items: readonly Item[], context: Context): Survey {
  const { settings, report, holdings, layers } = context;
  const selection = select(items, context);
  const names = new NameIndex(items);
  const others = selection.targets.filter((target) => !isInPlace(target));
  for (const target of others) if (!isComponent(target)) report.all(unreadable(target));
  const own = new Map([...others, ...selection.leftAlone].map((target) => [target, referencesOf(target)]));
  const holderOf = (target: Target, leftAlone: boolean): Holder => {
    return { target, references: own.get(target)?.references ?? [], leftAlone };
  };
  const holders = [
    ...others.map((target) => holderOf(target, false)),
    ...selection.leftAlone.map((target) => holderOf(target, true)),
  ];
  const pruning = settings.layers === "prune";
  const around = { names, holdings, layers, pruning };
  const { restorations, diagnostics, refused } = restore(items, holders, around);
  report.all(diagnostics);
  const annotated = new Map<Target, readonly Layer[]>();
  const holds = new Set<Item>();
  for (const [target, all] of layersByTarget(selection.annotated)) {
    const earlier = restorations.get(target) ?? [];
    const held = all.filter((layer) => {
      const holding = holdersOf(layer, earlier);
      for (const { item } of holding) holds.add(item);
      return (
        holding.length > 0 ||
        (context.prunes && isInPlace(target) && isKept(layer) && !isFoldedAgain(target, all))
      );
    });
    report.all(held.map((layer) => layerHeld(layer, target)));
    const left = all.filter((layer) => !held.includes(layer));
    annotated.set(target, settledIn(left, earlier));
  }
  const marked = markedLayers(restorations, names, settings);
  return { selection, names, own, holders, holds, marked, restorations, refused, annotated };
}

/** True for a layer kept by an earlier fold: the only trace of that fold if its target was edited in place. */
function isKept({ item }: Layer): boolean {
  return item.annotations.get(Mark.kept) === "true";
}

function select(items: readonly Item[], { settings, report }: Context): TargetSelection {
  const components = componentsIn(items, settings.targets);
  const selection = selectTargets(items, frontEnds, settings.targets, components);
  report.all(selection.diagnostics);
  return { ...selection, targets: [...selection.targets, ...components] };
}

/** Targets edited in place come first: their consumers then read the folded data. */
function foldInPlace(
  items: readonly Item[],
  survey: Survey,
  context: WithPaths,
  schemas: SchemaCheck | undefined,
): InPlace {
  const { settings, report, holdings, layers } = context;
  const { order, faults } = inFoldingOrder(survey.selection.targets.filter(isInPlace), survey.annotated);
  report.all(faults);
  const rules = new RulesOfTargets(settings);
  const folds: Fold[] = [];
  const runEnds: RunEnd[] = [];
  const edits = new Map<Item, readonly Edit[]>();
  for (const target of order) {
    const frontEnd = frontEndOf(target);
    const found = ruled(
      frontEnd.collect(target, surroundingsOf(target, items, survey, context)),
      rules.of(target, survey.restorations.get(target) ?? []),
    );
    report.all(found.diagnostics);
    for (const stack of found.stacks) lookAtPaths(stack, found.stacks, context);
    if (schemas !== undefined) report.all(schemas.faultsOf(target, found.stacks, undefined));
    const outcomes = found.stacks.map((stack) =>
      noted(foldStack(stack, context), found.stacks, survey, context),
    );
    for (const outcome of outcomes) for (const each of outcome.runEnds) runEnds.push(each);
    const runs = outcomes.flatMap((outcome) => outcome.runs);
    if (settings.sops?.allowPlaintext !== true) report.all(runs.flatMap((run) => openInPlace(run, layers)));
    const own = runs.map((run): Fold => ({ ...run, name: target.name, namespace: target.namespace }));
    const rewritten = frontEnd.rewrite(target, found, own, holdings);
    if ("code" in rewritten) report.report(rewritten);
    else edits.set(target, withoutComments(target, rewritten));
    for (const { stack, text } of own)
      if (stack.into !== undefined) holdings.amend(target, stack.into.key, text);
    for (const key of frontEnd.goneKeys?.(target, own) ?? []) holdings.drop(target, key);
    for (const fold of own) folds.push(fold);
  }
  return { folds, edits, runEnds };
}

function openInPlace({ layers, stack }: Run, reader: Context["layers"]): Diagnostic[] {
  return layers.filter((layer) => reader.isOpened(layer)).map((layer) => opensInPlace(layer, stack, reader));
}

function isInPlace(target: Target): target is Item {
  return !isComponent(target) && frontEndOf(target).inPlace === true;
}

function surroundingsOf(
  target: Target,
  items: readonly Item[],
  { names, holds, marked, restorations, annotated, own }: Survey,
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
    holds,
    marked,
    restorations: restorations.get(target) ?? [],
  };
}

/** Adds the rules to stacks that merge by them. */
function ruled(found: Collected, rules: StackRules | undefined): Collected {
  return rules === undefined
    ? found
    : { ...found, stacks: found.stacks.map((stack) => ({ ...stack, rules })) };
}

interface AllCollected {
  readonly collected: ReadonlyMap<Target, Collected>;
  readonly missing: readonly Missing[];
}

function collect(items: readonly Item[], survey: Survey, context: Context): AllCollected {
  const collected = new Map<Target, Collected>();
  const missing: Missing[] = [];
  const { targets, leftAlone } = survey.selection;
  // A target that opted out since gets its earlier folds undone.
  const unfolding = leftAlone.filter((target) => survey.restorations.has(target));
  const near = new NearMisses({ items, ...survey, ...context, isUsed: usedIn(survey) });
  const rules = new RulesOfTargets(context.settings);
  for (const target of [...targets.filter((each) => !isInPlace(each)), ...unfolding]) {
    const found = ruled(
      collectFrom(target, surroundingsOf(target, items, survey, context)),
      rules.of(target, survey.restorations.get(target) ?? []),
    );
    context.report.all(found.diagnostics);
    const references = missingOf(target, found.references, survey.names);
    if (references.length > 0) missing.push({ target, references });
    collected.set(target, found);
    if (!isSilenced(context)) context.report.all(nearlyAnswered(target, found.references, survey, near));
  }
  return { collected, missing };
}

function isSilenced({ settings }: Context): boolean {
  const level = settings.verify.lints?.["unresolved-reference"];
  return level === "off" || level === false;
}

function nearlyAnswered(
  target: Target,
  references: readonly Reference[],
  { names }: Survey,
  near: NearMisses,
): Diagnostic[] {
  return references.flatMap((reference): Diagnostic[] => {
    const [item] = names.find(reference, target);
    const key = keyAsked(target, reference);
    const found =
      item === undefined
        ? near.ofMissing(target, reference)
        : key === undefined
          ? undefined
          : near.ofKey(target, reference, item, key);
    return found === undefined ? [] : [found];
  });
}

/** Whether a target references an item: looked up on first use. */
function usedIn({ own, names }: Survey): (item: Item) => boolean {
  let used: ReadonlySet<Item> | undefined;
  return (item) => {
    used ??= new Set(
      [...own].flatMap(([target, { references }]) =>
        references.flatMap((reference) => names.find(reference, target)),
      ),
    );
    return used.has(item);
  };
}

function nameRuns(
  items: readonly Item[],
  stacks: readonly (readonly Run[])[],
  { survey, collected, missing }: AllCollected & Pick<Plan, "survey">,
  { settings, report }: Context,
): Fold[] {
  const { holders, restorations, refused, names } = survey;
  const alone = holders
    .filter(({ leftAlone }) => leftAlone)
    .map(({ target, references }) => ({ target, references: missingOf(target, references, names) }));
  const dangling = [...missing, ...alone.filter(({ target }) => !collected.has(target))];
  const earlier = [...restorations.values()].flat();
  const naming = new Names({ items, names, refused, referenced: dangling.flatMap(namedBy), earlier });
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
function namedBy({ target, references }: Missing): ObjectName[] {
  return references.map(({ kind, name, namespace = target.namespace }) => ({ kind, name, namespace }));
}
