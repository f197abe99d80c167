// What replaces variables in the result of a build.
import type { Variable } from "../../explanation.ts";

/** @param stream of objects */
export type Substitution = (stream: Uint8Array) => Promise<SubstitutedStream>;

export interface SubstitutedStream {
  readonly bytes: Uint8Array;
  /** The variables that a text of an object, as it was before, holds a value of. */
  readonly variablesIn: (text: string) => readonly Variable[];
}
