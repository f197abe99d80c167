// The values of a stack as an indented tree: each in bold, what it overrides struck through below it, and on every line
// the letter of its layer and its place. Keys with values below them collapse.
import type { ExplainedLayer, ExplainedValue, OverriddenValue } from "../../../explanation.ts";
import { kindText, notesOf } from "../../notes.ts";
import { valueAddress } from "./addresses.ts";
import { badge, type LookById } from "./badge.ts";
import { type Child, element, link, marked, note, placed } from "./dom.ts";
import type { HrefOf } from "./sources.ts";
import { count, placeText } from "./words.ts";

export interface TreeView {
  /** The stack's. */
  readonly address: string;
  readonly layers: ReadonlyMap<string, ExplainedLayer>;
  readonly lookOf: LookById;
  readonly hrefOf: HrefOf;
  /** In lower case; empty for none. */
  readonly query: string;
  /** Addresses of keys with their values hidden. */
  readonly collapsed: Set<string>;
  /** Address of the value that the page was opened for. */
  readonly here?: string;
}

/** Marks what the page was opened for. */
export const hereAttributes = { class: "here", "aria-current": "true", tabindex: "-1" };

interface ShownBranch {
  readonly path: readonly string[];
  readonly below: Map<string, ShownBranch>;
  /** How many values it holds. */
  size: number;
  value?: ExplainedValue;
}

export function valuesTree(values: readonly ExplainedValue[], view: TreeView): HTMLElement {
  const root = grow(values);
  const whole = root.value === undefined ? [] : [branchItem({ ...root, below: new Map() }, view)];
  const items = [...root.below.values()].map((branch) => branchItem(branch, view));
  const tree = element("ul", { class: "values" }, ...whole, ...items);
  setWidth(tree, values.map(lengthOf));
  return tree;
}

/** In letters. A column of values up to here is as wide as its longest value. */
const narrow = 48;
const widest = 60;

/** Makes the column of values as wide as most of them need: a longer one goes on in the next line, and origins stay near. */
export function setWidth(list: HTMLElement, lengths: readonly number[]): void {
  const sorted = lengths.toSorted((a, b) => a - b);
  const usual = sorted[Math.floor(sorted.length * 0.9)] ?? 0;
  const width = Math.max(usual, Math.min(sorted.at(-1) ?? 0, narrow));
  list.style.setProperty("--what", `${Math.min(widest, width + 4)}ch`);
}

function lengthOf({ path, text = "", over }: ExplainedValue): number {
  const lost = over.reduce((most, each) => Math.max(most, each.text?.length ?? 0), 0);
  const indent = 2.4 * path.length;
  return indent + Math.max((path.at(-1)?.length ?? 0) + text.length, lost + 7);
}

function grow(values: readonly ExplainedValue[]): ShownBranch {
  const root: ShownBranch = { path: [], below: new Map(), size: 0 };
  for (const value of values) {
    let branch = root;
    for (const [depth, key] of value.path.entries()) {
      const next = branch.below.get(key) ?? {
        path: value.path.slice(0, depth + 1),
        below: new Map(),
        size: 0,
      };
      branch.below.set(key, next);
      next.size++;
      branch = next;
    }
    branch.value = value;
  }
  return root;
}

function branchItem(branch: ShownBranch, view: TreeView): HTMLElement {
  const { path, below, value } = branch;
  const isHere = value !== undefined && view.here === valueAddress(view.address, path);
  const item = element("li", isHere ? hereAttributes : {});
  const items = [...below.values()].map((each) => branchItem(each, view));
  const list = items.length === 0 ? undefined : element("ul", {}, ...items);
  const toggle = list === undefined ? undefined : collapseButton(branch, list, view);
  if (value === undefined) item.append(row(path.length, [toggle]));
  else item.append(...rowsOf(value, view, toggle));
  if (list !== undefined) item.append(list);
  return item;
}

/** A value; what it overrides, which a wide window shows beside it; and what is said of it. */
function rowsOf(value: ExplainedValue, view: TreeView, toggle: HTMLElement | undefined): HTMLElement[] {
  const { rendered = [], path, by, ...noted } = value;
  const depth = path.length + 1;
  const over = [
    ...rendered.map((at) =>
      originRow("over", depth, ["over ", note("a value of its render")], { by, at }, view),
    ),
    ...value.over.map((each) => overRow(value, each, view)),
  ];
  const own = valueRow(value, view, toggle);
  const notes = notesOf(noted).map((text) => row(depth, [note(text)]));
  if (over.length === 0) return [own, ...notes];
  return [element("div", { class: "chain" }, own, element("div", {}, ...over)), ...notes];
}

/** A key without a value of its own is all button; one with a value has an address, and only its arrow collapses. */
function collapseButton({ path, size, value }: ShownBranch, list: HTMLElement, view: TreeView): HTMLElement {
  const { collapsed, query } = view;
  const address = valueAddress(view.address, path);
  const label = value === undefined ? {} : { "aria-label": `values of ${path.at(-1) ?? ""}` };
  const button = element("button", { type: "button", class: "toggle", ...label });
  if (value === undefined) button.append(keyText(path, view), ":");
  button.setAttribute("data-size", count(value === undefined ? size : size - 1, "value"));
  const show = (isCollapsed: boolean): void => {
    button.setAttribute("aria-expanded", `${!isCollapsed}`);
    if (isCollapsed) list.setAttribute("hidden", "until-found");
    else list.removeAttribute("hidden");
  };
  const choose = (isCollapsed: boolean): void => {
    if (isCollapsed) collapsed.add(address);
    else collapsed.delete(address);
    show(isCollapsed);
  };
  button.addEventListener("click", () => choose(!list.hasAttribute("hidden")));
  // The browser's own search opens it.
  list.addEventListener("beforematch", () => choose(false));
  show(query === "" && collapsed.has(address));
  return button;
}

function valueRow(value: ExplainedValue, view: TreeView, toggle: HTMLElement | undefined): HTMLElement {
  const { path, by, at } = value;
  const address = valueAddress(view.address, path);
  const key = link(address, { class: "key", title: "Link to this value" }, keyText(path, view));
  const content = value.rule === undefined ? contentOf(value, view) : ruledContentOf(value, view);
  const text = element("b", textClass(value), content);
  return originRow("won", path.length, [toggle, key, ": ", text], { by, at }, view);
}

function overRow(value: ExplainedValue, over: OverriddenValue, view: TreeView): HTMLElement {
  const remark = noteOf(value, over);
  const text = element("del", textClass(over), contentOf(over, view));
  const what = ["over ", text, remark === "" ? undefined : note(` ${remark}`)];
  return originRow("over", value.path.length + 1, what, over, view);
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

function row(depth: number, what: readonly Child[], name = "row", from: readonly Child[] = []): HTMLElement {
  const cell = element("span", { class: "what" }, ...what);
  const made = element("div", { class: name }, cell, ...from);
  made.style.setProperty("--depth", `${Math.max(0, depth - 1)}`);
  return made;
}

/** A row with a layer lights up with all others of that layer. */
function originRow(
  name: "won" | "over",
  depth: number,
  what: readonly Child[],
  { by, at }: { readonly by: string; readonly at?: ExplainedValue["at"] },
  view: TreeView,
): HTMLElement {
  const look = view.lookOf(by);
  const place = placed(placeText(at, view.layers.get(by)), view.query, view.hrefOf(at));
  const made = row(depth, what, `row ${name} ${look}`, [badge(by, ""), place]);
  made.setAttribute("data-layer", by);
  return made;
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
