// Search: every text, path and layer is there once, so each is compared once, and rows only look up whether theirs is marked.
import { RowReader } from "../rows.ts";
import type { Book, Chapter } from "./book.ts";
import { nameOf, titleOf } from "./words.ts";

/** Which entries of the tables hold what is searched for. */
export interface Marks {
  readonly paths: Uint8Array;
  /** From 1, as rows count them. */
  readonly strings: Uint8Array;
  readonly grounds: Uint8Array;
  readonly forms: Uint8Array;
}

export interface Found {
  readonly marks: Marks;
  /** How many values of each target hold it. */
  readonly targets: Uint32Array;
  /** How many values that a layer sets. */
  readonly sources: Uint32Array;
}

/** @param query in lower case */
function marksOf({ page, paths }: Book, query: string): Marks {
  const holds = (text: string | undefined): number => (text?.toLowerCase().includes(query) ? 1 : 0);
  return {
    paths: Uint8Array.from(paths, (path) => holds(path.join("."))),
    strings: Uint8Array.from(["", ...page.strings], (text, index) => (index === 0 ? 0 : holds(text))),
    grounds: Uint8Array.from([{ file: undefined }, ...page.grounds], ({ file }) => holds(file)),
    forms: Uint8Array.from(page.layers, (form) => holds(titleOf(form)) || holds(nameOf(form))),
  };
}

export function findAll(book: Book, query: string): Found {
  const marks = marksOf(book, query);
  const sources = new Uint32Array(book.sources.length);
  const targets = new Uint32Array(book.targets.length);
  for (const [index, target] of book.targets.entries()) {
    for (const { rows } of target.stacks) {
      scan(
        target,
        rows,
        marks,
        () => (targets[index] = (targets[index] ?? 0) + 1),
        (layer) => {
          const source = target.sources[layer] ?? 0;
          sources[source] = (sources[source] ?? 0) + 1;
        },
      );
    }
  }
  return { marks, targets, sources };
}

/** Of each stack, the numbers of the values that hold it: in themselves, their layer, or what they lie over. */
export function findIn(target: Chapter, marks: Marks): ReadonlySet<number>[] {
  return target.stacks.map(({ rows }) => {
    const found = new Set<number>();
    scan(target, rows, marks, (value) => found.add(value));
    return found;
  });
}

/** Calls for each value that holds it, once, and for each row that does. */
function scan(
  target: Chapter,
  rows: string,
  marks: Marks,
  onValue: (value: number) => void,
  onRow?: (layer: number) => void,
): void {
  const { length, layers, paths, texts, grounds, values } = columnsOf(rows);
  let value = -1;
  let last = -1;
  for (let row = 0; row < length; row++) {
    if (values[row] === 1) value++;
    const layer = layers[row] ?? 0;
    if (
      !isMarked(
        { path: paths[row] ?? 0, text: texts[row] ?? 0, ground: grounds[row] ?? 0, layer },
        target,
        marks,
      )
    )
      continue;
    if (value !== last) onValue((last = value));
    onRow?.(layer);
  }
}

/** A row's numbers in the tables. */
export function isMarked(
  row: Pick<RowReader, "path" | "text" | "ground" | "layer">,
  target: Chapter,
  marks: Marks,
): boolean {
  return (
    marks.paths[row.path] === 1 ||
    marks.strings[row.text] === 1 ||
    marks.grounds[row.ground] === 1 ||
    marks.forms[target.forms[row.layer] ?? 0] === 1
  );
}

/** Reads ahead what the first search needs. */
export function prepare({ targets }: Book): void {
  for (const { stacks } of targets) for (const { rows } of stacks) columnsOf(rows);
}

/** Rows of a stack as columns of numbers: read once, so that a search only looks up marks. */
interface Columns {
  readonly length: number;
  readonly layers: Uint16Array;
  readonly paths: Uint32Array;
  readonly texts: Uint32Array;
  readonly grounds: Uint32Array;
  /** 1 for a value, 0 for one that the last value overrides. */
  readonly values: Uint8Array;
}

const known = new Map<string, Columns>();

function columnsOf(rows: string): Columns {
  const found = known.get(rows) ?? read(rows);
  known.set(rows, found);
  return found;
}

function read(rows: string): Columns {
  const all: Record<"layers" | "paths" | "texts" | "grounds" | "values", number[]> = {
    layers: [],
    paths: [],
    texts: [],
    grounds: [],
    values: [],
  };
  for (const row = new RowReader(rows); row.next();) {
    all.layers.push(row.layer);
    all.paths.push(row.path);
    all.texts.push(row.text);
    all.grounds.push(row.ground);
    all.values.push(row.isValue ? 1 : 0);
  }
  return {
    length: all.values.length,
    layers: Uint16Array.from(all.layers),
    paths: Uint32Array.from(all.paths),
    texts: Uint32Array.from(all.texts),
    grounds: Uint32Array.from(all.grounds),
    values: Uint8Array.from(all.values),
  };
}
