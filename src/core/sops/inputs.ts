// A digest of the inputs of a sealed fold: equal input gives an equal name, though SOPS never gives equal ciphertext. A
// sealed layer enters as its ciphertext. A plain one never enters: a reader of the digest could guess the sealed value.
import { hash } from "node:crypto";
import type { Holdings, LayerReader, Layer, Run } from "../../layers/index.ts";
import type { KnownRecipients } from "./need.ts";
import { sealedFormOf } from "./sealed-form.ts";

/** Part of the digest. Increased when the merge of equal layers changes, so that every sealed fold gets a new name. */
const form = 1;

export interface LayerAccess {
  readonly layers: LayerReader;
  readonly holdings: Holdings;
}

/** Undefined for a run with a layer in plain text. */
export function inputsOf(
  run: Run,
  key: string,
  recipients: KnownRecipients,
  access: LayerAccess,
): string | undefined {
  const layers = run.layers.map((layer) => [layer.priority, sealedTexts(layer, access)] as const);
  if (layers.some(([, texts]) => texts === undefined)) return undefined;
  const text = JSON.stringify({ form, key, unencoded: run.unencoded, recipients, layers });
  return `sha256:${hash("sha256", text, "hex")}`;
}

function sealedTexts(layer: Layer, { layers, holdings }: LayerAccess): unknown[] | undefined {
  const keys = layer.dotted ?? [layers.keyOf(layer) ?? ""];
  if (!keys.every((key) => holdings.isOpened(layer.item, key))) return undefined;
  return keys.map((key) => [key, "sealed", sealedFormOf(layer.item, key)?.text]);
}
