// A comparison → its form in the page.
import type {
  ComparedCell,
  ComparedGroup,
  ComparedRow,
  ComparedTarget,
  Comparison,
} from "../../../comparison.ts";
import type { OverriddenValue, Place } from "../../../explanation.ts";
import { writeNumber } from "../numbers.ts";
import { Once, Tables } from "../tables.ts";
import type { EncodedMatrix, EncodedTable } from "./encoded.ts";
import { CellWriter, effects, groupHead } from "./rows.ts";

export function encodeMatrix({ builds, targets, unread }: Comparison): EncodedMatrix {
  const tables = new MatrixTables();
  const encoded = targets.map((target) => encodeTable(target, tables));
  return {
    builds,
    unread,
    strings: tables.strings.all,
    paths: tables.paths.all.join(""),
    grounds: tables.grounds.all,
    sets: tables.sets.all,
    sources: tables.sources.all.join(""),
    chains: tables.chains.all,
    targets: encoded,
  };
}

class MatrixTables extends Tables {
  readonly sets = new Once<string>();
  readonly sources = new Once<string>();
  readonly chains = new Once<string>();

  constructor() {
    super();
    this.chains.numberOf("", () => "");
  }

  set(builds: readonly number[]): number {
    const text = builds.map((build, at) => writeNumber(build - (builds[at - 1] ?? -1) - 1)).join("");
    return this.sets.numberOf(text, () => text);
  }

  source(by: string | undefined, at: Place | undefined): number {
    const layer = by === undefined ? 0 : 1 + this.string(by);
    const text = writeNumber(layer) + writeNumber(at === undefined ? 0 : this.ground(at));
    return this.sources.numberOf(text, () => text);
  }

  /** From 1: a value may have no chain. */
  chain(over: readonly OverriddenValue[] | undefined): number {
    if (over === undefined) return 0;
    const number = over.reduceRight((below, value) => {
      const text = this.link(value) + writeNumber(below);
      return this.chains.numberOf(text, () => text);
    }, 0);
    return 1 + number;
  }

  text(text: string | undefined): number {
    return text === undefined ? 0 : 1 + this.string(text);
  }

  private link({ by, text, at, effect, mapping = false }: OverriddenValue): string {
    const head = effects.indexOf(effect) + effects.length * (mapping ? 1 : 0);
    const numbers = [head, this.source(by, at), this.text(text), at?.line ?? 0, at?.column ?? 0];
    return numbers.map(writeNumber).join("");
  }
}

function encodeTable({ rows, ...target }: ComparedTarget, tables: MatrixTables): EncodedTable {
  const elements = rows.flatMap((row, at) =>
    row.elements === undefined ? [] : [[at, row.elements] as const],
  );
  const encoded = { ...target, rows: rows.map((row) => encodeRow(row, tables)) };
  return elements.length === 0 ? encoded : { ...encoded, elements };
}

function encodeRow({ stack, path, groups }: ComparedRow, tables: MatrixTables): string {
  const head = writeNumber(tables.path(path)) + writeNumber(tables.text(stack));
  const writer = new CellWriter();
  return head + groups.map((group) => encodeGroup(group, writer, tables)).join("");
}

function encodeGroup(group: ComparedGroup, writer: CellWriter, tables: MatrixTables): string {
  const head = writeNumber(groupHead(group)) + writeNumber(tables.text(group.text));
  return head + group.cells.map((cell) => writer.cell(numbersOf(cell, tables))).join("");
}

function numbersOf({ builds, by, at, over }: ComparedCell, tables: MatrixTables) {
  return {
    set: tables.set(builds),
    source: tables.source(by, at),
    chain: tables.chain(over),
    line: at?.line ?? 0,
    column: at?.column ?? 0,
  };
}
