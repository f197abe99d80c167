// The one line that sums up a run; a run without any target is worth a warning.
import type { Diagnostic } from "../../diagnostic.ts";
import { objectText } from "../../object-id.ts";
import { isComponent } from "../front/all.ts";
import { targetKinds } from "../../kinds.ts";
import type { Context } from "../context.ts";
import { isNode, type Item } from "../../krm/index.ts";
import type { Plan } from "./assembly.ts";
import { missingOf } from "./lost-folds.ts";

export function summarize(
  { survey, inPlace, collected, folds: ofItems }: Plan,
  { settings }: Pick<Context, "settings">,
  items: readonly Item[],
): Diagnostic {
  const targets = survey.selection.targets.length;
  if (targets === 0) return noTarget(settings.targets !== undefined, survey.selection.leftAlone, items);
  const folds = [...inPlace.folds, ...ofItems];
  const layers = folds.flatMap(({ stack, layers: all }) =>
    all.filter(({ item }) => item !== stack.target),
  ).length;
  const owners = new Set(folds.map(({ stack }) => stack.target)).size;
  const parts = [
    count(layers, "layer"),
    count(owners, "target"),
    count(
      new Set(folds.map((fold) => (fold.stack.into === undefined ? fold : fold.stack.target))).size,
      "item",
    ),
    count(targets, "target"),
  ];
  const absent = [...collected].flatMap(([target, { references }]) =>
    isComponent(target)
      ? []
      : missingOf(target, references, survey.names).filter(({ optional }) => optional !== true),
  ).length;
  const left =
    absent === 0
      ? ""
      : `; ${count(absent, "reference")} to ${absent === 1 ? "an object" : "objects"} not in the list`;
  const message = `folded ${parts[0]} of ${parts[1]} into ${parts[2]}; ${parts[3]} in all${left}`;
  return { code: "fold-summary", severity: "info", message };
}

/** @param selected whether the setting `targets` chose among them */
function noTarget(selected: boolean, leftAlone: readonly Item[], items: readonly Item[]): Diagnostic {
  const [alone] = leftAlone;
  const kinds = targetKinds.filter(({ withoutItem }) => withoutItem !== true).map(({ kind }) => kind);
  const isBare = items.length > 0 && items.every(({ kind }) => kind === "");
  const isKustomization = items.some(isOfKustomize);
  return {
    code: "no-target",
    severity: "warning",
    message: alone === undefined ? "the list has no target" : "no target in the list is folded",
    reason: "nothing was folded",
    hint: selected
      ? "no possible target matches a selector of the setting `targets`"
      : isKustomization
        ? "this is a kustomization: build it first: `kustomize build DIR | valuefold fold`"
        : isBare
          ? "these are no Kubernetes objects: merge values files by `valuefold merge FILE...`, or put values into ConfigMaps annotated with `valuefold.dev/into`"
          : alone !== undefined
            ? `\`${objectText(alone)}\` is not folded because of its annotation \`valuefold.dev/fold\``
            : `targets are ${kinds.join(", ")}`,
  };
}

/** kustomize does not ask for kind and version in its file. */
function isOfKustomize(item: Item): boolean {
  if (item.kind !== "") return item.apiVersion.startsWith("kustomize.config.k8s.io/");
  const root = item.read();
  if (!isNode(root)) return false;
  const fields = kustomizeFields.flatMap((name) => root.get(name) ?? []);
  return fields.some((each) => each.isSequence);
}

/** Lists that hardly anything but a kustomization has at its top. */
const kustomizeFields = ["configMapGenerator", "secretGenerator", "generators", "transformers", "resources"];

export function count(number: number, thing: string): string {
  return `${number} ${thing}${number === 1 ? "" : "s"}`;
}
