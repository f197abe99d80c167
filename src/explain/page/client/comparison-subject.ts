// The page of a comparison: targets with the paths that differ.
import type { ComparedRow, Comparison } from "../../../comparison.ts";
import { pathText } from "../../../merge/index.ts";
import { claim, targetAddress } from "./addresses.ts";
import { type ComparedChapter, comparisonView, unreadParts } from "./comparison-view.ts";
import { type Child, nothing } from "./dom.ts";
import type { SearchResult, ListedSubject, ListedAll, Subject, View } from "./subject.ts";
import { titleOf } from "./words.ts";

export class ComparisonSubject implements Subject {
  readonly name = "valuefold compare";
  readonly hint = "path, value, layer, file, build";
  readonly noun = "path";
  readonly lists: readonly ListedAll[];
  private readonly comparison: Comparison;
  private readonly chapters: readonly ComparedChapter[];

  constructor(comparison: Comparison) {
    const taken = new Set<string>();
    this.comparison = comparison;
    this.chapters = comparison.targets
      .filter(({ rows, absentIn = [] }) => rows.length + absentIn.length > 0)
      .map((target) => ({ title: titleOf(target), address: claim(targetAddress(target), taken), target }));
    this.lists = [{ name: "Targets", noun: "target", all: this.chapters }];
  }

  empty(): readonly Child[] {
    return [...unreadParts(this.comparison), nothing("No value differs in what could be compared.")];
  }

  find(query: string): SearchResult {
    const hits = new Map<ListedSubject, number>();
    let total = 0;
    for (const chapter of this.chapters) {
      const found = this.rowsOf(chapter, query).length;
      if (found > 0) hits.set(chapter, found);
      total += found;
    }
    return { hits, total };
  }

  show(listed: ListedSubject, { query, here }: View): readonly Child[] {
    const chapter = this.chapters.find((each) => each === listed);
    if (chapter === undefined) return [];
    const found = this.rowsOf(chapter, query);
    // A target that is found by its name alone is shown as a whole.
    const rows = found.length > 0 ? found : chapter.target.rows;
    return comparisonView(chapter, { comparison: this.comparison, rows, query, here });
  }

  private rowsOf({ target }: ComparedChapter, query: string): readonly ComparedRow[] {
    if (query === "") return target.rows;
    const builds = new Set(
      this.comparison.builds.flatMap((name, at) => (name.toLowerCase().includes(query) ? [at] : [])),
    );
    return target.rows.filter((row) => textOf(row).includes(query) || differsIn(row, builds));
  }
}

const texts = new WeakMap<ComparedRow, string>();

/** All that can be searched for in a row, in lower case. */
function textOf(row: ComparedRow): string {
  let text = texts.get(row);
  if (text !== undefined) return text;
  const all = new Set([row.path.join("."), pathText(row.path)]);
  for (const group of row.groups) {
    all.add(group.text ?? "");
    for (const { by = "", at, over = [] } of group.cells)
      for (const each of [{ by, at, text: "" }, ...over])
        all
          .add(each.by)
          .add(each.at?.file ?? "")
          .add(each.text ?? "");
  }
  texts.set(row, (text = [...all].join("\n").toLowerCase()));
  return text;
}

/** True if one of the builds has a value that most builds do not have. */
function differsIn({ groups }: ComparedRow, builds: ReadonlySet<number>): boolean {
  if (builds.size === 0) return false;
  const sizes = groups.map(({ cells }) => cells.reduce((sum, cell) => sum + cell.builds.length, 0));
  const half = sizes.reduce((sum, size) => sum + size, 0) / 2;
  return groups.some(
    ({ cells }, at) =>
      (sizes[at] ?? 0) <= half && cells.some((cell) => cell.builds.some((build) => builds.has(build))),
  );
}
