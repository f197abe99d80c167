// Which layers of a stack are adjacent and alike, and whether a run of them is worth folding.
import {
  type Layer,
  type Reason,
  type Stack,
  type StackEntry,
  type Target,
  needsFold,
} from "../../layers/index.ts";
import { whyBarred, whyOfAnother, whyUnlike } from "./run-ends.ts";

/** A run of one layer stays as it is, unless only a fold brings the layer to its consumer. */
export function isWorthFolding(layers: readonly Layer[]): boolean {
  return layers.length > 1 || layers.some(needsFold);
}

/** Layers that may fold, or a barrier; and why it begins here. */
export type Segment =
  | { readonly layers: readonly Layer[]; readonly why: Reason }
  | { readonly barrier: () => Reason };

/** Adjacent layers with nothing between them and alike, by `whyUnlike`: in namespace, in kind, and in what Flux does to them. */
export function segmentsOf(stack: Stack): Segment[] {
  const segments: Segment[] = [];
  let open: Layer[] | undefined;
  for (const entry of stack.entries) {
    const barrier = barrierIn(entry, stack.target);
    if ("barrier" in entry || barrier !== undefined) {
      segments.push({ barrier: barrier ?? nothing });
      open = undefined;
      continue;
    }
    const lower = open?.at(-1);
    const why = lower === undefined ? nothing() : whyUnlike(lower, entry.layer, stack);
    if (open !== undefined && why === undefined) open.push(entry.layer);
    else segments.push({ layers: (open = [entry.layer]), why: why ?? nothing() });
  }
  return segments;
}

function nothing(): Reason {
  return { why: "", cure: "" };
}

/** Why nothing folds across an entry; the text is made only if it is reported. */
function barrierIn(entry: StackEntry, target: Target): (() => Reason) | undefined {
  if ("barrier" in entry) return () => whyBarred(entry.barrier);
  const why = whyOfAnother(entry.layer, target);
  return why === undefined ? undefined : () => why;
}
