// A layer next to an item that was folded from layers that are gone: it overrides all of that item or nothing of it, though its
// priority may lie between those that were folded. The record has these, so the change of order is reported.
import type { Context } from "../context.ts";
import type { Diagnostic } from "../../diagnostic.ts";
import { objectText } from "../../object-id.ts";
import { positionOfLayer, type Layer, type Stack } from "../../layers/index.ts";
import { meet, pathTo, leafOf } from "../../merge/index.ts";
import { readRecord } from "../refold/record.ts";
import { Mark, refOf } from "../../krm/index.ts";
import { whyOfAnother } from "./run-ends.ts";
import { isConflict } from "./ties.ts";

interface KeptLayer {
  readonly layer: Layer;
  /** The priorities that were folded into it; absent for a layer like any other. */
  readonly folded?: readonly number[];
}

/** Two layers of which the lower one was to override a part of the upper one. */
interface Swap {
  readonly layer: Layer;
  readonly fold: Layer;
  /** The priority of that part. */
  readonly folded: number;
  readonly isOver: boolean;
}

export function reportSwaps(stack: Stack, context: Context): void {
  if (!stack.entries.some((entry) => "layer" in entry && entry.layer.item.annotations.has(Mark.foldedFrom)))
    return;
  const placed = stack.entries.flatMap((entry) => ("layer" in entry ? placedLayer(entry.layer, stack) : []));
  if (!placed.some(({ folded }) => folded !== undefined)) return;
  for (const [at, { layer: fold, folded = [] }] of placed.entries()) {
    const others = folded.length === 0 ? [] : placed.entries();
    for (const [place, other] of others) {
      if (other.folded !== undefined || other.layer.foldedBefore === true) continue;
      const { layer } = other;
      const isOver = place > at;
      const beyond = folded.filter((each) => (isOver ? each > layer.priority : each < layer.priority));
      const swap = { layer, fold, folded: isOver ? Math.max(...beyond) : Math.min(...beyond), isOver };
      if (beyond.length > 0) context.report.all(swapped(swap, stack, context));
    }
  }
}

function placedLayer(layer: Layer, { target }: Stack): KeptLayer {
  const record = layer.item.annotations.has(Mark.foldedFrom) ? readRecord(layer.item) : undefined;
  if (record === undefined || whyOfAnother(layer, target) !== undefined) return { layer };
  return { layer, folded: record.layers.map(({ priority }) => priority) };
}

/** Nothing where both are known, and set no path differently. */
function swapped(
  { layer, fold, folded, isOver }: Swap,
  stack: Stack,
  { layers: reader }: Context,
): Diagnostic[] {
  const isKnown = reader.isReadable(layer) && reader.isReadable(fold);
  const path = isKnown ? conflictBetween(reader.valuesOf(fold).root, reader.valuesOf(layer).root) : [];
  if (path === undefined) return [];
  const isShown = path.length > 0 && ![layer, fold].some((each) => reader.isSecret(each));
  const what = isShown ? `, and both set \`${path.join(".")}\`` : "";
  return [
    {
      code: "folded-stale",
      severity: "warning",
      item: refOf(layer.item),
      at: positionOfLayer(layer, stack.target, reader),
      message: `this layer is ${isOver ? "above" : "below"} values that were folded with priority ${folded}`,
      reason: `the layers in \`${objectText(fold.item)}\` are gone${what}`,
      hint: "fold what was rendered before the first fold, together with this layer",
    },
  ];
}

type Root = ReturnType<Context["layers"]["valuesOf"]>["root"];

/** The first path that both set differently. */
function conflictBetween(base: Root, override: Root): readonly string[] | undefined {
  if (base === undefined || override === undefined) return undefined;
  let found: readonly string[] | undefined;
  meet(leafOf(base), override, (tree, node, above) => {
    if (found === undefined && node.row > 0 && isConflict(tree, node))
      found = pathTo(above, node, (each) => each.key);
  });
  return found;
}
