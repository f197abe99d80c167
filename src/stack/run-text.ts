// The merged values of a run → its text. From here on it is guarded: this is the one way out of the fold.
import type { Context } from "../context.ts";
import { guard, type GuardedText, reveal } from "../layer/guarded.ts";
import { isText, maxDataBytes } from "../layer/held.ts";
import { writeJson } from "../merge/json.ts";
import { leafOf, type Tree } from "../merge/tree.ts";
import { isUnchanged } from "../merge/unchanged.ts";
import { writeValues } from "../merge/write.ts";
import type { Layer, Stack } from "../model.ts";

/** The text is all that a folded item holds. */
export const maxTextBytes = maxDataBytes;

/** The layers of a run, lowest first, and what they merge to. */
export interface Merged {
  readonly stack: Stack;
  readonly layers: readonly Layer[];
  readonly tree: Tree | undefined;
}

/** The text, seen only by whoever may: a secret's if any layer is one. */
export function textOfRun(merged: Merged, context: Context): GuardedText {
  return guard(
    writeRun(merged, context),
    merged.layers.some((layer) => context.layers.isSecret(layer)),
  );
}

/** The bytes, in the form of the data key they go to. What no layer changes stays as its target has it. */
export function writeRun({ stack, layers, tree }: Merged, context: Context): Uint8Array {
  const { into } = stack;
  const format = into?.format;
  const [base] = layers;
  const isFile = into !== undefined && base?.item === into.item && format !== "text";
  if (isFile && isSame(tree, [base, ...layers.slice(1)], context)) {
    const text = context.holdings.textOf(into.item, into.key);
    return isText(text) ? reveal(text, into.item) : new Uint8Array();
  }
  if (format === "text") return context.layers.valuesOf(layers.at(-1) as Layer).text;
  return format === "json" ? writeJson(tree) : writeValues(tree);
}

/** True if the layers over a base change none of its values. What is no mapping becomes one by an empty one. */
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
