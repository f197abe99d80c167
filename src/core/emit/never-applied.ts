// Layers that a target references, that are never applied (`local-config`), and that no fold takes: their values reach no
// cluster. kustomize drops them at the end of the build, and kpt does not apply them.
import type { Diagnostic } from "../../diagnostic.ts";
import { objectText } from "../../object-id.ts";
import type { Survey } from "../context.ts";
import type { Collected } from "../front/front-end.ts";
import type { Fold, Reference, Target } from "../../layers/index.ts";
import { whyBarred } from "../stack/run-ends.ts";
import { Mark, type Item, type Named, atItem } from "../../krm/index.ts";

/** What a run leaves; layers that an earlier run marked become layers like any other again. */
export function neverAppliedLayers(
  items: readonly Item[],
  { targetReferences, names, markedByUs }: Survey,
  collected: ReadonlyMap<Target, Collected>,
  folds: readonly Fold[],
): Diagnostic[] {
  // Most lists have no such layer: no reference is looked up then.
  if (!items.some(isLocal)) return [];
  const folded = new Set<Item>(folds.flatMap(({ layers }) => layers.map(({ item }) => item)));
  const isLeft = (item: Item): boolean => isLocal(item) && !markedByUs.has(item) && !folded.has(item);
  return targetReferences.flatMap(({ target, references, leftAlone }) =>
    references.flatMap((reference) => {
      const left = names.find(reference, target).filter(isLeft);
      const why = leftAlone ? "its target is not folded" : whyLeft(reference, collected.get(target));
      return left.map((item) => neverAppliedLayer(item, target, why));
    }),
  );
}

function isLocal({ annotations }: Item): boolean {
  return annotations.get(Mark.localConfig) === "true";
}

function whyLeft(reference: Reference, found: Collected | undefined): string | undefined {
  const entries = found?.stacks.flatMap((stack) => stack.entries) ?? [];
  for (const entry of entries)
    if ("barrier" in entry && entry.barrier.reference === reference)
      return whyBarred(entry.barrier).why.replace(" between them", "");
  return undefined;
}

export function neverAppliedLayer(item: Item, target: Named, why?: string): Diagnostic {
  return {
    code: "layer-left",
    severity: "warning",
    ...atItem(item),
    message: `\`${objectText(target)}\` references this layer, which is not folded and never applied`,
    reason: `it is \`local-config\`${why === undefined ? "" : `; not folded: ${why}`}`,
    hint: "remove the annotation `config.kubernetes.io/local-config`",
  };
}
