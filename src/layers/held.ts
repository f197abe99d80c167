// What front ends may ask of what items hold: keys, and texts that stay guarded.
import type { LayerItem, LayerKind } from "./model.ts";
import type { Item } from "../krm/index.ts";
import type { ReadFault } from "../yaml/index.ts";
import type { GuardedText } from "./guarded.ts";

/** etcd's bound on an object, which the API server applies to all data of a ConfigMap or Secret together. */
export const maxDataBytes = 1024 * 1024;

export interface HeldTexts {
  /** The data keys, in the order they are written. */
  keysOf(item: Item): readonly string[];
  has(item: Item, key: string): boolean;
  /** True for an item that can be read, and holds nothing under the key. */
  lacks(item: Item, key: string): boolean;
  /** True for a value under a Secret's `data`. */
  isEncoded(item: Item, key: string): boolean;
  /** True if the value cannot be read: its item is sealed, or it is a SOPS file itself. */
  isSealed(item: Item, key: string): boolean;
  /** The value, decoded; undefined if it is not there; a fault where it is not text or not base64. */
  textOf(item: Item, key: string): Text;
}

/** A guarded text, nothing, or why it cannot be read. */
export type Text = GuardedText | ReadFault | undefined;

export function isText(text: Text): text is GuardedText {
  return text !== undefined && !("code" in text);
}

export function isLayerKind(kind: string): kind is LayerKind {
  return kind === "ConfigMap" || kind === "Secret";
}

/** Other API groups have kinds of these names too (a Crossplane Secret): theirs hold no values. */
export function isLayerItem(item: Item): item is LayerItem {
  return isLayerKind(item.kind) && item.apiVersion === "v1";
}
