// The form in the page → rows of a comparison again, one at a time.
import type { ComparedCell, ComparedGroup, ComparedRow } from "../../../comparison.ts";
import type { OverriddenValue, Place } from "../../../explanation.ts";
import { decodePaths } from "../decode.ts";
import { NumberReader } from "../numbers.ts";
import type { EncodedMatrix, EncodedTable } from "./encoded.ts";
import { effects, MatrixReader } from "./rows.ts";

/** From 1, 0 for none. */
interface Source {
  readonly layer: number;
  readonly ground: number;
}

export class MatrixTables {
  readonly page: EncodedMatrix;
  readonly paths: readonly (readonly string[])[];
  readonly sources: readonly Source[];
  private readonly sets: (readonly number[])[] = [];

  constructor(page: EncodedMatrix) {
    this.page = page;
    this.paths = decodePaths(page);
    const sources: Source[] = [];
    for (const numbers = new NumberReader(page.sources); !numbers.isDone;)
      sources.push({ layer: numbers.number(), ground: numbers.number() });
    this.sources = sources;
  }

  buildsOf(set: number): readonly number[] {
    return (this.sets[set] ??= decodeSet(this.page.sets[set] ?? ""));
  }

  /** A text by its number from 1. */
  text(number: number): string | undefined {
    return number === 0 ? undefined : this.page.strings[number - 1];
  }

  origin(source: number, line: number, column: number): { readonly by?: string; readonly at?: Place } {
    const { layer = 0, ground = 0 } = this.sources[source] ?? {};
    const by = this.text(layer);
    const found = ground === 0 ? undefined : this.page.grounds[ground - 1];
    const place = { ...(line === 0 ? {} : { line }), ...(column === 0 ? {} : { column }) };
    return { ...(by === undefined ? {} : { by }), ...(found && { at: { ...found, ...place } }) };
  }

  chain(number: number): OverriddenValue[] {
    const all: OverriddenValue[] = [];
    for (let rest = number; rest !== 0;) {
      const numbers = new NumberReader(this.page.chains[rest] ?? "");
      const [head, source, text] = [numbers.number(), numbers.number(), this.text(numbers.number())];
      const { by = "", at } = this.origin(source, numbers.number(), numbers.number());
      all.push({
        by,
        ...(text === undefined ? {} : { text }),
        ...(at && { at }),
        effect: effects[head % effects.length] ?? "replaced",
        ...(head >= effects.length ? { mapping: true } : {}),
      });
      rest = numbers.number();
    }
    return all;
  }
}

function decodeSet(text: string): number[] {
  const builds: number[] = [];
  for (const numbers = new NumberReader(text); !numbers.isDone;)
    builds.push((builds.at(-1) ?? -1) + 1 + numbers.number());
  return builds;
}

export function decodeRow(table: EncodedTable, row: number, tables: MatrixTables): ComparedRow {
  const reader = new MatrixReader(table.rows[row] ?? "");
  const groups: ComparedGroup[] = [];
  while (reader.nextGroup()) groups.push(decodeGroup(reader, tables));
  const stack = tables.text(reader.stack);
  const elements = table.elements?.find(([at]) => at === row)?.[1];
  return {
    ...(stack === undefined ? {} : { stack }),
    path: tables.paths[reader.path] ?? [],
    ...(elements && { elements }),
    groups,
  };
}

function decodeGroup(reader: MatrixReader, tables: MatrixTables): ComparedGroup {
  const text = tables.text(reader.text);
  const { isSecret, isUnset } = reader;
  const cells: ComparedCell[] = [];
  while (reader.nextCell()) {
    const { set, source, chain, line, column } = reader;
    const over = chain === 0 ? undefined : tables.chain(chain - 1);
    cells.push({
      builds: tables.buildsOf(set),
      ...tables.origin(source, line, column),
      ...(over && { over }),
    });
  }
  return {
    ...(text === undefined ? {} : { text }),
    ...(isSecret ? { secret: true } : {}),
    ...(isUnset ? { unset: true } : {}),
    cells,
  };
}
