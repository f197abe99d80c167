// The size of a target with its folded layers: the API server bounds the whole data, not each key.
import type { Diagnostic } from "../../../diagnostic.ts";
import { type HeldTexts, isText, maxDataBytes } from "../../layer/held.ts";
import type { KeyText } from "../../layer/key-texts.ts";
import { binaryBytesOf } from "../../layer/metadata.ts";
import { describe, type Item, refOf } from "../../wire/item.ts";

/** A fault if the texts would bring a target beyond the bound. One that does not grow is not reported. */
export function boundFault(
  target: Item,
  texts: readonly KeyText[],
  gone: readonly string[],
  holdings: HeldTexts,
): Diagnostic | undefined {
  const before = new Map(holdings.keysOf(target).map((key) => [key, lengthOf(target, key, holdings)]));
  const after = new Map([...before, ...texts.map(({ key, text }) => [key, text.length] as const)]);
  for (const key of gone) after.delete(key);
  const total = sum(after) + binaryBytesOf(target);
  if (total <= maxDataBytes || sum(after) <= sum(before)) return undefined;
  return {
    code: "not-exact",
    severity: "error",
    item: refOf(target),
    at: { text: describe(target) },
    message: "the target's data would pass 1 MiB in all, which is more than the API server allows",
    hint: "make the values smaller, or spread them over several targets",
  };
}

function lengthOf(target: Item, key: string, holdings: HeldTexts): number {
  const text = holdings.textOf(target, key);
  return isText(text) ? text.length : 0;
}

function sum(lengths: ReadonlyMap<string, number>): number {
  return [...lengths.values()].reduce((total, length) => total + length, 0);
}
