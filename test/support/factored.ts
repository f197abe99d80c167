// Files → what `factor` makes of them, and whether another reader and another merge find each file again.
import { parse } from "yaml";
import { readValues } from "../../src/layers/values.ts";
import type { MergeRule } from "../../src/merge/rules.ts";
import type { Factored, FactorOptions, FactoredFile } from "../../src/factor/factor.ts";
import { formatOf } from "../../src/factor/prove.ts";
import { canonical, isObject, mergePlain, type Plain } from "./list-model.ts";

export const plain: FactorOptions = {
  shared: "most",
  reorder: false,
  middle: false,
  listKeys: [],
  findListKeys: false,
  isSpelled: false,
};

/** The ways of the command line. */
export const modes: { readonly [name: string]: FactorOptions } = {
  plain,
  middle: { ...plain, middle: true },
  keyed: { ...plain, findListKeys: true },
  "keyed, any order, middle": { ...plain, findListKeys: true, reorder: true, middle: true },
};

/** Files that can be read and have values. */
export function sourcesOf(texts: readonly string[], isSpelled = false): FactoredFile[] {
  return texts.flatMap((text, index) => {
    const bytes = Buffer.from(text, "utf8");
    const { root, faults, notes } = readValues(bytes, formatOf(isSpelled));
    if (root === undefined || faults.length > 0 || notes.length > 0) return [];
    return { name: `values-${index}.yaml`, bytes, root };
  });
}

/** The layers of a file, lowest first. */
export function layersOf({ base, middles, own }: Factored, file: number): string[] {
  const between = middles.filter(({ files }) => files.includes(file));
  return [base, ...between, own[file] ?? base].map(({ text }) => Buffer.from(text).toString("utf8"));
}

export function textsOf(made: Factored): string[] {
  return [made.base, ...made.middles, ...made.own].map(({ text }) => Buffer.from(text).toString("utf8"));
}

/** Texts of a set are read in all modes, and a base for all of its files. */
const known = new Map<string, Plain>();

/** As the `yaml` package reads it. */
export function plainOf(text: string): Plain {
  const before = known.get(text);
  if (before !== undefined) return before;
  if (known.size > 100) known.clear();
  const read = (parse(text, {
    version: "1.1",
    merge: true,
    uniqueKeys: false,
    maxAliasCount: -1,
    logLevel: "silent",
  }) ?? {}) as Plain;
  known.set(text, read);
  return read;
}

export interface Difference {
  readonly wanted: string;
  readonly got: string;
}

/** What another reader and another merge make of the layers of a file, if that is not what it says. */
export function lossOf(
  made: Factored,
  file: number,
  wanted: Plain,
  reorder = false,
  below: Plain = {},
): Difference | undefined {
  const rules = made.listKeys.map(({ rule }) => ({ ...rule, path: pathOfModel(rule.path) }));
  const merged = layersOf(made, file)
    .map(plainOf)
    .reduce<Plain>((base, over) => mergePlain(base, over, rules) ?? {}, below);
  const shown = (value: Plain): string => canonical(reorder ? sorted(value, rules, "") : value);
  const [want, got] = [shown(wanted), shown(merged)];
  return want === got ? undefined : { wanted: want, got };
}

/** The model joins keys with dots, whatever is in them, and knows a plain `on` as true. */
function pathOfModel(path: string): string {
  return path
    .replaceAll(/\["((?:[^"\\]|\\.)*)"\]/g, ".$1")
    .replace(/^\./, "")
    .replaceAll(/(?<=^|\.)on(?=$|[.[])/g, "true");
}

/** Lists under a rule in the order of their keys. */
function sorted(value: Plain, rules: readonly MergeRule[], path: string): Plain {
  if (Array.isArray(value)) {
    const items = value.map((each: Plain) => sorted(each, rules, `${path}[*]`));
    const rule = rules.find((each) => each.path === path);
    return rule === undefined
      ? items
      : items.toSorted((a, b) => (nameOf(a, rule) < nameOf(b, rule) ? -1 : 1));
  }
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([key, each]) => {
    return [key, sorted(each, rules, path === "" ? key : `${path}.${key}`)] as const;
  });
  return Object.fromEntries(entries);
}

function nameOf(item: Plain, { key }: MergeRule): string {
  return [key ?? []]
    .flat()
    .map((each) => canonical(isObject(item) ? item[each] : undefined))
    .join();
}
