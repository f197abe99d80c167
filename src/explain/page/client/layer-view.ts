// One layer, and everything it changes: value by value, in how many targets it wins, and where it is overridden.
import { placeOf } from "../decode.ts";
import type { Row } from "../rows.ts";
import { valueAddress } from "./addresses.ts";
import type { Book, Source } from "./book.ts";
import { roleMark } from "./badge.ts";
import { type Child, element, link, marked, placed } from "./dom.ts";
import { type Effect, effectsOf, type Met } from "./effects.ts";
import type { Marks } from "./search.ts";
import { nothing } from "./target-view.ts";
import { setWidth } from "./values-tree.ts";
import { count, nameOf, placeText } from "./words.ts";

interface LayerView {
  readonly book: Book;
  readonly source: Source;
  readonly query: string;
}

interface Outcome {
  readonly verb: string;
  /** Between it and the other value: what it lies `over`, or what it is overridden `by`. */
  readonly joint: "over" | "by";
}

export function layerView(number: number, book: Book, query: string, marks?: Marks): Child[] {
  const source = book.sources[number];
  if (source === undefined) return [];
  const effects = effectsOf(number, book, marks);
  const view = { book, source, query };
  const role = book.roles.of(source.form);
  const list = element("ul", { class: `effects ${role.look}` });
  list.append(...effects.map((effect) => effectItem(effect, view)));
  setWidth(
    list,
    effects.map((effect) => lengthOf(effect, book)),
  );
  const empty = query === "" ? "No values of this layer are known." : `None of its values has “${query}”.`;
  return [
    element("h1", {}, source.title),
    element("p", {}, roleMark(role), " ", ...placeParts(view)),
    element("p", { class: "shown" }, summaryOf(effects, source)),
    effects.length === 0 ? nothing(empty) : list,
    usesOf(view),
  ];
}

function placeParts({ book, source, query }: LayerView): Child[] {
  const at = book.page.layers[source.form]?.at;
  const place = placeText(at);
  return [
    source.key === undefined ? undefined : element("span", { class: "place" }, source.key),
    source.key === undefined || place === "" ? undefined : " · ",
    place === "" ? undefined : placed(place, query, book.hrefOf(at)),
  ];
}

function lengthOf({ path, row }: Effect, { paths, page }: Book): number {
  return (paths[path] ?? []).join(".").length + (page.strings[row.text - 1]?.length ?? 0);
}

function summaryOf(effects: readonly Effect[], { targets }: Source): string {
  const won = effects.reduce((sum, each) => sum + each.won.length, 0);
  const lost = effects.reduce((sum, each) => sum + each.overridden.length, 0);
  return `${count(effects.length, "value")} in ${count(targets.length, "target")}: wins ${won.toLocaleString("en")} times, overridden ${lost.toLocaleString("en")} times`;
}

function effectItem(effect: Effect, view: LayerView): HTMLElement {
  const { book, source, query } = view;
  const path = (book.paths[effect.path] ?? []).join(".");
  const at = placeOf(effect.row, book.page);
  const row = element(
    "div",
    { class: "row" },
    element(
      "span",
      { class: "what" },
      element("span", { class: "key" }, marked(path, query)),
      ": ",
      element("b", { class: "text" }, contentOf(effect.row, view)),
    ),
    placed(placeText(at, book.page.layers[source.form]), query, book.hrefOf(at)),
  );
  return element(
    "li",
    {},
    row,
    ...metLines(effect.won, { verb: "wins in", joint: "over" }, effect, view),
    ...metLines(effect.overridden, { verb: "overridden in", joint: "by" }, effect, view),
  );
}

/** How many targets of a value are shown at once; the others on a click: they may be thousands. */
const few = 3;

function metLines(
  met: readonly Met[],
  { verb, joint }: Outcome,
  effect: Effect,
  view: LayerView,
): HTMLElement[] {
  const attributes = { class: `met ${joint}` };
  if (met.length <= few)
    return met.map((each) => element("div", attributes, `${verb} `, ...metParts(each, joint, effect, view)));
  const names = new Set(
    met.flatMap(({ other }) => (other === undefined ? [] : [formName(other.form, view.book)])),
  );
  const who = [...names].slice(0, few).join(", ") + (names.size > few ? ", …" : "");
  const note = names.size === 0 ? undefined : element("span", { class: "note" }, `, ${joint} ${who}`);
  const summary = element("summary", {}, `${verb} ${count(met.length, "target")}`, note);
  const details = element("details", attributes, summary);
  const fill = (): void => {
    const items = met.map((each) => element("li", {}, ...metParts(each, joint, effect, view)));
    details.append(element("ul", {}, ...items));
  };
  details.addEventListener("toggle", fill, { once: true });
  return [details];
}

function metParts({ target, stack, other }: Met, joint: string, { path }: Effect, view: LayerView): Child[] {
  const { book } = view;
  const chapter = book.targets[target];
  const address = valueAddress(chapter?.stacks[stack]?.address ?? "", book.paths[path] ?? []);
  const parts: Child[] = [link(address, {}, chapter?.title ?? "")];
  if (other === undefined) return parts;
  const text = element(joint === "by" ? "b" : "del", { class: "text" }, contentOf(other.row, view));
  return [
    ...parts,
    ` ${joint} `,
    text,
    element("span", { class: "note" }, ` of ${formName(other.form, book)}`),
  ];
}

function usesOf({ book, source }: LayerView): HTMLElement {
  const items = source.targets.map((target) => {
    const chapter = book.targets[target];
    return element("li", {}, link(chapter?.address ?? "", {}, chapter?.title ?? ""));
  });
  const summary = element("summary", {}, `Used by ${count(items.length, "target")}`);
  const details = element("details", { class: "uses" }, summary, element("ul", {}, ...items));
  details.open = items.length <= 20;
  return details;
}

function formName(form: number, { page }: Book): string {
  const found = page.layers[form];
  return found === undefined ? "" : nameOf(found);
}

function contentOf({ text, mapping }: Row, { book, query }: LayerView): Child {
  if (text !== 0) return marked(book.page.strings[text - 1] ?? "", query);
  return mapping ? "(mapping)" : "(secret)";
}
