// What one layer does in all targets: each of its values, where it wins, and where another overrides it.
import type { ExplainedLayer, ExplainedValue } from "../../../explanation.ts";
import { valueAddress } from "./addresses.ts";
import type { Chapter, SharedLayer } from "./book.ts";
import type { Query, SearchedValue } from "./search.ts";

/** A value as the layer sets it. */
export interface LayerEffect {
  readonly path: readonly string[];
  readonly row: SearchedValue;
  readonly won: Met[];
  readonly overridden: Met[];
}

/** A value in one target. */
export interface Met {
  readonly chapter: Chapter;
  readonly address: string;
  /** The value that it overrides, or that overrides it; absent if it is alone. */
  readonly other?: { readonly layer: ExplainedLayer | undefined; readonly row: SearchedValue };
}

export function effectsOf(source: SharedLayer, query?: Query): LayerEffect[] {
  const effects = new Map<string, LayerEffect>();
  for (const chapter of source.chapters)
    for (const [at, { values }] of chapter.target.stacks.entries())
      for (const value of values) collect(value, { source, chapter, at }, query, effects);
  return [...effects.values()];
}

interface WithinSource {
  readonly source: SharedLayer;
  readonly chapter: Chapter;
  /** Number of the stack. */
  readonly at: number;
}

function collect(
  value: ExplainedValue,
  { source, chapter, at }: WithinSource,
  query: Query | undefined,
  effects: Map<string, LayerEffect>,
): void {
  for (const row of query?.rowsIn(value, chapter) ?? [value, ...value.over]) {
    if (chapter.sources.get(row.by) !== source) continue;
    const address = valueAddress(chapter.stacks[at] ?? "", value.path);
    const effect = effectOf(row, value, effects);
    if (row === value) effect.won.push({ chapter, address, ...otherOf(value.over[0], chapter) });
    else effect.overridden.push({ chapter, address, ...otherOf(value, chapter) });
  }
}

function effectOf(
  row: SearchedValue,
  { path }: ExplainedValue,
  effects: Map<string, LayerEffect>,
): LayerEffect {
  const key = JSON.stringify([path, row.text, row.mapping]);
  const known = effects.get(key) ?? { path, row, won: [], overridden: [] };
  effects.set(key, known);
  return known;
}

function otherOf(row: SearchedValue | undefined, { layers }: Chapter): Pick<Met, "other"> {
  return row === undefined ? {} : { other: { layer: layers.get(row.by), row } };
}
