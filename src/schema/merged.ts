// All known layers of a target, merged as its consumer merges them. Records which layer each value comes from, and which
// layers cannot be read.
import { formatItem, type ItemRef, type Position } from "../diagnostic.ts";
import { describe, placeOf, refOf } from "../krm/index.ts";
import type { Document, Node } from "../yaml/index.ts";
import { type Layer, type LayerReader, positionOf, type Stack, type Target } from "../layers/index.ts";
import { leafOf, mergeAll, mergeTrees, parsePath, type Step, type Tree } from "../merge/index.ts";
import { type ReadEntry, readStack } from "../core/index.ts";

/** A layer with values among those merged. */
interface MergedLayer {
  /** Position among all places of the target's stacks, lowest first. */
  readonly rank: number;
  readonly isSecret: boolean;
  /** The item that contains them. */
  readonly item: ItemRef;
  /** @param offset of an entry; absent for a root, which has none */
  readonly positionAt: (offset: number | undefined) => Position;
}

/** A layer with values that only the cluster knows. */
export interface UnknownLayer {
  readonly rank: number;
  /** As messages name it; absent if the input does not name it. */
  readonly name?: string;
  /** The one path that it sets (`targetPath`); absent if it may set any. */
  readonly steps?: readonly Step[];
}

export interface MergedValues {
  /** Absent if no layer has values. */
  readonly tree: Tree | undefined;
  readonly byDocument: ReadonlyMap<Document, MergedLayer>;
  readonly unknowns: readonly UnknownLayer[];
  /** Documents with values that are part of a manifest, not a text inside it: Flux prints them without quotes. */
  readonly unquoted: ReadonlySet<Document>;
}

/**
 * @param stacks in the consumer's order: in an App, Secrets override ConfigMaps
 * @param inline values in the target itself, which override all layers
 */
export function mergedValues(
  target: Target,
  stacks: readonly Stack[],
  inline: Node | undefined,
  reader: LayerReader,
): MergedValues {
  const byDocument = new Map<Document, MergedLayer>();
  const unknowns: UnknownLayer[] = [];
  const unquoted = new Set<Document>();
  let [rank, whole]: [number, Tree | undefined] = [0, undefined];
  for (const stack of stacks) {
    const roots: Node[] = [];
    for (const entry of readStack(stack, reader)) {
      rank++;
      const { root, layer } = entry;
      const unknown = unknownAt(entry, rank);
      if (unknown !== undefined) unknowns.push(unknown);
      if (root === undefined || layer === undefined) continue;
      byDocument.set(root.doc, layerMerged(layer, target, rank, reader));
      if (layer.dotted !== undefined) unquoted.add(root.doc);
      roots.push(root);
    }
    whole = mergeTrees(whole, mergeAll(roots, stack.rules?.at));
  }
  if (inline !== undefined) {
    byDocument.set(inline.doc, inlineMerged(target, rank + 1));
    unquoted.add(inline.doc);
    whole = mergeTrees(whole, leafOf(inline));
  }
  return { tree: whole, byDocument, unknowns, unquoted };
}

function layerMerged(layer: Layer, target: Target, rank: number, reader: LayerReader): MergedLayer {
  const isSecret = reader.isSecret(layer);
  return {
    rank,
    isSecret,
    item: refOf(layer.item),
    positionAt: (offset) => {
      const position = positionOf(layer, target, reader, offset);
      // Flat keys: the path of the value identifies the key.
      return layer.dotted === undefined ? position : { ...position, text: describe(layer.item) };
    },
  };
}

function inlineMerged(target: Target, rank: number): MergedLayer {
  const text = `${formatItem(target)} spec.values`;
  return {
    rank,
    isSecret: false,
    item: refOf(target),
    positionAt: (offset) => ({ ...placeOf(target), text, ...(offset === undefined ? {} : { offset }) }),
  };
}

function unknownAt({ layer, barrier, state, isInline }: ReadEntry, rank: number): UnknownLayer | undefined {
  if (barrier !== undefined) {
    const { reference } = barrier;
    if (reference === undefined) return { rank };
    const name = formatItem(reference);
    const path = reference.node === undefined ? undefined : reference.node.textAt("targetPath");
    const steps = barrier.why === "target-path" && path !== undefined ? parsePath(path) : undefined;
    return steps === undefined || "wrongAt" in steps ? { rank, name } : { rank, name, steps };
  }
  // The input does not name layers that a catalog binds.
  if (layer === undefined) return isInline === true ? undefined : { rank };
  // An optional reference to a missing key adds no values.
  return state === "sealed" || state === "unreadable" ? { rank, name: formatItem(layer.item) } : undefined;
}
