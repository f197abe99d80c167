// Messages between the thread that the engine runs in and the one that calls it.

export interface ToWorker {
  /** The engine's file, compressed as it is. */
  readonly engine: Uint8Array;
  /** Texts, by the function that includes them and the name they are called by. */
  readonly includes: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly templates: readonly { readonly text: string; readonly values: string }[];
}

export type FromWorker =
  | { readonly kind: "ready" }
  /** One line of the engine, for the next template in order. */
  | { readonly kind: "answer"; readonly line: string }
  /** True if memory or stack did not suffice, in case answers are missing. */
  | { readonly kind: "ended"; readonly exhausted: boolean };
