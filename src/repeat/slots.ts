// References to layers in a clone: the template's, the fold's, and those that somebody else put there, which stay.
import { hasName } from "../select/names.ts";
import { Mark } from "../wire/annotation-names.ts";
import { childOf, isNode, type Item } from "../wire/item.ts";
import { scalarText } from "../yaml/scalar.ts";
import { childrenOf, isScalar, isSequence, type Node, valueOf } from "../yaml/tape.ts";
import type { Clone } from "./clones.ts";
import { elementContent, folded } from "./content.ts";

/** Each reference in the fields that the fold rewrites. */
export function slotsOf(root: Node, kind: string): readonly Node[] {
  const spec = childOf(root, "spec");
  if (spec === undefined) return [];
  return (folded[kind] ?? []).flatMap((key) => {
    const slot = childOf(spec, key);
    if (slot === undefined) return [];
    return isSequence(slot) ? childrenOf(slot) : [slot];
  });
}

export function slotDigest(slot: Node): string {
  return elementContent(slot);
}

/** True where a clone that is made anew would lose a reference that neither its template nor the fold wrote. */
export function holdsForeign({ item, record }: Clone, made: Node, items: readonly Item[]): boolean {
  const root = item.read();
  if (!isNode(root)) return false;
  const ours = new Set([...(record.slots ?? []), ...slotsOf(made, item.kind).map(slotDigest)]);
  const folds = items.filter(({ annotations }) => annotations.has(Mark.foldedFrom));
  return slotsOf(root, item.kind).some(
    (slot) =>
      !ours.has(slotDigest(slot)) && !textsIn(slot).some((text) => folds.some((each) => hasName(each, text))),
  );
}

function textsIn(node: Node): readonly string[] {
  const value = valueOf(node);
  return isScalar(value) ? [scalarText(value)] : childrenOf(value).flatMap(textsIn);
}
