// Targets that are edited in place. They come first: their consumers then read the folded data.
import type { Checks } from "./checks.ts";
import { collecting } from "./collect.ts";
import type { Context, Survey } from "./context.ts";
import type { Diagnostic } from "../diagnostic.ts";
import type { InPlace } from "./emit/assembly.ts";
import { frontEndOf, isInPlace } from "./front/all.ts";
import type { Fold, Run, RunEnd } from "../layers/index.ts";
import { inFoldingOrder } from "./select/order.ts";
import { opensInPlace } from "./stack/layer-faults.ts";
import { foldStack } from "./stack/runs.ts";
import { withoutComments, type TextEdit, type Item } from "../krm/index.ts";

/** The folds of all targets that are edited in place. What the items hold is changed at once: the next target may read it. */
export function foldInPlace(
  items: readonly Item[],
  survey: Survey,
  checks: Checks,
  context: Context,
): InPlace {
  const { settings, report, holdings, layers } = context;
  const { order, faults } = inFoldingOrder(survey.selection.targets.filter(isInPlace), survey.annotated);
  report.all(faults);
  const collectOne = collecting(items, survey, context);
  const folds: Fold[] = [];
  const runEnds: RunEnd[] = [];
  const edits = new Map<Item, readonly TextEdit[]>();
  for (const target of order) {
    const frontEnd = frontEndOf(target);
    const found = collectOne(target);
    for (const stack of found.stacks) checks.checkStack(stack, found.stacks);
    checks.checkTarget(target, found.stacks);
    const runs = found.stacks.flatMap((stack) => {
      const outcome = foldStack(stack, context);
      context.onStack?.(outcome, found.stacks, survey);
      for (const each of outcome.runEnds) runEnds.push(each);
      return outcome.runs;
    });
    if (settings.sops?.allowPlaintext !== true) report.all(runs.flatMap((run) => openInPlace(run, layers)));
    const own = runs.map((run): Fold => ({ name: target.name, namespace: target.namespace, ...run }));
    const rewritten = frontEnd.rewrite(target, found, own, holdings);
    if ("code" in rewritten) report.report(rewritten);
    else edits.set(target, withoutComments(target, rewritten));
    for (const { stack, text, layers: folded } of own) {
      const isTaken = folded.some((layer) => layers.isTaken(layer));
      if (stack.into !== undefined) holdings.amend(target, stack.into.key, text, isTaken);
    }
    for (const key of frontEnd.goneKeys?.(target, own) ?? []) holdings.drop(target, key);
    for (const fold of own) folds.push(fold);
  }
  return { folds, edits, runEnds };
}

function openInPlace({ layers, stack }: Run, reader: Context["layers"]): Diagnostic[] {
  return layers.filter((layer) => reader.isOpened(layer)).map((layer) => opensInPlace(layer, stack, reader));
}
