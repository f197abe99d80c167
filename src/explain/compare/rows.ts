// The paths of one stack in many builds: which builds have which value there, and from where.
import type { ComparedCell, ComparedGroup, ComparedRow } from "../../comparison.ts";
import type { ExplainedValue, OverriddenValue } from "../../explanation.ts";
import { comparable, type UnseenLayer } from "../hidden.ts";
import { lineIdentity } from "../one-line.ts";
import { remembered } from "../../remembered.ts";

type LayerNames = ReadonlyMap<string, string>;

/** Builds with one value, and for each of them where it is from. Origins are grouped only for rows that are written. */
interface GroupDraft {
  readonly text: string | undefined;
  readonly isSecret: boolean;
  readonly origins: CellOrigin[];
}

interface CellOrigin extends Pick<ExplainedValue, "by" | "at" | "over"> {
  readonly build: number;
  readonly names: LayerNames;
}

interface RowDraft {
  readonly path: readonly string[];
  readonly elements: readonly number[] | undefined;
  /** By value. */
  readonly groups: Map<string, GroupDraft>;
}

export class Rows {
  /** By path, in the order in which builds have them. */
  private readonly rows = new Map<string, RowDraft>();
  /** Layers that only the cluster has, by builds. */
  readonly unseen = new Map<number, readonly UnseenLayer[]>();

  add(value: ExplainedValue, build: number, names: LayerNames): void {
    const { path, elements } = value;
    const key = path.join("\u0000");
    const row = remembered(this.rows, key, () => ({ path, elements, groups: new Map<string, GroupDraft>() }));
    const { by, at, over } = value;
    const { text } = value;
    const same = text === undefined ? secretKey(value, names.get(by) ?? by) : lineIdentity(text);
    const group = remembered(row.groups, same, () => ({
      text: value.text,
      isSecret: value.text === undefined,
      origins: [],
    }));
    group.origins.push({ build, by, ...(at && { at }), over: over.length === 0 ? nothing : over, names });
  }

  /** Takes over the rows of other builds. */
  join(other: Rows): void {
    for (const [build, layers] of other.unseen) this.unseen.set(build, layers);
    for (const [key, row] of other.rows) {
      const own = this.rows.get(key);
      if (own === undefined) this.rows.set(key, row);
      else joinGroups(own.groups, row.groups);
    }
  }

  /** @param builds those that have the target */
  compared(
    stack: string,
    builds: readonly number[],
    all: boolean,
  ): { readonly rows: readonly ComparedRow[]; readonly equal: number } {
    const rows = [...this.rows.values()];
    const differing = rows.filter((row) => differs(row, builds.length));
    const shown = (all ? rows : differing)
      .map((row) => comparedRow(row, stack, builds))
      .toSorted(byDifference);
    return { rows: shown, equal: rows.length - differing.length };
  }
}

const nothing: readonly never[] = [];

/** Secrets of two layers always differ: the output must not show whether they are equal. */
function secretKey(value: ExplainedValue, by: string): string {
  return `\u0000${by}\u0000${comparable(value).text}`;
}

/** True unless all builds have the first value. */
function differs({ groups }: RowDraft, builds: number): boolean {
  const [first] = groups.values();
  return (first?.origins.length ?? 0) < builds;
}

function joinGroups(own: Map<string, GroupDraft>, others: ReadonlyMap<string, GroupDraft>): void {
  for (const [key, group] of others) {
    const known = own.get(key);
    if (known === undefined) own.set(key, group);
    else for (const one of group.origins) known.origins.push(one);
  }
}

/** One for each origin of a value. */
function cellsOf(origins: readonly CellOrigin[]): ComparedCell[] {
  const cells = new Map<string, { readonly cell: Omit<ComparedCell, "builds">; readonly builds: number[] }>();
  for (const origin of origins) {
    const cell = cellOf(origin);
    const key = JSON.stringify(cell);
    remembered(cells, key, () => ({ cell, builds: [] })).builds.push(origin.build);
  }
  return [...cells.values()]
    .map(({ cell, builds }) => ({ builds: builds.toSorted((a, b) => a - b), ...cell }))
    .toSorted((a, b) => b.builds.length - a.builds.length);
}

function cellOf({ by, at, over, names }: CellOrigin): Omit<ComparedCell, "builds"> {
  const named = over.map((each): OverriddenValue => ({ ...each, by: names.get(each.by) ?? each.by }));
  return { by: names.get(by) ?? by, ...(at && { at }), ...(named.length === 0 ? {} : { over: named }) };
}

function comparedRow(
  { path, elements, groups }: RowDraft,
  stack: string,
  builds: readonly number[],
): ComparedRow {
  const all = [...groups.values()].map(({ text, isSecret, origins }): ComparedGroup => ({
    ...(text === undefined ? {} : { text }),
    ...(isSecret ? { secret: true } : {}),
    cells: cellsOf(origins),
  }));
  const set = new Set(all.flatMap(({ cells }) => cells.flatMap((cell) => cell.builds)));
  const unset = builds.filter((build) => !set.has(build)).toSorted((a, b) => a - b);
  if (unset.length > 0) all.push({ unset: true, cells: [{ builds: unset }] });
  return {
    ...(stack === "" ? {} : { stack }),
    path,
    ...(elements === undefined ? {} : { elements }),
    groups: all.toSorted((a, b) => sizeOf(b) - sizeOf(a)),
  };
}

/** First what differs most: by the number of values, then by how many builds have another value than most have. */
function byDifference(a: ComparedRow, b: ComparedRow): number {
  return valuesIn(b) - valuesIn(a) || othersIn(b) - othersIn(a);
}

/** Whether values of Secrets differ is not known. */
function valuesIn({ groups }: ComparedRow): number {
  return groups.filter(({ secret }) => secret !== true).length;
}

function othersIn({ groups: [, ...others] }: ComparedRow): number {
  return others.reduce((sum, group) => sum + sizeOf(group), 0);
}

/** How many builds have the value. */
export function sizeOf({ cells }: ComparedGroup): number {
  return cells.reduce((sum, { builds }) => sum + builds.length, 0);
}
