// A document of a stack, lowest first: what it says, and where each of its values is. It knows nothing of what it was read
// from: an object of a list, a values file, a patch, a chart.
import type { Node } from "../yaml/index.ts";
import type { ExplainedLayer, Place, Variable } from "../explanation.ts";

/** How many values a document sets. */
export interface Counts {
  sets: number;
  overridden: number;
}

/** Of a document that is asked for its facts only. */
export const noCounts: Counts = { sets: 0, overridden: 0 };

export interface StackDocument {
  /** How views name it, by its letter in the target. */
  readonly layer: (id: string, counts: Counts) => ExplainedLayer;
  /** Its mapping; absent where it is empty, or where its values are not known. */
  readonly root?: Node;
  /** A text that is not a mapping: it replaces the text below it. */
  readonly whole?: string;
  /** True where no value of it may be shown. */
  readonly isSecret: boolean;
  readonly at: () => Place | undefined;
  /** The place of a value in it. @param path the keys down to the value */
  readonly placeOf: (node: Node, path: readonly string[]) => Place | undefined;
  /** The place of its key, for documents that are texts. */
  readonly placeOfEntry?: (entry: Node) => Place | undefined;
  /** Places of values that a value overrides in files that the document was rendered from, highest first. */
  readonly renderedOver?: (node: Node) => readonly Place[];
  /** What a comment above a value says, for documents that document their values: a chart's defaults. */
  readonly commentAt?: (place: Place) => string | undefined;
  /** What replaced variables in a value. */
  readonly variablesOf?: (node: Node) => readonly Variable[];
}
