// Sets annotations of an item, in the item's own style.
import { type Node, doubleQuote, quoteReadably } from "../yaml/index.ts";
import {
  addScalars,
  addScalarsTo,
  removeEntries,
  replaceScalar,
  replaceText,
  type NewScalar,
  scalarsInBrackets,
  setScalars,
} from "./edit.ts";
import type { TextEdit } from "./splice.ts";
import { isNode, type Item } from "./item.ts";

/**
 * Sets annotations. Those that have their value already get no edit. An item with aliases as annotations is left as it is.
 * All annotations of an item are set at once: two edits cannot both add the mapping that holds them.
 */
export function annotate(item: Item, values: Readonly<Record<string, string>>): TextEdit[] {
  const metadata = metadataOf(item);
  const wanted = Object.entries(values).filter(([key, value]) => item.annotations.get(key) !== value);
  // An annotation added to an aliased mapping would appear in two places.
  if (metadata === undefined || wanted.length === 0 || metadata.doc.targets.size > 0) return [];
  return setAnnotations(metadata, wanted);
}

/** Sets annotations, and takes others out, perhaps all that were there. */
export function setAnnotations(
  metadata: Node,
  values: readonly (readonly [annotation: string, value: string])[],
  isGone: (annotation: string) => boolean = () => false,
): TextEdit[] {
  const annotations = metadata.get("annotations");
  const scalars = values.map(([key, value]) => [key, scalarFor(value)] as const);
  if (annotations === undefined) return [addScalars(metadata, "annotations", scalars)];
  // A second key of that name is invalid to strict readers: brackets replace the empty value.
  if (!annotations.isMapping) return [replaceScalar(annotations, scalarsInBrackets(scalars))];
  const [gone, kept] = [new Map<string, Node>(), new Map<string, Node>()];
  for (const child of annotations.children()) (isGone(child.keyText) ? gone : kept).set(child.keyText, child);
  if (kept.size === 0) return [setScalars(annotations, scalars)];
  const more = scalars.filter(([key]) => !kept.has(key));
  const changed = values.flatMap(([key, value]) => {
    const present = kept.get(key);
    return present === undefined ? [] : [replaceText(present, value)];
  });
  const added = more.length === 0 ? [] : [addScalarsTo(annotations, more)];
  return [...removeEntries([...gone.values()], metadata), ...changed, ...added];
}

function scalarFor(value: string): NewScalar {
  return { line: quoteReadably(value), lines: [], quoted: doubleQuote(value) };
}

/** Removes an annotation; without any left it removes `annotations`, too. */
export function unannotate(item: Item, key: string): TextEdit[] {
  const metadata = metadataOf(item);
  const annotations = metadata?.get("annotations");
  const present = annotations?.get(key);
  if (metadata === undefined || present === undefined || metadata.doc.targets.size > 0) return [];
  return removeEntries([present], metadata);
}

/** Also undefined for an empty value. */
export function metadataOf(item: Item): Node | undefined {
  const root = item.read();
  const metadata = isNode(root) ? root.get("metadata") : undefined;
  return metadata !== undefined && metadata.isMapping ? metadata : undefined;
}
