// Requests of the core to the outside while it runs: open sealed documents, or seal manifests.
import type { SopsFault } from "../../layers/index.ts";

type SopsFormat = "yaml" | "json" | "binary";

/** One text, opened by one run of `sops`. */
export interface SealedText {
  readonly text: Uint8Array;
  readonly input: SopsFormat;
  readonly output: SopsFormat;
  /** Whether its MAC must be valid. */
  readonly verified: boolean;
}

export interface Recipients {
  readonly age?: readonly string[] | undefined;
  readonly pgp?: readonly string[] | undefined;
}

/** Recipients without duplicates. */
export interface KnownRecipients {
  readonly age: readonly string[];
  readonly pgp: readonly string[];
}

/** Answers are in the order of the request. */
export type Need =
  | { readonly open: readonly SealedText[]; readonly keys: string | undefined }
  | {
      readonly seal: readonly Uint8Array[];
      readonly recipients: Recipients;
      readonly keys: string | undefined;
    };

export type SopsOutcome = { readonly text: Uint8Array } | { readonly fault: SopsFault };
export type Supply = readonly SopsOutcome[];

/** What the caller of a run computes for it: the run goes on once that is there. */
interface Awaited {
  readonly awaited: Promise<unknown>;
}

/** A step that may need an answer from outside before it ends. */
export type Steps<T> = Generator<Need | Awaited, T, Supply>;

/** What a promise comes to. */
export function* awaiting<T>(promise: Promise<T>): Steps<T> {
  const found: { readonly value: T }[] = [];
  yield { awaited: promise.then((value) => found.push({ value })) };
  const [answer] = found;
  if (answer === undefined) throw new Error("a run went on before its answer was there");
  return answer.value;
}
