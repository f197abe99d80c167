// One target: its stacks, each with its layers and its values. What comes of ConfigMaps and of Secrets never mixes.
import type {
  ExplainedLayer,
  ExplainedStack,
  ExplainedTarget,
  ExplainedValue,
} from "../../../explanation.ts";
import type { RoleOf } from "./badge.ts";
import { type Book, type Chapter, targetOf } from "./book.ts";
import { type Child, element, placed } from "./dom.ts";
import { finalYaml } from "./final-yaml.ts";
import { optionBar, type Options, tabPanel } from "./options.ts";
import { findIn, type Marks } from "./search.ts";
import { runLines, stackTable, type StackView } from "./stack-table.ts";
import { hereAttributes, type TreeView, valuesTree } from "./values-tree.ts";
import { count, placeText } from "./words.ts";

export interface TargetView {
  readonly query: string;
  readonly marks: Marks | undefined;
  readonly isolated: string | undefined;
  readonly isolate: (id: string | undefined) => void;
  /** The address that the page was opened with. */
  readonly here: string;
  readonly options: Options;
  readonly choose: (next: Options) => void;
  /** Addresses of keys with their values hidden. */
  readonly collapsed: Set<string>;
  readonly collapseAll: (isCollapsed: boolean) => void;
}

export function targetView(chapter: Chapter, book: Book, view: TargetView): Child[] {
  const target = targetOf(chapter, book);
  const found = view.marks === undefined ? undefined : findIn(chapter, view.marks);
  const shown = target.stacks.map(({ values }, index) => {
    // A target that is found by its own name alone is shown as a whole.
    const isFound = found?.some(({ size }) => size > 0) ?? false;
    return isFound ? values.filter((_, at) => found?.[index]?.has(at)) : values;
  });
  const place = placeText(target.at);
  const within = { chapter, book, target, view, roleOf: rolesIn(chapter, target, book) };
  const sections = target.stacks.map((stack, index) =>
    stackSection(stack, shown[index] ?? [], index, within),
  );
  const { options, choose, collapseAll } = view;
  return [
    element("h1", {}, chapter.title),
    place === "" ? undefined : element("p", {}, placed(place, view.query, book.hrefOf(target.at))),
    ...(sections.length === 0
      ? [nothing("No layers go into this target.")]
      : [optionBar(options, choose, collapseAll), tabPanel(options, ...sections)]),
  ];
}

interface Within {
  readonly chapter: Chapter;
  readonly book: Book;
  readonly target: ExplainedTarget;
  readonly view: TargetView;
  readonly roleOf: RoleOf;
}

function rolesIn({ forms }: Chapter, target: ExplainedTarget, { roles }: Book): RoleOf {
  const ids = idsOf(target);
  const all = new Map(ids.map((id, index) => [id, roles.of(forms[index] ?? -1)]));
  return (id) => all.get(id) ?? roles.of(-1);
}

function idsOf({ stacks }: ExplainedTarget): string[] {
  return stacks.flatMap(({ layers }) => layers.map(({ id }) => id));
}

function stackSection(
  stack: ExplainedStack,
  found: readonly ExplainedValue[],
  index: number,
  within: Within,
): HTMLElement {
  const { chapter, view } = within;
  const heading = `stack-${index}`;
  const isHere = chapter.stacks[index]?.address === view.here;
  const section = element("section", { "aria-labelledby": heading, ...(isHere ? hereAttributes : {}) });
  const parts =
    view.options.tab === "yaml"
      ? yamlParts(stack, within)
      : valueParts(stack, found, chapter.stacks[index]?.address ?? "", within);
  section.append(
    element("h2", { id: heading }, headingOf(stack)),
    ...parts.filter((part) => part !== undefined),
  );
  return section;
}

function yamlParts(stack: ExplainedStack, { view, roleOf }: Within): Child[] {
  if (stack.values.length === 0) return [nothing("No values are known in this stack.")];
  return finalYaml(stack, { roleOf, query: view.query });
}

function valueParts(
  stack: ExplainedStack,
  found: readonly ExplainedValue[],
  address: string,
  within: Within,
): Child[] {
  const { book, view, roleOf } = within;
  const { isolated, options } = view;
  const { hrefOf } = book;
  const stackView: StackView = { ...view, roleOf, hrefOf, sourceOf: sourcesOf(within) };
  const isOwn = stack.layers.some(({ id }) => id === isolated);
  const shown = found.filter(
    (value) => (!isOwn || isOf(value, isolated)) && (!options.isOverriddenOnly || isOverriding(value)),
  );
  const layers = new Map<string, ExplainedLayer>(stack.layers.map((layer) => [layer.id, layer]));
  return [
    stackTable(stack, stackView),
    runLines(stack.runs, stackView),
    ...valuesOf(stack, shown, isOwn, view, { ...view, address, layers, roleOf, hrefOf }),
  ];
}

function valuesOf(
  stack: ExplainedStack,
  shown: readonly ExplainedValue[],
  isIsolated: boolean,
  view: TargetView,
  tree: TreeView,
): (HTMLElement | string)[] {
  const all = stack.values.length;
  if (all === 0) return [nothing("No values are known in this stack.")];
  const isPart = shown.length < all;
  const total = isPart ? `${shown.length} of ${count(all, "value")}` : count(all, "value");
  const line = element("p", { class: "shown" }, total);
  if (view.options.isOverriddenOnly) line.append(" that override another");
  if (isIsolated) {
    const button = element("button", { type: "button" }, "Show all layers");
    button.addEventListener("click", () => view.isolate(undefined));
    line.append(` set by layer ${view.isolated ?? ""} `, button);
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

function sourcesOf({ chapter, book, target }: Within): StackView["sourceOf"] {
  const ids = idsOf(target);
  return (id) => {
    const source = book.sources[chapter.sources[ids.indexOf(id)] ?? 0];
    return { address: source?.address ?? "", targets: source?.targets.length ?? 0 };
  };
}

export function nothing(text: string): HTMLElement {
  return element("p", { class: "nothing" }, text);
}
