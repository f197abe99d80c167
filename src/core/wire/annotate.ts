// Sets annotations of an item, in the item's own style.
import { isFlow, isMapping, type Node } from "../yaml/tape.ts";
import { doubleQuote, quoteReadably } from "../yaml/quote.ts";
import { addEntry, removeEntries, replaceScalar, replaceText } from "./edit.ts";
import type { Edit } from "./envelope.ts";
import { childOf, isNode, type Item } from "./item.ts";

/**
 * Sets annotations. Those that have their value already get no edit. An item with aliases as annotations is left as it is.
 * All annotations of an item are set at once: two edits cannot both add the mapping that holds them.
 */
export function annotate(item: Item, values: Readonly<Record<string, string>>): Edit[] {
  const metadata = metadataOf(item);
  const wanted = Object.entries(values).filter(([key, value]) => item.annotations.get(key) !== value);
  // An annotation added to an aliased mapping would appear in two places.
  if (metadata === undefined || wanted.length === 0 || metadata.doc.targets.size > 0) return [];
  const annotations = childOf(metadata, "annotations");
  const inBrackets = isFlow(annotations !== undefined && isMapping(annotations) ? annotations : metadata);
  const fields = wanted.map(
    ([key, value]) => [key, inBrackets ? doubleQuote(value) : quoteReadably(value)] as const,
  );
  if (annotations === undefined) return [addEntry(metadata, "annotations", fields)];
  // A second key of that name is invalid to strict readers: brackets replace the empty value.
  if (!isMapping(annotations)) {
    const entries = wanted.map(([key, value]) => `${doubleQuote(key)}: ${doubleQuote(value)}`);
    return [replaceScalar(annotations, `{${entries.join(", ")}}`)];
  }
  return fields.map(([key, text], at) => {
    const present = childOf(annotations, key);
    return present === undefined
      ? addEntry(annotations, key, text)
      : replaceText(present, wanted[at]?.[1] ?? "");
  });
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
