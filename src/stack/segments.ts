// Which layers of a stack are adjacent and alike, and whether a run of them is worth folding.
import { Mark, fluxMarks } from "../wire/annotation-names.ts";
import { labelOf } from "../layer/metadata.ts";
import type { Layer, Stack, Target } from "../model.ts";
import { hasName } from "../select/names.ts";
import { readRecord } from "../refold/record.ts";

/** A run of one layer stays as it is, unless nothing else would bring the layer to its consumer. */
export function isWorthFolding(layers: readonly Layer[]): boolean {
  return layers.length > 1 || layers.some(needsFold);
}

function isFolded({ item }: Layer): boolean {
  return item.annotations.has(Mark.foldedFrom);
}

/** A layer that is never applied reaches its consumer in a fold only; unless it was valuefold that marked it so. */
export function needsFold({ reference, item }: Layer): boolean {
  if (reference === undefined) return true;
  return item.annotations.get(Mark.localConfig) === "true" && reference.marked !== true;
}

/** Adjacent layers with nothing between them that are alike in namespace and in what Flux does to them. */
export function segmentsOf(stack: Stack): (Layer[] | "barrier")[] {
  const segments: (Layer[] | "barrier")[] = [];
  for (const entry of stack.entries) {
    const open = segments[segments.length - 1];
    if ("barrier" in entry || isOfAnother(entry.layer, stack.target)) segments.push("barrier");
    else if (
      open !== undefined &&
      open !== "barrier" &&
      areAlike(open[open.length - 1] as Layer, entry.layer, stack)
    )
      open.push(entry.layer);
    else segments.push([entry.layer]);
  }
  return segments;
}

/** What was folded for another target is as good as bound late: a first run did not see it. */
function isOfAnother({ item }: Layer, target: Target): boolean {
  const record = item.annotations.has(Mark.foldedFrom) ? readRecord(item) : undefined;
  if (record === undefined) return false;
  const [kind, name] = [record.target.split("/")[0], record.target.split("/").at(-1) ?? ""];
  return kind !== target.kind || !hasName(target, name);
}

function areAlike(a: Layer, b: Layer, { atHome, whole }: Stack): boolean {
  if (whole === true) return areTreatedAlike(a, b);
  if (a.item.kind !== b.item.kind || (atHome !== true && a.item.namespace !== b.item.namespace)) return false;
  // What an earlier run left apart stays apart, though the merged values may not show the reason any more.
  if ((isFolded(a) && !needsFold(b)) || (isFolded(b) && !needsFold(a))) return false;
  return areTreatedAlike(a, b);
}

/** True if Flux does the same to both objects later. */
function areTreatedAlike(a: Layer, b: Layer): boolean {
  return fluxMarks.every((mark) => fluxMark(a, mark) === fluxMark(b, mark));
}

function fluxMark({ item }: Layer, mark: string): string | undefined {
  return item.annotations.get(mark) ?? labelOf(item, mark);
}
