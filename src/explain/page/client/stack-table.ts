// The layers of a stack, highest first: who they are, why they are there, and what becomes of them.
import type { ExplainedLayer, ExplainedRun, ExplainedSplit, ExplainedStack } from "../../../explanation.ts";
import { isForFold } from "../../notes.ts";
import { badge, type LookById } from "./badge.ts";
import type { Chapter } from "./book.ts";
import { type Child, element, link, marked, note, placed, prose } from "./dom.ts";
import type { HrefOf } from "./sources.ts";
import { count, isUsualKey, nameOf, placeText, stateTexts, whyOf } from "./words.ts";

export interface StackView {
  readonly lookOf: LookById;
  readonly hrefOf: HrefOf;
  readonly query: string;
  /** Id of the only layer with its values shown. */
  readonly isolated: string | undefined;
  readonly isolate: (id: string) => void;
  readonly sources: Chapter["sources"];
}

const columns = ["Layer", "Priority", "Why", "Values", "Place"];

export function stackTable(stack: ExplainedStack, view: StackView): HTMLElement {
  // Where the order of a list alone decides, there are no priorities to show.
  const unranked = stack.layers.every(({ priority }) => priority === undefined);
  const head = element(
    "tr",
    {},
    ...columns.map((name) => element("th", { scope: "col", class: `cell-${name.toLowerCase()}` }, name)),
  );
  const rows = stack.layers
    .toReversed()
    .flatMap((layer) => [
      layerRow(layer, stack, view),
      ...stack.splits.filter(({ above }) => above === layer.id).map((split) => splitRow(split, view)),
    ]);
  return element(
    "table",
    { class: unranked ? "layers unranked" : "layers", "aria-label": "Layers, highest first" },
    element("thead", {}, head),
    element("tbody", {}, ...rows),
  );
}

/** What becomes one: `C over B over A → shop-folded`. */
export function runLines(runs: readonly ExplainedRun[], view: StackView): HTMLElement | undefined {
  if (runs.length === 0) return undefined;
  const lines = runs.map(({ layers, into }) => {
    const all = layers
      .toReversed()
      .flatMap((id, index) => (index === 0 ? [badgeOf(id, view)] : [" over ", badgeOf(id, view)]));
    return element(
      "li",
      {},
      ...all,
      layers.length === 1 ? " goes into " : " fold into ",
      element("b", {}, into),
    );
  });
  return element("ul", { class: "runs" }, ...lines);
}

function badgeOf(id: string, { lookOf }: StackView): HTMLElement {
  return badge(id, lookOf(id));
}

function layerRow(layer: ExplainedLayer, stack: ExplainedStack, view: StackView): HTMLElement {
  const { id, priority, isDefaultPriority, at, replaces = [] } = layer;
  const look = view.lookOf(id);
  const cells: Child[][] = [
    [
      priority === undefined ? "on top" : `${priority}`,
      isDefaultPriority === true ? note(" by default") : undefined,
    ],
    [whyOf(layer)],
    valuesCell(layer, isForFold(stack)),
    [
      placed(placeText(at, layer), view.query, view.hrefOf(at)),
      ...replaces.flatMap((each) => [
        note(" replaces the text in "),
        placed(placeText(each), view.query, view.hrefOf(each)),
      ]),
    ],
  ];
  const attributes = {
    class: id === view.isolated ? `${look} isolated` : look,
    "data-layer": id,
  };
  const rest = cells.map((cell, index) =>
    element("td", { class: `cell-${(columns[index + 1] ?? "").toLowerCase()}` }, ...cell),
  );
  return element("tr", attributes, element("th", { scope: "row" }, ...nameCell(layer, stack, view)), ...rest);
}

function nameCell(layer: ExplainedLayer, stack: ExplainedStack, view: StackView): Child[] {
  const { id, kind, key, foldedFrom } = layer;
  const name = kind === undefined || kind === stack.kind ? nameOf(layer) : `${kind}/${nameOf(layer)}`;
  const label = element("span", { class: "name" }, marked(name, view.query));
  const { address = "", chapters = [] } = view.sources.get(id) ?? {};
  const targets = chapters.length;
  // What the others change is not known.
  const isKnown = layer.sets !== undefined && layer.sets > 0;
  const text = targets === 1 ? "what it changes" : `in ${count(targets, "target")}`;
  return [
    isolating(layer, label, view),
    isUsualKey(key) ? undefined : note(` ${key}`),
    " ",
    isKnown || targets > 1
      ? link(
          address,
          { class: "elsewhere", "aria-label": `${name}: what it changes in ${count(targets, "target")}` },
          text,
        )
      : undefined,
    foldedFrom === undefined
      ? undefined
      : element("div", { class: "note" }, `folded before from ${foldedFrom.join(", ")}`),
  ];
}

/** A layer without known values has none to be shown alone. */
function isolating({ id, sets }: ExplainedLayer, label: HTMLElement, view: StackView): HTMLElement {
  if (sets === undefined || sets === 0) return element("span", { class: "layer" }, badgeOf(id, view), label);
  const isPressed = id === view.isolated;
  const title = isPressed ? "Show the values of all layers" : "Show only the values of this layer";
  const button = element("button", { type: "button", class: "layer", "aria-pressed": `${isPressed}`, title });
  button.append(badgeOf(id, view), label);
  button.addEventListener("click", () => view.isolate(id));
  return button;
}

function valuesCell(
  { kind, why, state, lacks, mark, sets, overridden = 0, secret }: ExplainedLayer,
  folds: boolean,
): Child[] {
  // The target's own values are on top, and are never folded.
  const isOwn = (why === "own" || why === "patch") && kind === undefined;
  const shown = isOwn || (state === "apart" && !folds) ? undefined : stateTexts[state];
  const counts =
    sets === undefined ? "" : `sets ${sets}${overridden === 0 ? "" : `, ${overridden} of them overridden`}`;
  return [
    counts === "" ? undefined : element("span", { class: "counts" }, `${counts} `),
    shown === undefined ? undefined : element("span", { class: `state ${state}` }, shown.name),
    shown === undefined ? undefined : note(` ${lateReason(lacks, mark) ?? shown.meaning}`),
    secret === true && shown === undefined ? note(" secret") : undefined,
  ];
}

function lateReason(lacks: string | undefined, mark: string | undefined): string | undefined {
  if (mark !== undefined) return `${mark}: the cluster may have other values`;
  return lacks === undefined ? undefined : `in the list, without the key ${lacks}`;
}

function splitRow({ below, above, reason, cure }: ExplainedSplit, view: StackView): HTMLElement {
  const cell = element("td", { colspan: `${columns.length}` });
  cell.append(
    badgeOf(above, view),
    " does not fold over ",
    badgeOf(below, view),
    ": ",
    prose(reason),
    element("div", { class: "cure" }, prose(cure)),
  );
  return element("tr", { class: "split" }, cell);
}
