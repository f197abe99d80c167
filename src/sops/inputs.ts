// What goes into a sealed fold, as a digest: equal input gives an equal name, though SOPS never gives equal ciphertext. A
// sealed layer counts as it stands sealed, so the digest tells nothing of what it holds.
import { hash } from "node:crypto";
import { isText } from "../layer/held.ts";
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

export function inputsOf(run: Run, key: string, recipients: KnownRecipients, reading: Reading): string {
  const layers = run.layers.map((layer) => [layer.priority, layerInput(layer, reading)]);
  const text = JSON.stringify({ form, key, unencoded: run.unencoded, recipients, layers });
  return `sha256:${hash("sha256", text, "hex")}`;
}

function layerInput(layer: Layer, { layers, holdings }: Reading): unknown {
  const keys = layer.dotted ?? [layers.keyOf(layer) ?? ""];
  return keys.map((key) => {
    if (holdings.isOpened(layer.item, key)) return [key, "sealed", sealedFormOf(layer.item, key)?.text];
    const text = holdings.textOf(layer.item, key);
    return [key, "plain", isText(text) ? text.digest() : ""];
  });
}
