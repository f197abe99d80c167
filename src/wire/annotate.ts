// Setting an annotation of an item, in the style of what is there.
import { isFlow, isMapping, type Node } from "../yaml/tape.ts";
import { doubleQuote, quoteReadably } from "../yaml/quote.ts";
import { addEntry, removeEntries, replaceScalar, replaceText } from "./edit.ts";
import type { Edit } from "./envelope.ts";
import { childOf, isNode, type Item } from "./item.ts";

/** No edit where it says so already. An item in which aliases stand for annotations is left as it is. */
export function annotate(item: Item, key: string, value: string): Edit[] {
  const metadata = metadataOf(item);
  if (metadata === undefined || item.annotations.get(key) === value) return [];
  // An annotation put where an alias stands for it would appear in two places.
  if (metadata.doc.targets.size > 0) return [];
  const annotations = childOf(metadata, "annotations");
  const inBrackets = isFlow(annotations !== undefined && isMapping(annotations) ? annotations : metadata);
  const text = inBrackets ? doubleQuote(value) : quoteReadably(value);
  if (annotations === undefined) return [addEntry(metadata, "annotations", [[key, text]])];
  // A second key of that name is no YAML to strict readers: brackets go where nothing was.
  if (!isMapping(annotations))
    return [replaceScalar(annotations, `{${doubleQuote(key)}: ${doubleQuote(value)}}`)];
  const present = childOf(annotations, key);
  return present === undefined ? [addEntry(annotations, key, text)] : [replaceText(present, value)];
}

/** Takes an annotation away; the last of them takes `annotations` with it. */
export function unannotate(item: Item, key: string): Edit[] {
  const metadata = metadataOf(item);
  const annotations = metadata === undefined ? undefined : childOf(metadata, "annotations");
  const present = annotations === undefined ? undefined : childOf(annotations, key);
  if (metadata === undefined || present === undefined || metadata.doc.targets.size > 0) return [];
  return removeEntries([present], metadata);
}

/** Undefined where nothing stands under it, too. */
export function metadataOf(item: Item): Node | undefined {
  const root = item.read();
  const metadata = isNode(root) ? childOf(root, "metadata") : undefined;
  return metadata !== undefined && isMapping(metadata) ? metadata : undefined;
}
