// The data keys of ConfigMaps and Secrets: where each value stands, and what it will hold once targets are
// folded in place, or once SOPS has opened it. And the metadata that goes with them.
import type { Diagnostic } from "../diagnostic.ts";
import { childOf, isNode, type Item } from "../wire/item.ts";
import type { ReadFault } from "../yaml/fault.ts";
import { keyText, scalarText } from "../yaml/scalar.ts";
import { childrenOf, isMapping, type Node, valueOf } from "../yaml/tape.ts";

/** The data of a ConfigMap or Secret: where each key's value stands, or what it will be. */
export interface Data {
  readonly keys: ReadonlyMap<string, Datum>;
  /** True for a SOPS-encrypted manifest. */
  readonly sealed: boolean;
  /** Why it could not be opened. */
  readonly fault?: Diagnostic;
}

export type Datum = {
  readonly encoded: boolean;
  /** True if the text was sealed, and is plain here only. */
  readonly opened?: boolean;
  readonly fault?: Diagnostic;
} & ({ readonly node: Node } | { readonly text: Uint8Array });

const datas = new WeakMap<Item, Data | ReadFault>();

/** The data keys of an item, read once; a fault if it cannot be read. */
export function dataOf(item: Item): Data | ReadFault {
  let data = datas.get(item);
  if (data === undefined) datas.set(item, (data = readData(item)));
  return data;
}

function readData(item: Item): Data | ReadFault {
  const root = item.read();
  if (!isNode(root)) return root;
  const sops = childOf(root, "sops");
  const keys = new Map<string, Datum>();
  for (const part of item.kind === "Secret" ? ["data", "stringData"] : ["data"]) {
    const mapping = childOf(root, part);
    if (mapping === undefined || !isMapping(mapping)) continue;
    const encoded = item.kind === "Secret" && part === "data";
    for (const child of childrenOf(mapping)) keys.set(keyText(child), { node: valueOf(child), encoded });
  }
  return { keys, sealed: sops !== undefined && isMapping(sops) };
}

/**
 * What a data key will hold once its item's own layers are folded into it: whoever asks from then on is told
 * so. The item itself stays as it came.
 * @param text undefined for a key that goes
 */
export function amend(item: Item, key: string, text: Uint8Array | undefined): void {
  const data = dataOf(item);
  if ("code" in data) return;
  if (text === undefined) {
    const keys = new Map(data.keys);
    keys.delete(key);
    return setData(item, { ...data, keys });
  }
  const { encoded = false, opened = false } = data.keys.get(key) ?? {};
  setData(item, { ...data, keys: new Map([...data.keys, [key, { text, encoded, opened }]]) });
}

function setData(item: Item, data: Data): void {
  datas.set(item, data);
}

/** What a sealed manifest holds, once it is opened. */
export function openManifest(
  item: Item,
  keys: ReadonlyMap<string, Pick<Datum, "encoded"> & { readonly text: Uint8Array }>,
): void {
  const opened = [...keys].map(([key, { text, encoded }]) => [key, { text, encoded, opened: true }] as const);
  setData(item, { keys: new Map(opened), sealed: false });
}

/** What a data value that is a SOPS file holds, once it is opened. */
export function openKey(item: Item, key: string, text: Uint8Array): void {
  const data = dataOf(item);
  if ("code" in data) return;
  setData(item, { ...data, keys: new Map([...data.keys, [key, { text, encoded: true, opened: true }]]) });
}

/** Remembers why an item, or one key of it, stays sealed: told where it would have been folded. */
export function failOpening(item: Item, key: string | undefined, fault: Diagnostic): void {
  const data = dataOf(item);
  if ("code" in data) return;
  const datum = key === undefined ? undefined : data.keys.get(key);
  if (key === undefined || datum === undefined) setData(item, { ...data, fault });
  else setData(item, { ...data, keys: new Map([...data.keys, [key, { ...datum, fault }]]) });
}

/** True for a manifest that came sealed, opened since or not: no key of it can be changed by itself. */
export function hasSeal(item: Item): boolean {
  const root = item.read();
  const sops = isNode(root) ? childOf(root, "sops") : undefined;
  return sops !== undefined && isMapping(sops);
}

/** True for a SOPS-encrypted manifest that is not open. */
export function isManifestSealed(item: Item): boolean {
  const data = dataOf(item);
  return !("code" in data) && data.sealed;
}

/** True for a value under a Secret's `data`. */
export function isEncoded(item: Item, key: string): boolean {
  const data = dataOf(item);
  return !("code" in data) && data.keys.get(key)?.encoded === true;
}

/** The data keys of a ConfigMap or Secret, in the order they are written. */
export function dataKeysOf(item: Item): readonly string[] {
  const data = dataOf(item);
  return "code" in data ? [] : [...data.keys.keys()];
}

/** True for an item that can be read, and holds nothing under the key. */
export function lacksKey(item: Item, key: string): boolean {
  const data = dataOf(item);
  return !("code" in data) && !data.keys.has(key);
}

/** The keys under `binaryData`. */
export function binaryKeysOf(item: Item): readonly string[] {
  const root = item.read();
  const binary = isNode(root) ? childOf(root, "binaryData") : undefined;
  return binary !== undefined && isMapping(binary) ? [...childrenOf(binary)].map(keyText) : [];
}

/** Labels of an item. */
export function labelsOf(item: Item): ReadonlyMap<string, string> {
  return metadataMap(item, "labels");
}

/** Annotations of an item in full; a glance at it leaves out the long ones. */
export function annotationsOf(item: Item): ReadonlyMap<string, string> {
  return metadataMap(item, "annotations");
}

function metadataMap(item: Item, name: string): ReadonlyMap<string, string> {
  const root = item.read();
  const metadata = isNode(root) ? childOf(root, "metadata") : undefined;
  const found = metadata === undefined ? undefined : childOf(metadata, name);
  if (found === undefined || !isMapping(found)) return new Map();
  return new Map([...childrenOf(found)].map((child) => [keyText(child), scalarText(valueOf(child))]));
}
