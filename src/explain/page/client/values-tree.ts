// The values of a stack as an indented tree: each in bold, what it overrides struck through below it, and on every line
// the letter of its layer and its place.
import type { ExplainedLayer, ExplainedValue, OverriddenValue } from "../../../explanation.ts";
import { kindText, notesOf } from "../../notes.ts";
import { valueAddress } from "./addresses.ts";
import { badge, type HueOf } from "./badge.ts";
import { type Child, element, link, marked, placed } from "./dom.ts";
import { placeText } from "./words.ts";

export interface TreeView {
  /** The stack's. */
  readonly address: string;
  readonly layers: ReadonlyMap<string, ExplainedLayer>;
  readonly hueOf: HueOf;
  /** In lower case; empty for none. */
  readonly query: string;
  /** Address of the value that the page was opened for. */
  readonly here?: string;
}

/** Marks what the page was opened for. */
export const hereAttributes = { class: "here", "aria-current": "true", tabindex: "-1" };

interface Branch {
  readonly path: readonly string[];
  readonly below: Map<string, Branch>;
  value?: ExplainedValue;
}

export function valuesTree(values: readonly ExplainedValue[], view: TreeView): HTMLElement {
  const root = grow(values);
  const whole = root.value === undefined ? [] : [branchItem({ ...root, below: new Map() }, view)];
  const items = [...root.below.values()].map((branch) => branchItem(branch, view));
  return element("ul", { class: "values" }, ...whole, ...items);
}

function grow(values: readonly ExplainedValue[]): Branch {
  const root: Branch = { path: [], below: new Map() };
  for (const value of values) {
    let branch = root;
    for (const [depth, key] of value.path.entries()) {
      const next = branch.below.get(key) ?? { path: value.path.slice(0, depth + 1), below: new Map() };
      branch.below.set(key, next);
      branch = next;
    }
    branch.value = value;
  }
  return root;
}

function branchItem(branch: Branch, view: TreeView): HTMLElement {
  const { path, below, value } = branch;
  const isHere = value !== undefined && view.here === valueAddress(view.address, path);
  const item = element("li", isHere ? hereAttributes : {});
  item.append(value === undefined ? row(path.length, [keyText(path, view), ":"]) : valueRow(value, view));
  for (const note of value === undefined ? [] : notesOf(value))
    item.append(row(path.length + 1, [element("span", { class: "note" }, note)]));
  for (const over of value?.over ?? []) item.append(overRow(value, over, view));
  const items = [...below.values()].map((each) => branchItem(each, view));
  if (items.length > 0) item.append(element("ul", {}, ...items));
  return item;
}

function valueRow(value: ExplainedValue, view: TreeView): HTMLElement {
  const { path, by, at } = value;
  const address = valueAddress(view.address, path);
  const key = link(address, { class: "key", title: "Link to this value" }, keyText(path, view));
  const content = value.rule === undefined ? contentOf(value, view) : ruledContentOf(value, view);
  const text = element("b", textClass(value), content);
  return row(path.length, [key, ": ", text], origin(by, at, view));
}

function overRow(value: ExplainedValue | undefined, over: OverriddenValue, view: TreeView): HTMLElement {
  const note = noteOf(value, over);
  const text = element("del", textClass(over), contentOf(over, view));
  const what = ["over ", text, note === "" ? undefined : element("span", { class: "note" }, ` ${note}`)];
  const made = row((value?.path.length ?? 0) + 1, what, origin(over.by, over.at, view));
  made.classList.add("over");
  return made;
}

/** What became of an overridden value, where that is not plain from the value itself. */
export function noteOf(
  value: { readonly text?: string; readonly mapping?: boolean } | undefined,
  { effect, text, mapping }: OverriddenValue,
): string {
  if (effect === "same") return "the same value";
  if (effect === "nulled") return "taken away";
  if (mapping !== value?.mapping) return "replaced whole";
  return text?.startsWith("[") && value?.text?.startsWith("[") ? "list replaced whole" : "";
}

function row(depth: number, what: readonly Child[], from: readonly Child[] = []): HTMLElement {
  const cell = element("span", { class: "what" }, ...what);
  const made = element("div", { class: "row" }, cell, ...from);
  made.style.setProperty("--depth", `${Math.max(0, depth - 1)}`);
  return made;
}

function origin(id: string, at: ExplainedValue["at"], view: TreeView): Child[] {
  const place = placeText(at, view.layers.get(id));
  return [badge(id, view.hueOf), placed(place, view.query)];
}

function keyText(path: readonly string[], { query }: TreeView): Node {
  const key = path.at(-1);
  if (key === undefined) return marked("everything", "");
  return key === "" ? marked('""', "") : marked(key, isAcrossKeys(path, query) ? key.toLowerCase() : query);
}

/** What is searched for may be a path of several keys: then its last key is marked. */
function isAcrossKeys(path: readonly string[], query: string): boolean {
  const key = path.at(-1) ?? "";
  return (
    query.includes(".") && !key.toLowerCase().includes(query) && path.join(".").toLowerCase().includes(query)
  );
}

function textClass({ text }: Pick<ExplainedValue, "text">): Record<string, string> {
  return { class: text === undefined ? "text untold" : "text" };
}

/** The elements of a list that a rule made have rows of their own; a list of one layer is shown here. */
function ruledContentOf(value: ExplainedValue, view: TreeView): Child {
  return value.mapping === true ? kindText(value) : contentOf(value, view);
}

export function contentOf(
  { text, mapping }: Omit<OverriddenValue, "effect" | "by">,
  { query }: Pick<TreeView, "query">,
): Child {
  if (text !== undefined) return marked(text, query);
  return mapping === true ? "(mapping)" : "(secret)";
}
