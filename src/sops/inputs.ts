// What goes into a sealed fold, as a digest: equal input gives an equal name, though SOPS never gives equal ciphertext. A
// sealed layer enters as its ciphertext. A plain one never enters: whoever reads the digest could guess what is sealed.
import { hash } from "node:crypto";
import type { Holdings } from "../layer/holdings.ts";
import type { LayerReader } from "../layer/layers.ts";
import type { Layer, Run } from "../model.ts";
import type { KnownRecipients } from "./need.ts";
import { sealedFormOf } from "./sealed-form.ts";

/** Another number gives every sealed fold another name: for when equal layers come to be merged otherwise. */
const form = 1;

export interface Reading {
  readonly layers: LayerReader;
  readonly holdings: Holdings;
}

/** Undefined for a run that holds a layer in plain text. */
export function inputsOf(
  run: Run,
  key: string,
  recipients: KnownRecipients,
  reading: Reading,
): string | undefined {
  const layers = run.layers.map((layer) => [layer.priority, sealedTexts(layer, reading)] as const);
  if (layers.some(([, texts]) => texts === undefined)) return undefined;
  const text = JSON.stringify({ form, key, unencoded: run.unencoded, recipients, layers });
  return `sha256:${hash("sha256", text, "hex")}`;
}

function sealedTexts(layer: Layer, { layers, holdings }: Reading): unknown[] | undefined {
  const keys = layer.dotted ?? [layers.keyOf(layer) ?? ""];
  if (!keys.every((key) => holdings.isOpened(layer.item, key))) return undefined;
  return keys.map((key) => [key, "sealed", sealedFormOf(layer.item, key)?.text]);
}
