// What one layer does in all targets: each of its values, where it wins, and where another overrides it.
import { RowReader, type Row } from "../rows.ts";
import type { Book, Chapter } from "./book.ts";
import { isMarked, type Marks } from "./search.ts";

/** A value as the layer sets it. */
export interface Effect {
  /** Numbers of the page's tables. */
  readonly path: number;
  readonly row: Row;
  readonly won: Met[];
  readonly overridden: Met[];
}

/** A value in one target. */
export interface Met {
  readonly target: number;
  readonly stack: number;
  /** The value that it overrides, or that overrides it; absent if it is alone. */
  readonly other?: { readonly form: number; readonly row: Row };
}

export function effectsOf(source: number, book: Book, marks?: Marks): Effect[] {
  const effects = new Map<string, Effect>();
  for (const target of book.sources[source]?.targets ?? []) {
    const chapter = book.targets[target];
    for (const stack of chapter?.stacks.keys() ?? [])
      collect({ source, target, stack }, book, marks, effects);
  }
  return [...effects.values()];
}

interface Source {
  readonly source: number;
  readonly target: number;
  readonly stack: number;
}

function collect(
  { source, target, stack }: Source,
  book: Book,
  marks: Marks | undefined,
  effects: Map<string, Effect>,
): void {
  const chapter = book.targets[target];
  if (chapter === undefined) return;
  const isOurs = ({ layer }: Row): boolean => chapter.sources[layer] === source;
  let top: Row | undefined;
  let won: { target: number; stack: number; other?: Met["other"] } | undefined;
  for (const row = new RowReader(chapter.stacks[stack]?.rows ?? ""); row.next();) {
    if (row.isValue) {
      top = copyOf(row);
      won = undefined;
    } else if (won !== undefined && won.other === undefined) won.other = otherOf(copyOf(row), chapter);
    if (!isOurs(row) || (marks !== undefined && !isMarked(row, chapter, marks))) continue;
    const effect = effectOf(row, effects);
    if (row.isValue) effect.won.push((won = { target, stack }));
    else if (top !== undefined) effect.overridden.push({ target, stack, other: otherOf(top, chapter) });
  }
}

function effectOf(row: RowReader, effects: Map<string, Effect>): Effect {
  const key = `${row.path} ${row.text} ${row.mapping}`;
  const known = effects.get(key);
  if (known !== undefined) return known;
  const made = { path: row.path, row: copyOf(row), won: [], overridden: [] };
  effects.set(key, made);
  return made;
}

/** The reader is one row after the other. */
function copyOf({ layer, mapping, text, ground, line, column }: Row): Row {
  return { layer, mapping, text, ground, line, column };
}

function otherOf(row: Row, { forms }: Chapter): NonNullable<Met["other"]> {
  return { form: forms[row.layer] ?? 0, row };
}
