// What values of Secrets are, for comparison only: a digest, and no part of an explanation, so no view of one can show it.
import { childOf, guard, type GuardedText, isNode, type Layer } from "../core/index.ts";
import { oneLine } from "./one-line.ts";

const texts = new WeakMap<object, GuardedText>();

/** Keeps the text of a secret value with it. */
export function remember(value: object, text: GuardedText): void {
  texts.set(value, text);
}

/** Keeps with a layer what it holds, where its values are not known: a text that changed is not an equal one. */
export function rememberHeld(layer: object, { item }: Pick<Layer, "item">): void {
  const root = item.read();
  if (!isNode(root)) return;
  const parts = ["data", "stringData", "sops"].flatMap((field) => childOf(root, field) ?? []);
  remember(layer, guard(Buffer.from(parts.map(oneLine).join("\n"), "utf8"), true));
}

/** The digest of what a layer holds; undefined where that is not in the list. */
export function heldBy(layer: object): string | undefined {
  return texts.get(layer)?.digest();
}

/** A text that may be compared; a digest of one that is secret, which no output shows. */
export interface Comparable {
  readonly text: string;
  readonly isSecret: boolean;
}

export function comparable(value: { readonly text?: string }): Comparable {
  const secret = texts.get(value);
  if (secret === undefined) return { text: value.text ?? "", isSecret: false };
  return { text: secret.digest(), isSecret: true };
}
