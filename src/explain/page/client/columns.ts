// Rows of a stack as columns of numbers: read once, so that a search only looks up marks.
import { RowReader } from "../rows.ts";

export interface Columns {
  readonly length: number;
  readonly layers: Uint16Array;
  readonly paths: Uint32Array;
  readonly texts: Uint32Array;
  readonly grounds: Uint32Array;
  /** 1 for a value, 0 for one that the last value overrides. */
  readonly values: Uint8Array;
}

const known = new Map<string, Columns>();

export function columnsOf(rows: string): Columns {
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
