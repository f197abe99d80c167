// The account of a run for its user: targets, layers lowest first with their priorities, results, where a run
// ended and why, and what was kept. Names, priorities and paths; never a value.
import {
  type FoldAccount,
  type LayerAccount,
  type RunEndAccount,
  type TargetAccount,
  legible,
} from "../../report/index.ts";
import { undoneFolds } from "../refold/restore.ts";
import { grouped } from "../../grouped.ts";
import type { RunEnd, Fold, Layer, Target } from "../../layers/index.ts";
import type { Plan } from "./assembly.ts";
import { objectText } from "../../object-id.ts";

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
      { target: objectText(target), folds: own.map(foldAccount), apart: left.map(runEndAccount), unfolded },
    ];
  });
}

function foldAccount(fold: Fold): FoldAccount {
  const { stack, layers } = fold;
  const result = stack.into === undefined ? objectText(fold) : `its own key \`${stack.into.key}\``;
  return { result, layers: layers.filter(({ item }) => item !== stack.target).map(layerAccount) };
}

function runEndAccount({ below, above, reason }: RunEnd): RunEndAccount {
  return { below: layerAccount(below), above: layerAccount(above), why: reason.why };
}

function layerAccount({ item, priority }: Layer): LayerAccount {
  return { name: `${item.kind}/${item.name}`, priority };
}

function layerText({ name, priority }: LayerAccount): string {
  return `${name} (${priority})`;
}

/** Lines for stderr; empty if nothing was folded or undone. */
export function renderAccount(accounts: readonly TargetAccount[], total: string): string {
  if (accounts.every(({ folds, unfolded }) => folds.length === 0 && !unfolded)) return "";
  return [...accounts.flatMap(linesOf), total].map((line) => `${legible(line)}\n`).join("");
}

function linesOf({ target, folds, apart, unfolded }: TargetAccount): string[] {
  return [
    target,
    ...folds.map(({ result, layers }) => `  ${layers.map(layerText).join(" < ")} -> ${result}`),
    ...apart.map(
      ({ below, above, why }) => `  not folded: ${layerText(below)} | ${layerText(above)}: ${why}`,
    ),
    ...(unfolded ? ["  its references are restored, and its folded items removed"] : []),
  ];
}
