// Labels and annotations of an item in full, and the keys under `binaryData`.
import { isNode, type Item } from "../krm/index.ts";
import type { Node } from "../yaml/index.ts";

export function labelsOf(item: Item): ReadonlyMap<string, string> {
  if (!item.labelled) return none;
  return metadataMap(item, "labels");
}

const none: ReadonlyMap<string, string> = new Map();

/** One label of an item. */
export function labelOf(item: Item, label: string): string | undefined {
  if (!item.labelled) return undefined;
  const root = item.read();
  const metadata = isNode(root) ? root.get("metadata") : undefined;
  const labels = metadata?.get("labels");
  const value = labels?.get(label);
  return value?.text;
}

/** A glance at an item leaves long annotations out; these are all of them. */
export function annotationsOf(item: Item): ReadonlyMap<string, string> {
  return metadataMap(item, "annotations");
}

export function binaryKeysOf(item: Item): readonly string[] {
  return binaryEntriesOf(item).map((each) => each.keyText);
}

/** How many bytes are under `binaryData`, decoded. */
export function binaryBytesOf(item: Item): number {
  const texts = binaryEntriesOf(item).map((entry) => entry.value.text.replaceAll(/\s/g, ""));
  return texts.reduce((total, text) => total + Buffer.byteLength(text, "base64"), 0);
}

function binaryEntriesOf(item: Item): readonly Node[] {
  const root = item.read();
  const binary = isNode(root) ? root.get("binaryData") : undefined;
  return binary !== undefined && binary.isMapping ? binary.children() : [];
}

function metadataMap(item: Item, name: string): ReadonlyMap<string, string> {
  const root = item.read();
  const metadata = isNode(root) ? root.get("metadata") : undefined;
  const found = metadata?.get(name);
  if (found === undefined || !found.isMapping) return new Map();
  return new Map(found.children().map((child) => [child.keyText, child.value.text]));
}

/** True for a manifest that came sealed, opened since or not: no key of it can be changed by itself. */
export function hasSeal(item: Item): boolean {
  const root = item.read();
  const sops = isNode(root) ? root.get("sops") : undefined;
  return sops !== undefined && sops.isMapping;
}
