// A stack → the runs in it that fold, with their texts. split-runs.ts decides and merges; here texts are written.
import type { Context, StackOutcome } from "../context.ts";
import type { Reporter } from "../../diagnostic.ts";
import type { Layer, Run, Stack } from "../../layers/index.ts";
import { Report } from "../../report/index.ts";
import { cannotSplit } from "./layer-faults.ts";
import { reportSwaps } from "./kept-folds.ts";
import { areTreatedAlike, treatedDifferently } from "./run-ends.ts";
import { textOfRun } from "./run-text.ts";
import { type MergedRun, splitRuns } from "./split-runs.ts";

/** A stack with the runs in it that fold, lowest first. */
export interface FoldedStack extends StackOutcome {
  readonly runs: readonly Run[];
}

export function foldStack(stack: Stack, context: Context): FoldedStack {
  const { report, layers } = context;
  reportAmbiguous(stack, report);
  reportForeign(stack, context);
  reportSwaps(stack, context);
  const split = splitRuns(stack, context);
  const [, second] = split.runs;
  if (stack.whole === true && second !== undefined && !split.refused)
    report.report(cannotSplit(second.layers[0] as Layer, stack, layers, treatedDifferently.why));
  return {
    stack,
    runs: split.runs.map((run) => writtenRun(run, stack, context)).filter((run) => run !== undefined),
    runEnds: split.runEnds,
  };
}

/** The result of folding some layers of a stack on their own. Reports nothing. */
export function foldedAlone(layers: readonly Layer[], stack: Stack, context: Context): readonly Run[] {
  const alone = { ...stack, below: [], entries: layers.map((layer) => ({ layer })) };
  return foldStack(alone, { ...context, report: new Report(), purpose: "look" }).runs;
}

function writtenRun({ layers, tree, filling }: MergedRun, stack: Stack, context: Context): Run | undefined {
  const kind = (stack.into ?? layers[0])?.item.kind;
  if (kind === undefined) return undefined;
  const text = textOfRun({ stack, layers, tree }, context);
  return { stack, kind, layers, text, unencoded: filling === "filled", literal: filling === "encoded" };
}

/** Flux treats layers that are folded into a target as it treats the target: reports those that it treated otherwise. */
function reportForeign(stack: Stack, { report, layers }: Context): void {
  const { into, entries } = stack;
  const [first] = entries;
  if (into === undefined || first === undefined || !("layer" in first)) return;
  if (!areTreatedAlike({ ...first.layer, item: into.item }, first.layer))
    report.report(cannotSplit(first.layer, stack, layers, "Flux treats it and the target differently"));
}

function reportAmbiguous({ entries }: Stack, reporter: Reporter): void {
  if (!entries.some((entry) => "barrier" in entry)) return;
  const faults = entries.flatMap((entry) =>
    "barrier" in entry && entry.barrier.fault ? [entry.barrier.fault] : [],
  );
  const layers = entries.filter((entry) => "layer" in entry);
  if (layers.length + faults.length > 1) for (const fault of faults) reporter.report(fault);
}
