// What one layer does in all targets: each of its values, where it wins, and where another overrides it.
import type { ExplainedLayer, ExplainedValue } from "../../../explanation.ts";
import { valueAddress } from "./addresses.ts";
import type { Chapter, Source } from "./book.ts";
import type { Query, Row } from "./search.ts";

/** A value as the layer sets it. */
export interface Effect {
  readonly path: readonly string[];
  readonly row: Row;
  readonly won: Met[];
  readonly overridden: Met[];
}

/** A value in one target. */
export interface Met {
  readonly chapter: Chapter;
  readonly address: string;
  /** The value that it overrides, or that overrides it; absent if it is alone. */
  readonly other?: { readonly layer: ExplainedLayer | undefined; readonly row: Row };
}

export function effectsOf(source: Source, query?: Query): Effect[] {
  const effects = new Map<string, Effect>();
  for (const chapter of source.chapters)
    for (const [at, { values }] of chapter.target.stacks.entries())
      for (const value of values) collect(value, { source, chapter, at }, query, effects);
  return [...effects.values()];
}

interface Within {
  readonly source: Source;
  readonly chapter: Chapter;
  /** Number of the stack. */
  readonly at: number;
}

function collect(
  value: ExplainedValue,
  { source, chapter, at }: Within,
  query: Query | undefined,
  effects: Map<string, Effect>,
): void {
  for (const row of query?.rowsIn(value, chapter) ?? [value, ...value.over]) {
    if (chapter.sources.get(row.by) !== source) continue;
    const address = valueAddress(chapter.stacks[at] ?? "", value.path);
    const effect = effectOf(row, value, effects);
    if (row === value) effect.won.push({ chapter, address, ...otherOf(value.over[0], chapter) });
    else effect.overridden.push({ chapter, address, ...otherOf(value, chapter) });
  }
}

function effectOf(row: Row, { path }: ExplainedValue, effects: Map<string, Effect>): Effect {
  const key = JSON.stringify([path, row.text, row.mapping]);
  const known = effects.get(key) ?? { path, row, won: [], overridden: [] };
  effects.set(key, known);
  return known;
}

function otherOf(row: Row | undefined, { layers }: Chapter): Pick<Met, "other"> {
  return row === undefined ? {} : { other: { layer: layers.get(row.by), row } };
}
