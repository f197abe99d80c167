// What values of Secrets are, for comparison only: a digest, and no part of an explanation, so no view of one can show it.
import type { GuardedText } from "../core/index.ts";

const texts = new WeakMap<object, GuardedText>();

/** Keeps the text of a secret value with it. */
export function remember(value: object, text: GuardedText): void {
  texts.set(value, text);
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
