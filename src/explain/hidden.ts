// What values of Secrets are, for comparison only: it is no part of an explanation, so no view of one can show it.
import type { GuardedText } from "../layer/guarded.ts";

const texts = new WeakMap<object, GuardedText>();

/** Keeps the text of a secret value beside it. */
export function remember(value: object, text: GuardedText): void {
  texts.set(value, text);
}

/** True if two values are the same: by their texts, or by what is kept beside them. */
export function areSame(a: { readonly text?: string }, b: { readonly text?: string }): boolean {
  const [one, other] = [texts.get(a), texts.get(b)];
  if (one === undefined || other === undefined) return one === other && a.text === b.text;
  return one.equals(other);
}
