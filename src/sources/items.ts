// The items of a text, and what is in them.
import { decodeStream, encode, isNode, type Item, removeItems } from "../krm/index.ts";
import { bufferOf, type Node } from "../yaml/index.ts";
import { memberOf } from "./kustomize/marks.ts";

/** None of what cannot be read. */
export function itemsIn(bytes: Uint8Array): readonly Item[] {
  const envelope = decodeStream(bytes);
  return "items" in envelope ? envelope.items : [];
}

/** A text less some of its items, and those that are left. */
export function withoutItems(
  bytes: Uint8Array,
  isLeftOut: (item: Item) => boolean,
): { readonly bytes: Uint8Array; readonly items: readonly Item[] } {
  const envelope = decodeStream(bytes);
  if (!("items" in envelope)) return { bytes, items: [] };
  const gone = new Set(envelope.items.filter(isLeftOut));
  if (gone.size === 0) return { bytes, items: envelope.items };
  const left = Buffer.concat(encode(envelope, removeItems(envelope, gone), []));
  return { bytes: left, items: envelope.items.filter((item) => !gone.has(item)) };
}

/** Undefined for one that cannot be read. */
export function rootOf(item: Item | undefined): Node | undefined {
  const root = item?.read();
  return root !== undefined && isNode(root) ? root : undefined;
}

export function specOf(item: Item | undefined): Node | undefined {
  return rootOf(item)?.get("spec");
}

/** What an item has at a path, in lists by their numbers. */
export function nodeIn(item: Item | undefined, path: readonly string[]): Node | undefined {
  return path.reduce<Node | undefined>((at, key) => at && memberOf(at.value, key), rootOf(item));
}

/** The lines of an item. */
export function linesOf({ bytes, start, end }: Item): Buffer {
  return bufferOf(bytes).subarray(start, end);
}
