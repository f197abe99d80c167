// What values of Secrets are, for comparison only: it is no part of an explanation, so no view of one can show it.
import { type GuardedText, reveal } from "../core/index.ts";

const texts = new WeakMap<object, GuardedText>();

/** Keeps the text of a secret value beside it. */
export function remember(value: object, text: GuardedText): void {
  texts.set(value, text);
}

/** A text that may be compared; one that is secret must not be told to anybody. */
export interface Comparable {
  readonly text: string;
  readonly isSecret: boolean;
}

export function comparable(value: { readonly text?: string }): Comparable {
  const secret = texts.get(value);
  if (secret === undefined) return { text: value.text ?? "", isSecret: false };
  return { text: Buffer.from(reveal(secret, { kind: "Secret" })).toString("utf8"), isSecret: true };
}
