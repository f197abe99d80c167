// What the core asks of the world while it runs: sealed documents opened, or manifests sealed.
import type { SealedText } from "./documents.ts";
export type { SealedText } from "./documents.ts";
import type { SopsFault } from "../layer/sealed.ts";

export interface Recipients {
  readonly age?: readonly string[] | undefined;
  readonly pgp?: readonly string[] | undefined;
}

/** The same, each told once. */
export interface KnownRecipients {
  readonly age: readonly string[];
  readonly pgp: readonly string[];
}

/** Answers keep the order of what was asked. */
export type Need =
  | { readonly open: readonly SealedText[]; readonly keys: string | undefined }
  | {
      readonly seal: readonly Uint8Array[];
      readonly recipients: Recipients;
      readonly keys: string | undefined;
    };

export type SopsOutcome = { readonly text: Uint8Array } | { readonly fault: SopsFault };
export type Supply = readonly SopsOutcome[];

/** A step that may need something of the world before it ends. */
export type Steps<T> = Generator<Need, T, Supply>;
