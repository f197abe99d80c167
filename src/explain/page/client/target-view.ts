// One target: its stacks, each with its layers and its values. What comes of ConfigMaps and of Secrets never mixes.
import type {
  ExplainedLayer,
  ExplainedStack,
  ExplainedTarget,
  ExplainedValue,
} from "../../../explanation.ts";
import { huesOf } from "./badge.ts";
import { type Book, type Chapter, targetOf } from "./book.ts";
import { type Child, element } from "./dom.ts";
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
  return [
    element("h1", {}, chapter.title),
    place === "" ? undefined : element("p", { class: "place" }, place),
    target.stacks.length === 0 ? nothing("No layers go into this target.") : undefined,
    ...target.stacks.map((stack, index) =>
      stackSection(stack, shown[index] ?? [], index, { chapter, book, target, view }),
    ),
  ];
}

interface Within {
  readonly chapter: Chapter;
  readonly book: Book;
  readonly target: ExplainedTarget;
  readonly view: TargetView;
}

function stackSection(
  stack: ExplainedStack,
  found: readonly ExplainedValue[],
  index: number,
  within: Within,
): HTMLElement {
  const { chapter, target, view } = within;
  const { isolated } = view;
  const heading = `stack-${index}`;
  const address = chapter.stacks[index]?.address ?? "";
  const hueOf = huesOf(target);
  const stackView: StackView = { ...view, hueOf, sourceOf: sourcesOf(within) };
  const isOwn = stack.layers.some(({ id }) => id === isolated);
  const shown = isOwn ? found.filter((value) => isOf(value, isolated)) : found;
  const isHere = address === view.here;
  const section = element("section", { "aria-labelledby": heading, ...(isHere ? hereAttributes : {}) });
  const layers = new Map<string, ExplainedLayer>(stack.layers.map((layer) => [layer.id, layer]));
  section.append(
    element("h2", { id: heading }, headingOf(stack)),
    stackTable(stack, stackView),
    runLines(stack.runs, stackView) ?? "",
    ...valuesOf(stack, shown, isOwn, view, { address, layers, hueOf, query: view.query, here: view.here }),
  );
  return section;
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
  if (isIsolated) {
    const button = element("button", { type: "button" }, "Show all layers");
    button.addEventListener("click", () => view.isolate(undefined));
    line.append(` set by layer ${view.isolated ?? ""} `, button);
  } else if (isPart) line.append(` with “${view.query}”`);
  return [line, shown.length === 0 ? "" : valuesTree(shown, tree)];
}

function isOf({ by, over }: ExplainedValue, id: string | undefined): boolean {
  return by === id || over.some((each) => each.by === id);
}

function headingOf({ kind, key }: ExplainedStack): string {
  const what = kind === undefined ? "Values" : `${kind} stack`;
  return key === undefined ? what : `${what} → data key ${key}`;
}

function sourcesOf({ chapter, book, target }: Within): StackView["sourceOf"] {
  const ids = target.stacks.flatMap(({ layers }) => layers.map(({ id }) => id));
  return (id) => {
    const source = book.sources[chapter.sources[ids.indexOf(id)] ?? 0];
    return { address: source?.address ?? "", targets: source?.targets.length ?? 0 };
  };
}

export function nothing(text: string): HTMLElement {
  return element("p", { class: "nothing" }, text);
}
