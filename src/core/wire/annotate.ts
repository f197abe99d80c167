// Sets an annotation of an item, in the item's own style.
import { isFlow, isMapping, type Node } from "../yaml/tape.ts";
import { doubleQuote, quoteReadably } from "../yaml/quote.ts";
import { addEntry, removeEntries, replaceScalar, replaceText } from "./edit.ts";
import type { Edit } from "./envelope.ts";
import { childOf, isNode, type Item } from "./item.ts";

/** No edit if the value is already set. An item with aliases as annotations is left as it is. */
export function annotate(item: Item, key: string, value: string): Edit[] {
  const metadata = metadataOf(item);
  if (metadata === undefined || item.annotations.get(key) === value) return [];
  // An annotation added to an aliased mapping would appear in two places.
  if (metadata.doc.targets.size > 0) return [];
  const annotations = childOf(metadata, "annotations");
  const inBrackets = isFlow(annotations !== undefined && isMapping(annotations) ? annotations : metadata);
  const text = inBrackets ? doubleQuote(value) : quoteReadably(value);
  if (annotations === undefined) return [addEntry(metadata, "annotations", [[key, text]])];
  // A second key of that name is invalid to strict readers: brackets replace the empty value.
  if (!isMapping(annotations))
    return [replaceScalar(annotations, `{${doubleQuote(key)}: ${doubleQuote(value)}}`)];
  const present = childOf(annotations, key);
  return present === undefined ? [addEntry(annotations, key, text)] : [replaceText(present, value)];
}

/** Removes an annotation; without any left it removes `annotations`, too. */
export function unannotate(item: Item, key: string): Edit[] {
  const metadata = metadataOf(item);
  const annotations = metadata === undefined ? undefined : childOf(metadata, "annotations");
  const present = annotations === undefined ? undefined : childOf(annotations, key);
  if (metadata === undefined || present === undefined || metadata.doc.targets.size > 0) return [];
  return removeEntries([present], metadata);
}

/** Also undefined for an empty value. */
export function metadataOf(item: Item): Node | undefined {
  const root = item.read();
  const metadata = isNode(root) ? childOf(root, "metadata") : undefined;
  return metadata !== undefined && isMapping(metadata) ? metadata : undefined;
}
