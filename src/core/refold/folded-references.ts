// What was folded out of a target, written on the target where its output becomes the next input (kpt). Without it two branches
// that each add an entry leave the same text in the target's file, and git merges only the folded items: an entry is lost.
import type { Diagnostic } from "../../diagnostic.ts";
import { objectText } from "../../object-id.ts";
import { factsOf } from "../../kinds.ts";
import type { Fold, RecordedLayer, Restoration } from "../../layers/index.ts";
import { annotate, unannotate, Mark, type TextEdit, type Item, atItem } from "../../krm/index.ts";
import { readRecord } from "./record.ts";

/** A reference that a fold replaced. */
interface Replaced extends Pick<RecordedLayer, "slot" | "kind" | "name" | "key" | "priority" | "optional"> {
  readonly namespace?: string | undefined;
}

/**
 * The edits that keep the annotation of a target: set under kpt, and up to date wherever it is.
 *
 * @param isNextInput true where the output becomes the next input; a clone in it is not from kpt yet
 */
export function referenceEdits(
  target: Item,
  folds: readonly Fold[],
  earlier: readonly Restoration[],
  isNextInput: boolean,
): TextEdit[] {
  const known = target.annotations.get(Mark.foldedReferences);
  if (known === undefined && !isNextInput) return [];
  const folded = new Set<Item>(folds.flatMap(({ layers }) => layers.map(({ item }) => item)));
  const staying = earlier.filter(({ item, stays }) => stays && !folded.has(item));
  const lists = [
    ...staying.map(({ item }) => entriesOf(target, readRecord(item)?.layers ?? [])),
    ...folds.map(({ layers }) =>
      entriesOf(
        target,
        layers.flatMap(({ reference }) => reference ?? []),
      ),
    ),
  ];
  const entries = lists.flat();
  if (entries.length === 0) return known === undefined ? [] : unannotate(target, Mark.foldedReferences);
  if (known !== undefined && isMadeOf(known.split(", "), lists)) return [];
  return annotate(target, { [Mark.foldedReferences]: entries.join(", ") });
}

/** True for the entries of all lists, those of each list in its order. The order of the lists says nothing. */
function isMadeOf(entries: readonly string[], lists: readonly (readonly string[])[]): boolean {
  const isInOrder = (list: readonly string[]): boolean => {
    let at = -1;
    return list.every((entry) => (at = entries.indexOf(entry, at + 1)) >= 0);
  };
  return entries.toSorted().join() === lists.flat().toSorted().join() && lists.every(isInOrder);
}

/** The fault of a target that was not folded from what its folded items record; undefined where both fit. */
export function conflictIn(
  target: Item,
  records: readonly (readonly RecordedLayer[])[],
): Diagnostic | undefined {
  const text = target.annotations.get(Mark.foldedReferences);
  if (text === undefined) return undefined;
  const own = text.split(", ");
  const lists = records.map((layers) => entriesOf(target, layers));
  if (isMadeOf(own, lists)) return undefined;
  const items = lists.flat();
  const onlyHere = own.filter((entry) => !items.includes(entry));
  const onlyThere = items.filter((entry) => !own.includes(entry));
  const listed = (entries: readonly string[]): string => entries.map((entry) => `\`${entry}\``).join(", ");
  const parts = [
    ...(onlyHere.length === 0 ? [] : [`only the annotation has ${listed(onlyHere)}`]),
    ...(onlyThere.length === 0 ? [] : [`only the folded items have ${listed(onlyThere)}`]),
    ...(onlyHere.length + onlyThere.length > 0 ? [] : ["they have another order, or an entry twice"]),
  ];
  return {
    code: "folded-edited",
    severity: "error",
    ...atItem(target),
    field: `metadata.annotations[${Mark.foldedReferences}]`,
    message: `this ${target.kind} was not folded from what its folded items record`,
    reason: `two branches may have been merged: ${parts.join("; ")}`,
    hint: "take the target and its folded items from one branch, and add the entries of the other branch to the target",
  };
}

function entriesOf({ kind }: Item, references: readonly Replaced[]): string[] {
  const slots = Object.keys(factsOf(kind)?.references?.slots ?? {});
  const hasPriorities = slots.length > 0;
  return references.flatMap(({ slot, kind: layer, name, namespace, key, priority, optional }) => {
    if (slot === undefined) return [];
    const place = hasPriorities ? [slot, ...(slots.includes(slot) ? [] : [String(priority)])] : [];
    const words = [
      ...place,
      objectText({ kind: layer, name, namespace }),
      key ?? "",
      optional ? "optional" : "",
    ];
    return words.filter((word) => word !== "").join(" ");
  });
}
