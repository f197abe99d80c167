// What the filters leave: which rows, with a heading for each target and stack, which builds, and which cells they mean.
import { compare, parsePath } from "../../../../core/index.ts";
import { MeantCells } from "./meant-cells.ts";
import type { Sheet, SheetRow } from "./sheet.ts";

export interface Wanted {
  /** Part of a path; a pattern such as `**.tag` if it has `*` or `[`. */
  readonly path: string;
  /** Parts of a value and of a layer's name, in lower case. */
  readonly value: string;
  readonly layer: string;
  /** Parts of names with commas between them, in lower case: builds with any of them. */
  readonly builds: string;
  /** Only rows that differ among the builds that are shown. */
  readonly isDiffering: boolean;
}

/** A row; or, without one, the heading of a target or of one of its stacks. */
export interface Line {
  readonly table: number;
  readonly stack: string;
  readonly row?: number;
}

export interface Shown {
  readonly lines: readonly Line[];
  /** Numbers of builds. */
  readonly columns: readonly number[];
  readonly rows: number;
  /** True for cells that the filters by value and layer mean; absent without such filters. */
  readonly meant?: MeantCells;
  /** Where the path is wrong as a pattern, from 1. */
  readonly wrongAt?: number;
}

export function filtered(sheet: Sheet, wanted: Wanted): Shown {
  const columns = columnsOf(sheet, wanted.builds);
  const path = pathTest(wanted.path);
  const meant = wanted.value === "" && wanted.layer === "" ? undefined : new MeantCells(sheet, wanted);
  const isShown = (row: SheetRow, at: number): boolean =>
    path.isShown(row, sheet) &&
    (meant === undefined || meant.isIn(at, columns)) &&
    (!wanted.isDiffering || isDiffering(sheet, at, columns)) &&
    (wanted.builds === "" || columns.some((build) => sheet.groupAt(at, build) > 0));
  const rows = sheet.rows.flatMap((row, at) => (isShown(row, at) ? [at] : []));
  const isWhole = wanted.path === "" && meant === undefined && wanted.builds === "";
  return {
    lines: linesOf(sheet, rows, isWhole),
    columns,
    rows: rows.length,
    ...(meant && { meant }),
    ...(path.wrongAt === undefined ? {} : { wrongAt: path.wrongAt }),
  };
}

function columnsOf({ builds }: Sheet, wanted: string): number[] {
  const parts = wanted
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
  return builds.flatMap((build, at) => {
    const name = build.toLowerCase();
    return parts.length === 0 || parts.some((part) => name.includes(part)) ? [at] : [];
  });
}

export function isPattern(path: string): boolean {
  return /[*[]/.test(path);
}

function pathTest(path: string): {
  readonly isShown: (row: SheetRow, sheet: Sheet) => boolean;
  readonly wrongAt?: number;
} {
  const lower = path.toLowerCase();
  if (!isPattern(path)) return { isShown: ({ searched }) => searched.includes(lower) };
  // A pattern is not wrong while its next key is being typed.
  const steps = parsePath(path.replace(/\.$/, ""));
  if ("wrongAt" in steps) return { isShown: () => true, ...steps };
  return {
    isShown: ({ path: keys, table, at }, { tables }) => {
      const elements = tables[table]?.encoded.elements?.find(([row]) => row === at)?.[1];
      return compare(keys, steps, elements) === "inside";
    },
  };
}

function isDiffering(sheet: Sheet, row: number, columns: readonly number[]): boolean {
  let known = 0;
  return columns.some((build) => {
    const group = sheet.groupAt(row, build);
    if (group === 0) return false;
    if (known === 0) known = group;
    return group !== known;
  });
}

function linesOf(sheet: Sheet, rows: readonly number[], isWhole: boolean): Line[] {
  const lines: Line[] = [];
  let at = 0;
  for (const [table, { encoded }] of sheet.tables.entries()) {
    const start = lines.length;
    for (; sheet.rows[rows[at] ?? -1]?.table === table; at++) {
      const row = rows[at] ?? 0;
      const { stack } = sheet.rows[row] ?? { stack: "" };
      if (lines.length === start || lines.at(-1)?.stack !== stack) lines.push({ table, stack });
      lines.push({ table, stack, row });
    }
    // That builds do not have a target is a difference, too.
    const isAbsent = (encoded.absentIn ?? []).length > 0;
    if (lines.length === start && isWhole && isAbsent) lines.push({ table, stack: "" });
  }
  return lines;
}
