// What replaces variables in the result of a build.
import type { Variable } from "../../explanation.ts";

export interface Substitution {
  /** A stream of objects. */
  readonly inStream: (bytes: Uint8Array) => Uint8Array;
  /** A text of one of them. */
  readonly inText: (text: string) => SubstitutedText;
}

export interface SubstitutedText {
  readonly text: string;
  /** Those that it holds a value of. */
  readonly variables: readonly Variable[];
}
