// What reading can find wrong. Only codes, positions and our own words: never text of the document.

/** Levels of nested collections: more than any real values file has; go-yaml's own bound is 10,000. */
export const maxDepth = 200;

export interface ReadFault {
  readonly code:
    | "syntax"
    | "too-deep"
    | "unsupported-key"
    | "key-spelled-twice"
    | "expansion-bound"
    | "not-a-mapping"
    | "duplicate-key"
    | "several-documents"
    | "list-directive";
  /** Lower-case clause without any text of the document. */
  readonly message: string;
  /** Byte offset in the document; absent where the document as a whole is at fault. */
  readonly offset?: number;
  /** Another place that the message is about. */
  readonly also?: number;
  /** True where the offset counts in the input: what is at fault is no text of a layer, but what holds it. */
  readonly isInInput?: true;
  /** The cure, where the code alone says too little. */
  readonly hint?: string;
}
