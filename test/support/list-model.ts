// Merging by rules over plain values, slowly and plainly: what the code under test must mean. Paths hold keys, and `[*]`
// for the elements of a list.
import type { MergeRule } from "../../src/merge/rules.ts";

export type Plain = null | boolean | number | string | readonly Plain[] | { readonly [key: string]: Plain };

/** One value over another, by the rules whose path is this very path; the last counts. */
export function mergePlain(
  base: Plain | undefined,
  over: Plain,
  rules: readonly MergeRule[],
  path = "",
): Plain | undefined {
  const here = rules.filter((rule) => rule.path === path);
  if (over === null && drops(here)) return undefined;
  if (isObject(base) && isObject(over) && !replaces(here)) {
    const merged: Record<string, Plain> = { ...base };
    for (const [key, value] of Object.entries(over)) {
      const lower = Object.hasOwn(base, key) ? base[key] : undefined;
      const found = mergePlain(lower, value, rules, path === "" ? key : `${path}.${key}`);
      if (found === undefined) delete merged[key];
      else merged[key] = found;
    }
    return merged;
  }
  const list = here.findLast((rule) => rule.key !== undefined || rule.list !== undefined);
  if (Array.isArray(over) && list !== undefined && list.list !== "replace")
    return mergeList(Array.isArray(base) ? base : [], over, list, rules, path);
  // Nothing lies below: what is in a mapping is merged over nothing, key by key.
  return isObject(over)
    ? mergePlain(
        {},
        over,
        rules.filter((rule) => rule.path !== path || rule.mapping === undefined),
        path,
      )
    : over;
}

function mergeList(
  base: readonly Plain[],
  over: readonly Plain[],
  rule: MergeRule,
  rules: readonly MergeRule[],
  path: string,
): Plain[] {
  const [first, ...rest] = over;
  if (isObject(first) && first["$patch"] === "replace" && Object.keys(first).length === 1)
    return mergeList([], rest, rule, rules, path);
  if (rule.list === "append") return [...base, ...over];
  if (rule.list === "prepend") return [...over, ...base];
  if (rule.list === "set") return over.reduce<Plain[]>(intoSet, [...base]);
  const keys = [rule.key ?? []].flat();
  return over.reduce<Plain[]>((list, element) => byKey(list, element, keys, rules, path), [...base]);
}

function intoSet(list: Plain[], element: Plain): Plain[] {
  const isDelete = isObject(element) && element["$patch"] === "delete";
  const wanted = canonical(isDelete ? element["$value"] : element);
  const at = list.findIndex((each) => canonical(each) === wanted);
  if (isDelete) return list.filter((each) => canonical(each) !== wanted);
  return at < 0 ? [...list, element] : list;
}

function byKey(
  list: Plain[],
  element: Plain,
  keys: readonly string[],
  rules: readonly MergeRule[],
  path: string,
): Plain[] {
  if (!isObject(element)) return list;
  const at = list.findIndex(
    (each) => isObject(each) && keys.every((key) => canonical(each[key]) === canonical(element[key])),
  );
  const { $patch: patch, ...plain } = element;
  if (patch === "delete") return list.filter((_, index) => index !== at);
  const lower = patch === "replace" ? {} : (list[at] ?? {});
  const merged = mergePlain(lower, plain, rules, `${path}[*]`) ?? {};
  return at < 0 ? [...list, merged] : list.with(at, merged);
}

function drops(rules: readonly MergeRule[]): boolean {
  return rules.findLast((rule) => rule.null !== undefined)?.null === "drop";
}

function replaces(rules: readonly MergeRule[]): boolean {
  return rules.findLast((rule) => rule.mapping !== undefined)?.mapping === "replace";
}

export function isObject(value: Plain | undefined): value is { readonly [key: string]: Plain } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** One text for values that differ in the order of keys only. */
export function canonical(value: Plain | undefined): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? "undefined";
  const keys = Object.keys(value).toSorted();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join(",")}}`;
}
