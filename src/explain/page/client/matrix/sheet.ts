// The comparison as the page has it: for each row and build the number of its value and of the layer that sets it, in
// arrays that a filter reads in a few milliseconds. Everything else of a row is decoded when it is shown.
import type { ComparedRow } from "../../../../comparison.ts";
import { pathText } from "../../../../core/index.ts";
import { decodeRow, MatrixTables } from "../../matrix/decode.ts";
import type { EncodedMatrix, EncodedTable } from "../../matrix/encoded.ts";
import { MatrixReader } from "../../matrix/rows.ts";
import { titleOf } from "../words.ts";

export interface Table {
  readonly title: string;
  readonly encoded: EncodedTable;
  /** Builds without it. */
  readonly absent: ReadonlySet<number>;
  /** False if rows that are equal in all builds are left out. */
  readonly hasEqualRows: boolean;
}

export interface SheetRow {
  /** Number of its target, and its own in the target. */
  readonly table: number;
  readonly at: number;
  readonly path: readonly string[];
  /** The path as users type it; where that differs, also with dots only: a search compares both. */
  readonly text: string;
  readonly searched: string;
  /** Length of the text above the last key. */
  readonly above: number;
  readonly stack: string;
  /** Numbers of its groups, most builds first. */
  readonly first: number;
  readonly end: number;
}

export class Sheet {
  readonly builds: readonly string[];
  readonly unread: readonly string[];
  readonly tables: Table[] = [];
  readonly rows: SheetRow[] = [];
  /** By group, from 1: how it is shown, in how many builds, and its text, from 1. */
  readonly sizes: number[] = [0];
  readonly texts: number[] = [0];
  readonly kinds: GroupKind[] = ["absent"];
  /** By row and build: its group; 0 where the build does not have the target, or could not be compared. */
  readonly groups: Uint32Array;
  /** By row and build: the name of the layer that sets it, from 1; 0 for none. */
  readonly layers: Uint32Array;
  /** All strings in lower case, for searches. */
  readonly lower: readonly string[];
  private readonly numbers: MatrixTables;

  constructor(page: EncodedMatrix) {
    this.numbers = new MatrixTables(page);
    this.lower = page.strings.map((text) => text.toLowerCase());
    this.builds = page.builds;
    this.unread = page.unread;
    const cells = page.builds.length * page.targets.reduce((sum, { rows }) => sum + rows.length, 0);
    this.groups = new Uint32Array(cells);
    this.layers = new Uint32Array(cells);
    for (const encoded of page.targets) this.addTable(encoded);
  }

  /** All keys, values and names: groups and layers count them from 1. */
  get strings(): readonly string[] {
    return this.numbers.page.strings;
  }

  groupAt(row: number, build: number): number {
    return this.groups[row * this.builds.length + build] ?? 0;
  }

  layerAt(row: number, build: number): number {
    return this.layers[row * this.builds.length + build] ?? 0;
  }

  /** What a cell shows: its value, or in words why it has none. */
  textAt(row: number, build: number): string {
    const group = this.groupAt(row, build);
    if (group > 0 || this.isAbsent(row, build)) return this.textOf(group);
    return "not compared";
  }

  isAbsent(row: number, build: number): boolean {
    return this.tables[this.rows[row]?.table ?? -1]?.absent.has(build) ?? false;
  }

  textOf(group: number): string {
    return this.strings[(this.texts[group] ?? 0) - 1] ?? kindTexts[this.kinds[group] ?? "absent"];
  }

  decoded(row: number): ComparedRow {
    const { table = 0, at = 0 } = this.rows[row] ?? {};
    const encoded = this.tables[table]?.encoded;
    if (encoded === undefined) throw new Error(`no row ${row}`);
    return decodeRow(encoded, at, this.numbers);
  }

  private addTable(encoded: EncodedTable): void {
    const table = this.tables.length;
    const start = this.rows.length;
    for (const [at, row] of encoded.rows.entries()) this.addRow(new MatrixReader(row), table, at);
    const hasEqualRows = this.rows.slice(start).some(({ first, end }) => end - first === 1);
    const absent = new Set(encoded.absentIn);
    this.tables.push({ title: titleOf(encoded), encoded, absent, hasEqualRows });
  }

  private addRow(reader: MatrixReader, table: number, at: number): void {
    const first = this.sizes.length;
    while (reader.nextGroup()) this.addGroup(reader);
    const path = this.numbers.paths[reader.path] ?? [];
    const text = pathText(path);
    const dotted = path.join(".");
    const searched = (dotted === text ? text : `${text}\n${dotted}`).toLowerCase();
    const above = pathText(path.slice(0, -1)).length;
    const stack = this.numbers.text(reader.stack) ?? "";
    this.rows.push({ table, at, path, text, searched, above, stack, first, end: this.sizes.length });
  }

  private addGroup(reader: MatrixReader): void {
    const group = this.sizes.length;
    const start = this.rows.length * this.builds.length;
    let size = 0;
    while (reader.nextCell()) {
      const layer = this.numbers.sources[reader.source]?.layer ?? 0;
      const builds = this.numbers.buildsOf(reader.set);
      size += builds.length;
      for (const build of builds) {
        this.groups[start + build] = group;
        this.layers[start + build] = layer;
      }
    }
    this.sizes.push(size);
    this.texts.push(reader.text);
    this.kinds.push(reader.isUnset ? "unset" : reader.isSecret ? "secret" : "value");
  }
}

export type GroupKind = "value" | "unset" | "secret" | "absent";

const kindTexts: Readonly<Record<GroupKind, string>> = {
  value: '""',
  unset: "not set",
  secret: "(secret)",
  absent: "no target",
};
