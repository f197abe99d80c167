// The form a comparison has inside its page. As in the page of an explanation, what recurs is there once, and rows are
// numbers: here also lists of builds, layers with their files, and chains of overridden values.
import type { ComparedTarget, Comparison } from "../../../comparison.ts";
import type { Ground } from "../encoded.ts";

export interface EncodedMatrix extends Pick<Comparison, "builds" | "unread"> {
  /** Keys, values, layers and stacks. */
  readonly strings: readonly string[];
  readonly paths: string;
  readonly grounds: readonly Ground[];
  /** Numbers of builds, each less the one before it and 1. */
  readonly sets: readonly string[];
  /** What many values come from: the name of a layer and a ground, each from 1, 0 for none. */
  readonly sources: string;
  /** What is overridden: one value each, and the number of the chain below it. Chain 0 is empty. */
  readonly chains: readonly string[];
  readonly targets: readonly EncodedTable[];
}

export interface EncodedTable extends Omit<ComparedTarget, "rows"> {
  readonly rows: readonly string[];
  /** By number of a row; few have any. */
  readonly elements?: readonly (readonly [row: number, elements: readonly number[]])[];
}
