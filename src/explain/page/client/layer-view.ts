// One layer, and everything it changes: value by value, in how many targets it wins, and where it is overridden.
import type { Book, SharedLayer } from "./book.ts";
import { type Child, element, link, marked, note, nothing, placed } from "./dom.ts";
import { type LayerEffect, effectsOf, type Met } from "./effects.ts";
import { Query } from "./search.ts";
import { contentOf, setWidth } from "./values-tree.ts";
import { count, nameOf, placeText } from "./words.ts";

interface LayerView {
  readonly book: Book;
  readonly source: SharedLayer;
  readonly query: string;
}

interface ValueOutcome {
  readonly verb: string;
  /** Between it and the other value: what it is `over`, or what it is overridden `by`. */
  readonly joint: "over" | "by";
}

export function layerView(source: SharedLayer, book: Book, query: string): Child[] {
  const effects = effectsOf(source, query === "" ? undefined : new Query(query));
  const view = { book, source, query };
  const list = element("ul", { class: `effects ${source.look}` });
  list.append(...effects.map((effect) => effectItem(effect, view)));
  setWidth(list, effects.map(lengthOf));
  const empty = query === "" ? "No values of this layer are known." : `None of its values has “${query}”.`;
  return [
    element("h1", {}, source.title),
    element("p", {}, ...placeParts(view)),
    element("p", { class: "shown" }, summaryOf(effects, source)),
    effects.length === 0 ? nothing(empty) : list,
    usesOf(source),
  ];
}

function placeParts({ book, source, query }: LayerView): Child[] {
  const { at } = source.layer;
  const place = placeText(at);
  return [
    source.key === undefined ? undefined : element("span", { class: "place" }, source.key),
    source.key === undefined || place === "" ? undefined : " · ",
    place === "" ? undefined : placed(place, query, book.hrefOf(at)),
  ];
}

function lengthOf({ path, row }: LayerEffect): number {
  return path.join(".").length + (row.text?.length ?? 0);
}

function summaryOf(effects: readonly LayerEffect[], { chapters }: SharedLayer): string {
  const won = effects.reduce((sum, each) => sum + each.won.length, 0);
  const lost = effects.reduce((sum, each) => sum + each.overridden.length, 0);
  return `${count(effects.length, "value")} in ${count(chapters.length, "target")}: wins ${won.toLocaleString("en")} times, overridden ${lost.toLocaleString("en")} times`;
}

function effectItem({ path, row, won, overridden }: LayerEffect, view: LayerView): HTMLElement {
  const { book, source, query } = view;
  const what = element(
    "span",
    { class: "what" },
    element("span", { class: "key" }, marked(path.join("."), query)),
    ": ",
    element("b", { class: "text" }, contentOf(row, view)),
  );
  const place = placed(placeText(row.at, source.layer), query, book.hrefOf(row.at));
  return element(
    "li",
    {},
    element("div", { class: "row" }, what, place),
    ...metLines(won, { verb: "wins in", joint: "over" }, view),
    ...metLines(overridden, { verb: "overridden in", joint: "by" }, view),
  );
}

/** How many targets of a value are shown at once; the others on a click: they may be thousands. */
const few = 3;

function metLines(met: readonly Met[], { verb, joint }: ValueOutcome, view: LayerView): HTMLElement[] {
  const attributes = { class: `met ${joint}` };
  if (met.length <= few)
    return met.map((each) => element("div", attributes, `${verb} `, ...metParts(each, joint, view)));
  const names = new Set(
    met.flatMap(({ other }) => (other?.layer === undefined ? [] : [nameOf(other.layer)])),
  );
  const who = [...names].slice(0, few).join(", ") + (names.size > few ? ", …" : "");
  const others = names.size === 0 ? undefined : note(`, ${joint} ${who}`);
  const summary = element("summary", {}, `${verb} ${count(met.length, "target")}`, others);
  const details = element("details", attributes, summary);
  const fill = (): void => {
    const items = met.map((each) => element("li", {}, ...metParts(each, joint, view)));
    details.append(element("ul", {}, ...items));
  };
  details.addEventListener("toggle", fill, { once: true });
  return [details];
}

function metParts({ chapter, address, other }: Met, joint: ValueOutcome["joint"], view: LayerView): Child[] {
  const target = link(address, {}, chapter.title);
  if (other === undefined) return [target];
  const text = element(joint === "by" ? "b" : "del", { class: "text" }, contentOf(other.row, view));
  const name = other.layer === undefined ? "" : nameOf(other.layer);
  return [target, ` ${joint} `, text, note(` of ${name}`)];
}

function usesOf({ chapters }: SharedLayer): HTMLElement {
  const items = chapters.map(({ address, title }) => element("li", {}, link(address, {}, title)));
  const summary = element("summary", {}, `Used by ${count(items.length, "target")}`);
  const details = element("details", { class: "uses" }, summary, element("ul", {}, ...items));
  details.open = items.length <= 20;
  return details;
}
