// The form in the page → an explanation again, one target at a time.
import type {
  ExplainedLayer,
  ExplainedStack,
  ExplainedTarget,
  ExplainedValue,
  OverriddenValue,
  Place,
} from "../../explanation.ts";
import type { EncodedLayer, EncodedPage, EncodedStack, EncodedTarget } from "./encoded.ts";
import { NumberReader } from "./numbers.ts";
import { type Row, RowReader } from "./rows.ts";

/** Keys of all paths, by number. */
export function decodePaths({
  strings,
  paths,
}: Pick<EncodedPage, "strings" | "paths">): readonly (readonly string[])[] {
  const all: string[][] = [[]];
  for (const numbers = new NumberReader(paths); !numbers.isDone;) {
    const above = all[numbers.number()] ?? [];
    all.push([...above, strings[numbers.number()] ?? ""]);
  }
  return all;
}

export function decodeTarget(
  target: EncodedTarget,
  page: EncodedPage,
  paths: readonly (readonly string[])[],
): ExplainedTarget {
  const ids = target.stacks.flatMap(({ layers }) => layers.map(([, id]) => id));
  const decodeStack = ({ rows, notes, layers, ...stack }: EncodedStack): ExplainedStack => {
    const noted = new Map(notes);
    const values = decodeValues(rows, ids, page, paths);
    return {
      ...stack,
      layers: layers.map((layer) => decodeLayer(layer, page)),
      values: noted.size === 0 ? values : values.map((value, index) => ({ ...value, ...noted.get(index) })),
    };
  };
  return { ...target, stacks: target.stacks.map(decodeStack) };
}

function decodeLayer([form, id, sets, overridden]: EncodedLayer, { layers }: EncodedPage): ExplainedLayer {
  const found = layers[form];
  if (found === undefined) throw new Error(`no layer ${form}`);
  return {
    ...found,
    id,
    ...(sets === null ? {} : { sets }),
    ...(overridden === null ? {} : { overridden }),
  };
}

function decodeValues(
  rows: string,
  ids: readonly string[],
  page: EncodedPage,
  paths: readonly (readonly string[])[],
): ExplainedValue[] {
  const values: ExplainedValue[] = [];
  let over: OverriddenValue[] = [];
  for (const row = new RowReader(rows); row.next();) {
    const shared = { by: ids[row.layer] ?? "", ...contentOf(row, page) };
    if (row.isValue) values.push({ path: paths[row.path] ?? [], ...shared, over: (over = []) });
    else over.push({ ...shared, effect: row.effect });
  }
  return values;
}

function contentOf(row: Row, page: EncodedPage): Omit<OverriddenValue, "by" | "effect"> {
  const text = row.text === 0 ? undefined : page.strings[row.text - 1];
  const at = placeOf(row, page);
  return {
    ...(text === undefined ? {} : { text }),
    ...(at === undefined ? {} : { at }),
    ...(row.mapping ? { mapping: true } : {}),
  };
}

/** The place of a row; undefined if it is not known. */
export function placeOf({ ground, line, column }: Row, { grounds }: EncodedPage): Place | undefined {
  const found = ground === 0 ? undefined : grounds[ground - 1];
  if (found === undefined) return undefined;
  return { ...found, ...(line === 0 ? {} : { line }), ...(column === 0 ? {} : { column }) };
}
