// Search: which values hold a text, in their path, in themselves or in what they override, in their files and layers.
import type { ExplainedLayer, ExplainedValue, OverriddenValue } from "../../../explanation.ts";
import type { Book, Chapter, SharedLayer } from "./book.ts";
import type { SearchResult } from "./subject.ts";
import { nameOf, titleOf } from "./words.ts";

/** A value, or one that it overrides. */
export type SearchedValue = ExplainedValue | OverriddenValue;

/** In lower case. What recurs, files and layers, is compared once. */
export class Query {
  readonly text: string;
  private readonly files = new Map<string | undefined, boolean>();
  private readonly layers = new Map<ExplainedLayer, boolean>();

  constructor(text: string) {
    this.text = text;
  }

  /** The rows of a value that hold it. */
  rowsIn(value: ExplainedValue, { layers }: Chapter): readonly SearchedValue[] {
    const rows = value.over.length === 0 ? [value] : [value, ...value.over];
    if (this.isIn(value.path.join("."))) return rows;
    return rows.filter(
      ({ text, at, by }) => this.isIn(text) || this.isInFile(at?.file) || this.isInLayer(layers.get(by)),
    );
  }

  isIn(text: string | undefined): boolean {
    return text?.toLowerCase().includes(this.text) === true;
  }

  private isInFile(file: string | undefined): boolean {
    let isIn = this.files.get(file);
    if (isIn === undefined) this.files.set(file, (isIn = this.isIn(file)));
    return isIn;
  }

  private isInLayer(layer: ExplainedLayer | undefined): boolean {
    if (layer === undefined) return false;
    let isIn = this.layers.get(layer);
    if (isIn === undefined) {
      isIn = this.isIn(titleOf(layer)) || this.isIn(nameOf(layer));
      this.layers.set(layer, isIn);
    }
    return isIn;
  }
}

/** How many values of each target hold it, and how many values that each layer sets. */
export function findAll({ targets }: Book, text: string): SearchResult {
  const query = new Query(text);
  const hits = new Map<Chapter | SharedLayer, number>();
  let total = 0;
  for (const chapter of targets) {
    const found = chapter.target.stacks
      .flatMap(({ values }) => values.map((value) => query.rowsIn(value, chapter)))
      .filter(({ length }) => length > 0);
    if (found.length > 0) hits.set(chapter, found.length);
    total += found.length;
    for (const { by } of found.flat()) {
      const source = chapter.sources.get(by);
      if (source !== undefined) hits.set(source, (hits.get(source) ?? 0) + 1);
    }
  }
  return { hits, total };
}
