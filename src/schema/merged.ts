// All known layers of a target, merged as its consumer merges them, with whose each value is, and which layers nobody
// can look into.
import { formatItem, type ItemRef, type Position } from "../diagnostic.ts";
import {
  describe,
  type Document,
  Field,
  field,
  type Layer,
  type LayerReader,
  leafOf,
  mergeAll,
  mergeTrees,
  type Node,
  parsePath,
  placeOf,
  positionOf,
  type ReadEntry,
  readStack,
  refOf,
  type Stack,
  type Step,
  type Target,
  textAt,
  type Tree,
} from "../core/index.ts";

/** A layer whose values are among those merged. */
export interface Merged {
  /** Position among all places of the target's stacks, lowest first. */
  readonly rank: number;
  readonly isSecret: boolean;
  /** Who holds them. */
  readonly item: ItemRef;
  readonly positionOf: (entry: Node) => Position;
}

/** A place that may hold anything: only the cluster knows. */
export interface Unknown {
  readonly rank: number;
  /** As messages name it; absent where nobody names it. */
  readonly name?: string;
  /** The one path it sets. */
  readonly steps?: readonly Step[];
}

export interface MergedValues {
  /** Absent where no layer holds anything. */
  readonly tree: Tree | undefined;
  readonly byDocument: ReadonlyMap<Document, Merged>;
  readonly unknowns: readonly Unknown[];
  /** Documents whose values stand in a manifest as themselves, not in a text that it holds. */
  readonly unquoted: ReadonlySet<Document>;
}

/**
 * @param stacks in the consumer's order: of an App that of Secrets lies over that of ConfigMaps
 * @param inline values that the target holds itself, over all layers
 */
export function mergedValues(
  target: Target,
  stacks: readonly Stack[],
  inline: Node | undefined,
  reader: LayerReader,
): MergedValues {
  const byDocument = new Map<Document, Merged>();
  const unknowns: Unknown[] = [];
  const unquoted = new Set<Document>();
  let [rank, whole]: [number, Tree | undefined] = [0, undefined];
  for (const stack of stacks) {
    const roots: Node[] = [];
    for (const standing of readStack(stack, reader)) {
      rank++;
      const { root, layer } = standing;
      const unknown = unknownAt(standing, rank);
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

function layerMerged(layer: Layer, target: Target, rank: number, reader: LayerReader): Merged {
  const isSecret = reader.isSecret(layer);
  return {
    rank,
    isSecret,
    item: refOf(layer.item),
    positionOf: (entry) => {
      const position = positionOf(layer, target, reader, offsetOf(entry));
      // Of flat keys the path of the value tells which.
      return layer.dotted === undefined ? position : { ...position, text: describe(layer.item) };
    },
  };
}

function inlineMerged(target: Target, rank: number): Merged {
  const text = `${formatItem(target)} spec.values`;
  return {
    rank,
    isSecret: false,
    item: refOf(target),
    positionOf: (entry) => {
      const offset = offsetOf(entry);
      return { ...placeOf(target), text, ...(offset === undefined ? {} : { offset }) };
    },
  };
}

/** A root has no entry, and stands nowhere in particular. */
function offsetOf(entry: Node): number | undefined {
  const offset = field(entry, Field.entry);
  return offset < 0 ? undefined : offset;
}

function unknownAt({ layer, barrier, state, isInline }: ReadEntry, rank: number): Unknown | undefined {
  if (barrier !== undefined) {
    const { reference } = barrier;
    if (reference === undefined) return { rank };
    const name = formatItem(reference);
    const path = reference.node === undefined ? undefined : textAt(reference.node, "targetPath");
    const steps = barrier.why === "target-path" && path !== undefined ? parsePath(path) : undefined;
    return steps === undefined || "wrongAt" in steps ? { rank, name } : { rank, name, steps };
  }
  // What a catalog binds has no name here.
  if (layer === undefined) return isInline === true ? undefined : { rank };
  // A key that an optional reference does not find is no layer to anybody.
  return state === "sealed" || state === "unreadable" ? { rank, name: formatItem(layer.item) } : undefined;
}
