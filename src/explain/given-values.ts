// The documents of a stack → the values that Helm is given for them.
import { mergeAll, writeValues } from "../merge/index.ts";
import { type Node, standalone } from "../yaml/index.ts";
import type { NamedLayer, StackDocument } from "./document.ts";

interface GivenValues {
  readonly bytes: Uint8Array;
  /** The paths of values that only a Secret may hold. */
  readonly secrets: readonly (readonly string[])[];
  /** Layers whose values are not known. */
  readonly unknown: readonly NamedLayer[];
}

/** @param documents lowest first, the chart's defaults left out */
export function givenValues(documents: readonly StackDocument[]): GivenValues {
  // What is inline is a part of a manifest: alone it would be written with all of that.
  const roots = documents.flatMap(({ root }) =>
    root?.first === undefined ? [] : (standalone(root) ?? root),
  );
  return {
    bytes: roots.length === 0 ? new Uint8Array() : writeValues(mergeAll(roots)),
    secrets: documents.flatMap(({ root, isSecret }) => (isSecret && root ? pathsIn(root, []) : [])),
    unknown: documents
      .map(({ facts }) => facts)
      .filter(({ state }) => state !== "folded" && state !== "apart"),
  };
}

function pathsIn(node: Node, path: readonly string[]): readonly (readonly string[])[] {
  const value = node.value;
  const entries = value.isMapping ? [...value.entries()] : [];
  return entries.length === 0 ? [path] : entries.flatMap(([key, each]) => pathsIn(each, [...path, key]));
}
