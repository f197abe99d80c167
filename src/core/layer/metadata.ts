// Labels and annotations of an item in full, and the keys under `binaryData`.
import { childOf, isNode, type Item } from "../wire/item.ts";
import { keyText, scalarText } from "../yaml/scalar.ts";
import { childrenOf, isMapping, type Node, valueOf } from "../yaml/tape.ts";

export function labelsOf(item: Item): ReadonlyMap<string, string> {
  if (!item.labelled) return none;
  return metadataMap(item, "labels");
}

const none: ReadonlyMap<string, string> = new Map();

/** One label of an item. */
export function labelOf(item: Item, label: string): string | undefined {
  if (!item.labelled) return undefined;
  const root = item.read();
  const metadata = isNode(root) ? childOf(root, "metadata") : undefined;
  const labels = metadata === undefined ? undefined : childOf(metadata, "labels");
  const value = labels === undefined ? undefined : childOf(labels, label);
  return value === undefined ? undefined : scalarText(value);
}

/** A glance at an item leaves long annotations out; these are all of them. */
export function annotationsOf(item: Item): ReadonlyMap<string, string> {
  return metadataMap(item, "annotations");
}

export function binaryKeysOf(item: Item): readonly string[] {
  return binaryEntriesOf(item).map(keyText);
}

/** How many bytes are under `binaryData`, decoded. */
export function binaryBytesOf(item: Item): number {
  const texts = binaryEntriesOf(item).map((entry) => scalarText(valueOf(entry)).replaceAll(/\s/g, ""));
  return texts.reduce((total, text) => total + Buffer.byteLength(text, "base64"), 0);
}

function binaryEntriesOf(item: Item): readonly Node[] {
  const root = item.read();
  const binary = isNode(root) ? childOf(root, "binaryData") : undefined;
  return binary !== undefined && isMapping(binary) ? childrenOf(binary) : [];
}

function metadataMap(item: Item, name: string): ReadonlyMap<string, string> {
  const root = item.read();
  const metadata = isNode(root) ? childOf(root, "metadata") : undefined;
  const found = metadata === undefined ? undefined : childOf(metadata, name);
  if (found === undefined || !isMapping(found)) return new Map();
  return new Map(childrenOf(found).map((child) => [keyText(child), scalarText(valueOf(child))]));
}

/** True for a manifest that came sealed, opened since or not: no key of it can be changed by itself. */
export function hasSeal(item: Item): boolean {
  const root = item.read();
  const sops = isNode(root) ? childOf(root, "sops") : undefined;
  return sops !== undefined && isMapping(sops);
}
