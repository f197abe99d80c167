// The account of a run for its user: targets, layers lowest first with their priorities, results, where a run
// ended and why, and what was kept. Names, priorities and paths; never a value.
import { formatItem } from "../../diagnostic.ts";
import { legible } from "../report/report.ts";
import { undoneFolds } from "../refold/restore.ts";
import { grouped } from "../grouped.ts";
import type { RunEnd, Fold, Layer, Target } from "../model.ts";
import { describe } from "../wire/item.ts";
import type { Plan } from "./assembly.ts";

/** A target that a run changed, or could have changed. */
export interface TargetAccount {
  readonly target: string;
  readonly folds: readonly FoldAccount[];
  readonly runEnds: readonly RunEndAccount[];
  /** True if its earlier folds were undone. */
  readonly unfolded: boolean;
}

interface FoldAccount {
  /** The folded item, or the data key of the target itself. */
  readonly result: string;
  /** Lowest first. */
  readonly layers: readonly string[];
}

interface RunEndAccount {
  readonly below: string;
  readonly above: string;
  readonly why: string;
}

/** Targets for which a run folded, ended, or was undone; in the order of the list. */
export function accountOf(plan: Plan): TargetAccount[] {
  const { survey, inPlace, folds } = plan;
  const byTarget = grouped([...inPlace.folds, ...folds], ({ stack }) => stack.target);
  const runEndsByTarget = grouped(plan.runEnds, ({ stack }) => stack.target);
  const targets: Target[] = [...survey.selection.targets, ...survey.selection.leftAlone];
  return targets.flatMap((target): TargetAccount[] => {
    const own = byTarget.get(target) ?? [];
    const left = runEndsByTarget.get(target) ?? [];
    const unfolded = own.length === 0 && undoneFolds(survey.restorations.get(target) ?? []).length > 0;
    if (own.length + left.length === 0 && !unfolded) return [];
    return [
      { target: describe(target), folds: own.map(foldAccount), runEnds: left.map(runEndAccount), unfolded },
    ];
  });
}

function foldAccount({ stack, kind, name, namespace, layers }: Fold): FoldAccount {
  const { into } = stack;
  const result = into === undefined ? formatItem({ kind, name, namespace }) : `its own key \`${into.key}\``;
  return { result, layers: layers.filter(({ item }) => item !== stack.target).map(layerText) };
}

function runEndAccount({ below, above, reason }: RunEnd): RunEndAccount {
  return { below: layerText(below), above: layerText(above), why: reason.why };
}

function layerText({ item, priority }: Layer): string {
  return `${item.kind}/${item.name} (${priority})`;
}

/** Lines for stderr; empty if nothing was folded or undone. */
export function renderAccount(accounts: readonly TargetAccount[], total: string): string {
  if (accounts.every(({ folds, unfolded }) => folds.length === 0 && !unfolded)) return "";
  return [...accounts.flatMap(linesOf), total].map((line) => `${legible(line)}\n`).join("");
}

function linesOf({ target, folds, runEnds, unfolded }: TargetAccount): string[] {
  return [
    target,
    ...folds.map(({ result, layers }) => `  ${layers.join(" < ")} -> ${result}`),
    ...runEnds.map(({ below, above, why }) => `  apart: ${below} | ${above}: ${why}`),
    ...(unfolded ? ["  its references are back, and its folded items are gone"] : []),
  ];
}
