// Layers: which items are annotated as such, which data key of an item is meant, and its values.
// A sealed item is never looked into.
import { binaryKeysOf, dataOf, type Datum, isEncoded } from "./data-keys.ts";
import type { Diagnostic } from "../diagnostic.ts";
import type { Layer, LayerKind } from "../model.ts";
import { readValues, type Values } from "./values.ts";
import { describe, type Item, refOf } from "../wire/item.ts";
import type { ReadFault } from "../yaml/fault.ts";
import { isNull } from "../yaml/resolve.ts";
import { scalarText } from "../yaml/scalar.ts";
import { isScalar } from "../yaml/tape.ts";

/** By the data of an item as it is known now, or by a text of its own. */
const values = new WeakMap<object, Map<string, Values>>();

export function isLayerKind(kind: string): kind is LayerKind {
  return kind === "ConfigMap" || kind === "Secret";
}

/** True if the layer was sealed and is plain here only. */
export function isOpened(layer: Layer): boolean {
  return datumOf(layer)?.opened === true;
}

/** What came from a Secret or from a sealed layer only ever reaches a Secret. Throws: getting here is a bug. */
export function refuseWrongSink(kind: string, layers: readonly Layer[]): void {
  const isSecret = layers.some((layer) => layer.kind === "Secret" || isOpened(layer));
  if (isSecret && kind !== "Secret") throw new Error("a secret was about to leave for an item that is none");
}

/** Why a sealed layer could not be opened; undefined if nobody tried. */
export function openingFault(layer: Layer): Diagnostic | undefined {
  const data = dataOf(layer.item);
  return "code" in data ? undefined : (datumOf(layer)?.fault ?? data.fault);
}

function datumOf(layer: Layer): Datum | undefined {
  const data = dataOf(layer.item);
  const key = keyOfLayer(layer);
  return "code" in data || key === undefined ? undefined : data.keys.get(key);
}

const sopsMarker = /(?:^|\n)sops:\s*\n|"sops"\s*:\s*\{/;
const macMarker = /mac"?: "?ENC\[|sops_mac=ENC\[/;

/** True for a SOPS-encrypted manifest, or a data value that is a SOPS file. */
export function isSealed(layer: Layer): boolean {
  const data = dataOf(layer.item);
  if ("code" in data || layer.text !== undefined) return false;
  if (data.sealed) return true;
  if (isOpened(layer)) return false;
  const bytes = valueBytes(layer);
  if (!(bytes instanceof Uint8Array)) return false;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
  return macMarker.test(text) && sopsMarker.test(text);
}

/** Values of a layer, read once for all stacks that use it. */
export function valuesOf(layer: Layer): Values {
  // The same key may be Helm values to one target, and a file like any other to the next.
  const key = `${layer.format ?? ""}/${keyOfLayer(layer) ?? ""}`;
  const source = layer.text ?? dataOf(layer.item);
  let known = values.get(source);
  if (known === undefined) values.set(source, (known = new Map()));
  let found = known.get(key);
  if (found === undefined) known.set(key, (found = readLayer(layer)));
  return found;
}

function readLayer(layer: Layer): Values {
  const bytes = valueBytes(layer);
  if (bytes === undefined) return readValues(new Uint8Array(), layer.format);
  if (bytes instanceof Uint8Array) return readValues(bytes, layer.format);
  return { root: undefined, text: layer.item.bytes, faults: [bytes], notes: [], variable: false };
}

/** The layer's bytes; undefined for an item without data; a fault where a value is not text or not base64. */
function valueBytes(layer: Layer): Uint8Array | ReadFault | undefined {
  if (layer.text !== undefined) return layer.text;
  const data = dataOf(layer.item);
  if ("code" in data) return data;
  const key = keyOfLayer(layer);
  const value = key === undefined ? undefined : data.keys.get(key);
  if (value === undefined) return undefined;
  if ("text" in value) return value.text;
  if (!isScalar(value.node))
    return {
      code: "syntax",
      message: "expected text under the data key, got a mapping or a sequence",
    };
  // The API server takes a null for no text at all.
  const text = isNull(value.node) ? "" : scalarText(value.node);
  // What SOPS has sealed is its own text, wherever it stands.
  if (!value.encoded || data.sealed) return Buffer.from(text, "utf8");
  const packed = text.replaceAll(/\s/g, "");
  if (/^[A-Za-z0-9+/]*={0,2}$/.test(packed) && packed.length % 4 !== 1) return Buffer.from(packed, "base64");
  return { code: "syntax", message: "expected base64 under `data`" };
}

/** The data key a layer takes; undefined for an item without data. Call `keyFault` first. */
export function keyOfLayer(layer: Layer): string | undefined {
  const data = dataOf(layer.item);
  if ("code" in data) return undefined;
  const [only] = data.keys.keys();
  if (layer.key !== undefined || data.keys.size < 2) return layer.key ?? only;
  if (layer.reference === undefined) return ["values", "values.yaml"].find((key) => data.keys.has(key));
  return undefined;
}

/** Several data keys and no rule that picks one; or a named key that is not there. */
export function keyFault(layer: Layer): Diagnostic | undefined {
  const data = dataOf(layer.item);
  if ("code" in data || data.sealed || layer.text !== undefined) return undefined;
  const keys = [...data.keys.keys()].map((key) => `\`${key}\``).join(", ");
  const about = {
    code: "several-keys",
    severity: "error",
    item: refOf(layer.item),
    at: { text: describe(layer.item) },
  } as const;
  const binary = layer.reference === undefined ? binaryKeysOf(layer.item) : [];
  if (binary.length > 0 && (layer.key === undefined ? data.keys.size === 0 : !data.keys.has(layer.key)))
    return {
      ...about,
      code: "binary-data",
      message: "the values stand under `binaryData`, which nobody reads values from",
      hint: "put them under `data`",
    };
  const isOptional = layer.reference?.optional === true;
  if (layer.key !== undefined && !data.keys.has(layer.key) && !isOptional) {
    const hint = data.keys.size === 0 ? "the item has no data" : `its keys are ${keys}`;
    return { ...about, message: `no data key \`${layer.key}\``, hint };
  }
  if (data.keys.size < 2 || keyOfLayer(layer) !== undefined) return undefined;
  const cure =
    layer.reference === undefined
      ? "name one with the annotation `valuefold.dev/key`"
      : "app-operator takes exactly one: leave one key in it";
  return { ...about, message: `expected one data key, got ${keys}`, hint: cure };
}

/**
 * How Flux sees `${…}` in the layer: it fills in what stands as text, and never what is encoded. Layers
 * of the two sorts must not be folded into one.
 */
export function fillingOf(layer: Layer): "filled" | "encoded" | undefined {
  if (!valuesOf(layer).variable) return undefined;
  return isEncoded(layer.item, keyOfLayer(layer) ?? "") ? "encoded" : "filled";
}

/** A data value as bytes, decoded; undefined if it is not there. */
export function textOfKey(item: Item, key: string): Uint8Array | undefined {
  const kind = item.kind as LayerKind;
  const bytes = valueBytes({ item, kind, key, priority: 0, reference: undefined });
  return bytes instanceof Uint8Array ? bytes : undefined;
}
