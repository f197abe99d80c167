// The one line that sums up a run; a run without any target is worth a warning.
import type { Diagnostic } from "../diagnostic.ts";
import { frontEnds } from "../front/all.ts";
import type { Fold } from "../model.ts";

/** @param selected whether the setting `targets` chose among them */
export function summarize(targets: number, folds: readonly Fold[], selected: boolean): Diagnostic {
  if (targets === 0) {
    const kinds = frontEnds.filter(({ standsAlone }) => standsAlone !== true).map(({ kind }) => kind);
    const hint = selected
      ? "no item matches a selector of the setting `targets`"
      : `targets are ${kinds.join(", ")}`;
    return {
      code: "no-target",
      severity: "warning",
      message: "the list holds no target, so nothing was folded",
      hint,
    };
  }
  const layers = folds.flatMap(({ stack, layers: all }) =>
    all.filter(({ item }) => item !== stack.target),
  ).length;
  const owners = new Set(folds.map(({ stack }) => stack.target)).size;
  const parts = [
    count(layers, "layer"),
    count(owners, "target"),
    count(
      new Set(folds.map((fold) => (fold.stack.place === undefined ? fold : fold.stack.target))).size,
      "item",
    ),
    count(targets, "target"),
  ];
  const message = `folded ${parts[0]} of ${parts[1]} into ${parts[2]}; ${parts[3]} in all`;
  return { code: "fold-summary", severity: "info", message };
}

function count(number: number, thing: string): string {
  return `${number} ${thing}${number === 1 ? "" : "s"}`;
}
