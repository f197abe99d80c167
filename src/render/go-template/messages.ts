// Messages between the thread that the engine runs in and the one that calls it.

export interface ToWorker {
  /** The engine's file, compressed as it is. */
  readonly engine: Uint8Array;
  /** What holds for all templates: see gotemplate/main.go. */
  readonly opening: object;
  readonly templates: readonly { readonly text: string; readonly values: string }[];
}

export type FromWorker =
  | { readonly kind: "ready" }
  /** One line of the engine, for the next template in order. */
  | { readonly kind: "answer"; readonly line: string }
  /** True if memory or stack did not suffice, in case answers are missing. */
  | { readonly kind: "ended"; readonly exhausted: boolean };
