// The merged values of a run → its text, guarded by the layers that went into it.
import type { Context } from "../context.ts";
import {
  bytesToMerge,
  guard,
  type GuardedText,
  isText,
  maxDataBytes,
  type Layer,
  type Stack,
} from "../../layers/index.ts";
import { writeJson, leafOf, type Tree, isUnchanged, writeValues } from "../../merge/index.ts";

/** The text is all of a folded item's data. */
export const maxTextBytes = maxDataBytes;

/** The layers of a run, lowest first, and their merged values. */
export interface Merged {
  readonly stack: Stack;
  readonly layers: readonly Layer[];
  readonly tree: Tree | undefined;
}

/** The text, guarded as a secret if any layer is one. */
export function textOfRun(merged: Merged, context: Context): GuardedText {
  return guard(
    writeRun(merged, context),
    merged.layers.some((layer) => context.layers.staysSecret(layer)),
  );
}

/** The bytes, in the format of their data key. A text that no layer changes stays as the target has it. */
export function writeRun({ stack, layers, tree }: Merged, context: Context): Uint8Array {
  const { into } = stack;
  const format = into?.format;
  const [base] = layers;
  const isFile = into !== undefined && base?.item === into.item && format !== "text";
  if (isFile && isSame(tree, [base, ...layers.slice(1)], context)) {
    const text = context.holdings.textOf(into.item, into.key);
    return isText(text) ? bytesToMerge(text) : new Uint8Array();
  }
  if (format === "text") return context.layers.valuesOf(layers.at(-1) as Layer).text;
  return format === "json" ? writeJson(tree) : writeValues(tree);
}

/** True if the layers over a base change none of its values. An empty mapping turns a scalar into a mapping. */
function isSame(
  tree: Tree | undefined,
  [base, ...over]: readonly [Layer, ...Layer[]],
  context: Context,
): boolean {
  const { layers } = context;
  const { root, isMapping } = layers.valuesOf(base);
  if (tree === undefined && !isMapping) return !over.some((layer) => layers.valuesOf(layer).isMapping);
  return isUnchanged(tree, root === undefined ? undefined : leafOf(root));
}
