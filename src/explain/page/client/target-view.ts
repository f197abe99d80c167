// One target: its stacks, each with its layers and its values. What comes of ConfigMaps and of Secrets never mixes.
import type { ExplainedStack, ExplainedValue } from "../../../explanation.ts";
import type { LookById } from "./badge.ts";
import type { Book, Chapter } from "./book.ts";
import { button, type Child, element, nothing, placed } from "./dom.ts";
import { finalYaml } from "./final-yaml.ts";
import { optionBar, tabPanel } from "./options.ts";
import { Query } from "./search.ts";
import { runLines, stackTable, type StackView } from "./stack-table.ts";
import type { View } from "./subject.ts";
import { hereAttributes, type TreeView, valuesTree } from "./values-tree.ts";
import { count, placeText } from "./words.ts";

interface WithinTarget {
  readonly chapter: Chapter;
  readonly book: Book;
  readonly view: View;
  readonly lookOf: LookById;
}

export function targetView(chapter: Chapter, book: Book, view: View): Child[] {
  const { title, target } = chapter;
  const place = placeText(target.at);
  const lookOf: LookById = (id) => book.lookOf(chapter.layers.get(id));
  const found = foundIn(chapter, view.query);
  const sections = target.stacks.map((stack, index) =>
    stackSection(stack, found[index] ?? [], index, { chapter, book, view, lookOf }),
  );
  return [
    element("h1", {}, title),
    place === "" ? undefined : element("p", {}, placed(place, view.query, book.hrefOf(target.at))),
    ...(sections.length === 0
      ? [nothing("No layers go into this target.")]
      : [optionBar(view.options, view.choose, view.collapseAll), tabPanel(view.options, ...sections)]),
  ];
}

/** The values of each stack that hold what is searched for. A target that is found by its name alone is shown as a whole. */
function foundIn(chapter: Chapter, text: string): (readonly ExplainedValue[])[] {
  const { stacks } = chapter.target;
  const query = new Query(text);
  const found = stacks.map(({ values }) => values.filter((value) => query.rowsIn(value, chapter).length > 0));
  return found.some(({ length }) => length > 0) ? found : stacks.map(({ values }) => [...values]);
}

function stackSection(
  stack: ExplainedStack,
  found: readonly ExplainedValue[],
  index: number,
  within: WithinTarget,
): HTMLElement {
  const { chapter, view } = within;
  const heading = `stack-${index}`;
  const address = chapter.stacks[index] ?? "";
  const isHere = address === view.here;
  const section = element("section", { "aria-labelledby": heading, ...(isHere ? hereAttributes : {}) });
  const parts =
    view.options.tab === "yaml" ? yamlParts(stack, within) : valueParts(stack, found, address, within);
  section.append(
    element("h2", { id: heading }, headingOf(stack)),
    ...parts.filter((part) => part !== undefined),
  );
  return section;
}

function yamlParts(stack: ExplainedStack, { view, lookOf }: WithinTarget): Child[] {
  if (stack.values.length === 0) return [nothing("No values are known in this stack.")];
  return finalYaml(stack, { lookOf, query: view.query });
}

function valueParts(
  stack: ExplainedStack,
  found: readonly ExplainedValue[],
  address: string,
  within: WithinTarget,
): Child[] {
  const { book, chapter, view, lookOf } = within;
  const { isolated, options } = view;
  const { hrefOf } = book;
  const { layers, sources } = chapter;
  const stackView: StackView = { ...view, lookOf, hrefOf, sources };
  const isOwn = stack.layers.some(({ id }) => id === isolated);
  const shown = found.filter(
    (value) => (!isOwn || isOf(value, isolated)) && (!options.isOverriddenOnly || isOverriding(value)),
  );
  return [
    stackTable(stack, stackView),
    runLines(stack.runs, stackView),
    ...valuesOf(stack, shown, isOwn, view, { ...view, address, layers, lookOf, hrefOf }),
    removedLines(stack, stackView),
  ];
}

/** What patches take away is not among the values. */
function removedLines({ removed = [] }: ExplainedStack, { query, hrefOf }: StackView): Child {
  if (removed.length === 0) return undefined;
  const lines = removed.map(({ path, at, text = "(secret)", was }) =>
    element(
      "li",
      {},
      element("b", {}, path.join(".")),
      " removed by ",
      placed(placeText(at), query, hrefOf(at)),
      ` was ${text} `,
      placed(placeText(was), query, hrefOf(was)),
    ),
  );
  return element("ul", { class: "runs", "aria-label": "removed values" }, ...lines);
}

function valuesOf(
  stack: ExplainedStack,
  shown: readonly ExplainedValue[],
  isIsolated: boolean,
  view: View,
  tree: TreeView,
): (HTMLElement | string)[] {
  const all = stack.values.length;
  if (all === 0) return [nothing("No values are known in this stack.")];
  const isPart = shown.length < all;
  const total = isPart ? `${shown.length} of ${count(all, "value")}` : count(all, "value");
  const line = element("p", { class: "shown" }, total);
  if (view.options.isOverriddenOnly) line.append(" that override another");
  if (isIsolated) {
    const everything = button("Show all layers", () => view.isolate(undefined));
    line.append(` set by layer ${view.isolated ?? ""} `, everything);
  } else if (isPart && view.query !== "") line.append(` with “${view.query}”`);
  return [line, shown.length === 0 ? "" : valuesTree(shown, tree)];
}

function isOverriding({ over, rendered }: ExplainedValue): boolean {
  return over.length > 0 || rendered !== undefined;
}

function isOf({ by, over }: ExplainedValue, id: string | undefined): boolean {
  return by === id || over.some((each) => each.by === id);
}

function headingOf({ kind, key }: ExplainedStack): string {
  const what = kind === undefined ? "Values" : `${kind} stack`;
  return key === undefined ? what : `${what} → data key ${key}`;
}
