// Rules that might let lists be shared: lists of mappings in which one key identifies the elements, in every file.
import { type MergeRule, Rules } from "../merge/index.ts";
import { cutPinned } from "./cut.ts";
import type { CutOptions } from "./cut-form.ts";
import { nameOf } from "./cut-list.ts";
import { type Part, sumOf } from "./part.ts";

/** Keys by which Kubernetes and charts identify elements, the usual ones first. */
const candidates = ["name", "id", "key", "host", "mountPath", "path", "containerPort", "port", "secretName"];

export interface ListKey {
  readonly rule: MergeRule;
  /** Lines that it saves, once the rules for the lists around it apply. */
  readonly saved: number;
}

/** Rules that save lines, and the rules for the lists around them. @param given rules that apply anyway */
export function payingRules(
  roots: readonly Part[],
  given: readonly MergeRule[],
  below: readonly Part[],
  options: CutOptions,
): readonly ListKey[] {
  const taken = new Set(given.map(({ path }) => path));
  const without = linesAfter(roots, given, options);
  let rules = [...possibleRules(roots, below).filter(({ path }) => !taken.has(path)), ...given];
  for (;;) {
    const { saved, lines } = savedByRules(roots, rules, options);
    // What a list saves may cost as much around it.
    if (lines >= without) return given.map((rule) => ({ rule, saved: 0 }));
    const pays = (rule: MergeRule): boolean => given.includes(rule) || (saved.get(rule) ?? 0) > 0;
    const paying = rules.filter(pays);
    const kept = rules.filter((rule) =>
      paying.some((each) => each === rule || each.path.startsWith(`${rule.path}[*]`)),
    );
    if (kept.length === rules.length) return kept.map((rule) => ({ rule, saved: saved.get(rule) ?? 0 }));
    rules = kept;
  }
}

function savedByRules(
  roots: readonly Part[],
  rules: readonly MergeRule[],
  options: CutOptions,
): { readonly saved: ReadonlyMap<MergeRule, number>; readonly lines: number } {
  const sums = new Map<MergeRule, number>();
  const onRule = ({ listRule }: Rules, saved: number): void => {
    if (listRule !== undefined) sums.set(listRule, (sums.get(listRule) ?? 0) + saved);
  };
  return { saved: sums, lines: linesAfter(roots, rules, { ...options, onRule }) };
}

function linesAfter(roots: readonly Part[], rules: readonly MergeRule[], options: CutOptions): number {
  const { base, rest } = cutPinned(roots, Rules.of(rules), options);
  return sumOf([base, ...rest]);
}

/** Lists at one path, and which files have them. */
interface ListsAt {
  readonly files: Set<number>;
  readonly lists: { readonly file: number; readonly items: readonly Part[] }[];
}

/** Outer lists first. A list over one that does not change would merge with that one, so it gets no rule. */
function possibleRules(roots: readonly Part[], below: readonly Part[]): readonly MergeRule[] {
  const fixed = new Map<string, ListsAt>();
  for (const root of below) collect("", 0, root, fixed);
  const rules: MergeRule[] = [];
  let level = roots.map((part, file) => ({ path: "", file, part }));
  while (level.length > 0) {
    const found = new Map<string, ListsAt>();
    for (const { path, file, part } of level) collect(path, file, part, found);
    level = [];
    for (const [path, { files, lists }] of found) {
      const key = files.size < 2 || fixed.has(path) ? undefined : keyOf(lists.map(({ items }) => items));
      if (key === undefined) continue;
      rules.push({ path, key });
      const inside = lists.flatMap(({ file, items }) =>
        items.map((part) => ({ path: `${path}[*]`, file, part })),
      );
      for (const one of inside) level.push(one);
    }
  }
  return rules;
}

function keyOf(lists: readonly (readonly Part[])[]): string | undefined {
  if (lists.every(({ length }) => length === 0)) return undefined;
  return candidates.find((key) => lists.every((items) => isTellingApart(items, key)));
}

/** `$patch` is a word of the merge, once a rule applies. */
function isTellingApart(items: readonly Part[], key: string): boolean {
  const names = items.map((item) => (item.members?.has("$patch") === true ? undefined : nameOf(item, [key])));
  return !names.includes(undefined) && new Set(names).size === names.length;
}

function collect(path: string, file: number, part: Part, found: Map<string, ListsAt>): void {
  for (const [key, member] of part.members ?? []) {
    const here = path + stepText(key, path);
    if (member.members !== undefined) collect(here, file, member, found);
    if (member.items === undefined) continue;
    const at = found.get(here) ?? { files: new Set(), lists: [] };
    found.set(here, at);
    at.files.add(file);
    at.lists.push({ file, items: member.items });
  }
}

/** A key as a step of a path. */
export function stepText(key: string, path: string): string {
  if (!/^[A-Za-z_][\w/-]*$/.test(key)) return `[${JSON.stringify(key)}]`;
  return path === "" ? key : `.${key}`;
}
