// An explanation as text: for every stack its layers, highest first, and its values with their layers and what they
// override.
import type {
  ExplainedLayer,
  ExplainedStack,
  ExplainedTarget,
  ExplainedValue,
  Explanation,
  OverriddenValue,
} from "../explanation.ts";
import { count } from "../core/index.ts";
import { legible } from "../report/index.ts";
import { pathText } from "../merge/index.ts";
import { cloneText } from "./clone.ts";
import { type Cell, columns } from "./columns.ts";
import { hidden, linesOf } from "./block.ts";
import { isForFold, kindText, notesOf } from "./notes.ts";
import { painted, plain, type Paint } from "./paint.ts";
import { placeText } from "./places.ts";
import { canFold, isOfFiles } from "./titles.ts";
import { objectText } from "../object-id.ts";

export interface ViewOptions {
  readonly colour: boolean;
  /** Of the terminal: what is too long for it is shortened. */
  readonly width?: number | undefined;
  /** True for the settings, and for comments of the chart's defaults. */
  readonly isVerbose?: boolean;
}

export function renderText({ targets }: Explanation, options: ViewOptions): string {
  return targets.map((target) => new TargetView(target, options).text()).join("\n");
}

const widestValue = 56;

class TargetView {
  private readonly target: ExplainedTarget;
  private readonly paint: Paint;
  private readonly isVerbose: boolean;
  private readonly width: number | undefined;
  private readonly byId: ReadonlyMap<string, ExplainedLayer>;

  constructor(target: ExplainedTarget, { colour, isVerbose = false, width }: ViewOptions) {
    this.target = target;
    this.paint = colour ? painted : plain;
    this.isVerbose = isVerbose;
    this.width = width;
    this.byId = new Map(target.stacks.flatMap(({ layers }) => layers.map((layer) => [layer.id, layer])));
  }

  text(): string {
    const { target, paint, isVerbose } = this;
    const { settings } = target;
    const shown = !isVerbose || settings === undefined ? [] : [`  settings ${legible(settings)}`];
    const at = target.at === undefined ? "" : `  ${paint.dim(legible(placeText(target.at, "")))}`;
    const stacks = target.stacks.flatMap((stack) => [...this.stackLines(stack), ""]);
    const clone = target.clone === undefined ? [] : [`  ${legible(cloneText(target.clone))}`];
    const build = target.build === undefined ? "" : `${target.build}: `;
    const head = isOfFiles(target) ? [] : [`${paint.bold(legible(`${build}${objectText(target)}`))}${at}`];
    return [...head, ...shown, ...clone, ...stacks.slice(0, -1)].map((line) => `${line}\n`).join("");
  }

  private stackLines(stack: ExplainedStack): string[] {
    const { paint } = this;
    const head = isOfFiles(this.target)
      ? this.filesHead(stack)
      : canFold(this.target)
        ? this.stackHead(stack)
        : this.sourceHead(stack);
    const rows = stack.layers.toReversed().map((layer) => this.layerCells(layer, stack));
    const layers = columns(rows, { width: this.width });
    const apart = (isForFold(stack) ? stack.splits : []).flatMap(({ below, above, reason, cure }) => [
      `  ${paint.warn(`${below} | ${above} not folded`)}: ${legible(reason)}`,
      ...(cure === "" ? [] : [`      ${paint.dim(legible(cure))}`]),
    ]);
    const earlier = stack.layers.flatMap(({ id, foldedFrom }) =>
      foldedFrom === undefined ? [] : [`  ${id} was folded earlier, from ${legible(foldedFrom.join(", "))}`],
    );
    const replaced = stack.layers.flatMap(({ id, replaces = [] }) =>
      replaces.map((place) => `  ${id} replaces the text in ${legible(placeText(place, ""))}`),
    );
    const values = stack.values.length === 0 ? [] : ["", ...this.valueLines(stack.values)];
    return [head, ...layers, ...replaced, ...earlier, ...apart, ...values, ...this.removedLines(stack)];
  }

  private removedLines({ removed = [] }: ExplainedStack): string[] {
    const { dim } = this.paint;
    const rows = removed.map(({ path, at, text = hidden, was }): Cell[] => [
      { text: `  ${legible(pathText(path))}` },
      { text: `removed by ${placeText(at, "a patch")}`, holds: "place" },
      { text: `was ${text}`, paint: dim },
      { text: placeText(was, ""), paint: dim, holds: "place" },
    ]);
    return rows.length === 0 ? [] : ["", ...columns(rows, { most: widestValue, width: this.width })];
  }

  private stackHead(stack: ExplainedStack): string {
    const { paint } = this;
    const name = stack.key === undefined ? `${stack.kind ?? "values"} stack` : `key ${stack.key}`;
    const into = stack.runs.map((run) => run.into);
    const folds = into.length === 0 ? "nothing folds" : `folds into ${into.join(", ")}`;
    const result = isForFold(stack) ? `: ${legible(folds)}` : "";
    return `${paint.bold(legible(name))}${result}${paint.dim("; highest first")}`;
  }

  private filesHead({ layers }: ExplainedStack): string {
    const files = layers.filter(({ why }) => why === "file");
    const over = files.length === layers.length ? "" : " over a chart";
    return `${this.paint.bold(count(files.length, "values file") + over)}${this.paint.dim("; highest first")}`;
  }

  private sourceHead({ source }: ExplainedStack): string {
    const name = source === undefined ? "values" : `values of ${source}`;
    return `${this.paint.bold(legible(name))}${this.paint.dim("; highest first")}`;
  }

  private layerCells(layer: ExplainedLayer, stack: ExplainedStack): Cell[] {
    const { paint } = this;
    // Its name is its place.
    const isFile = layer.why === "file" || (layer.name !== undefined && layer.name === layer.at?.file);
    return [
      { text: `  ${layer.id}`, paint: (text) => paint.layer(layer.id, text) },
      { text: canFold(this.target) && layer.why !== "chart" ? String(layer.priority ?? "top") : "" },
      { text: nameOf(layer) },
      { text: isFile ? "" : placeText(layer.at, ""), holds: "place" },
      { text: layer.why === "file" ? "" : reasonOf(layer) },
      { text: stateOf(layer, isForFold(stack)), ...(layer.state === "folded" ? {} : { paint: paint.warn }) },
      { text: countsOf(layer), paint: paint.dim },
    ];
  }

  private valueLines(values: readonly ExplainedValue[]): string[] {
    const commentOf = ({ comment }: ExplainedValue): string[] =>
      this.isVerbose && comment !== undefined ? [`# ${comment}`] : [];
    const rows = valueRows(values, (each, effect) => [this.origin(each, effect)], this.paint, commentOf);
    return columns(rows, { most: widestValue, width: this.width });
  }

  private origin(
    { by, at }: { readonly by: string; readonly at?: ExplainedTarget["at"] },
    effect = "",
  ): Cell {
    const layer = this.byId.get(by);
    const named =
      layer === undefined ? "" : `${layer.kind ?? "?"}/${layer.name ?? "?"} ${layer.key ?? ""}`.trimEnd();
    const place = layer?.kind === undefined ? placeText(at, layer?.slot ?? "") : placeText(at, named);
    return { text: `${by} ${place}${effect}`, paint: (text) => this.paint.layer(by, text), holds: "place" };
  }
}

/** Values as lines of YAML, with notes and what each overrides below it. @param originOf what is said of where one is set */
export function valueRows(
  values: readonly ExplainedValue[],
  originOf: (each: ExplainedValue | OverriddenValue, effect?: string) => Cell[],
  { dim }: Paint,
  commentOf: (value: ExplainedValue) => readonly string[] = () => [],
): Cell[][] {
  return linesOf(values).flatMap(({ text, value, depth }): Cell[][] => {
    if (value === undefined) return [[{ text }]];
    const kind = kindText(value);
    const under = `${"  ".repeat(depth)}  `;
    return [
      [{ text: kind === "" ? text : `${text} ${kind}`, holds: "value" }, ...originOf(value)],
      ...[...commentOf(value), ...notesOf(value)].map((note) => [
        { text: `${under}${legible(note)}`, paint: dim },
      ]),
      ...value.over.map((each): Cell[] => [
        { text: `${under}over ${each.text ?? hidden}`, paint: dim, holds: "value" },
        ...originOf(each, effectOf(value, each)),
      ]),
    ];
  });
}

/** What a higher value does to a lower one, where that needs a word. */
export function effectOf(
  winner: ExplainedValue,
  { text, effect }: { readonly text?: string; readonly effect: string },
): string {
  if (effect === "same") return "  the same";
  if (effect === "nulled") return "  taken away";
  const isList = winner.rule !== undefined || winner.text?.startsWith("[") === true;
  return isList && text?.startsWith("[") === true ? "  list replaced whole" : "";
}

/** What a layer is called where its place is beside it. */
export function nameOf({ kind, namespace, name, why, priority }: ExplainedLayer): string {
  if (name !== undefined) return objectText({ kind, name, namespace });
  if (why === "own") return "the target's own values";
  if (why === "patch") return "a patch";
  if (why === "parameter") return "parameters";
  if (why === "chart") return "the chart";
  return why === "catalog" ? "values of the catalog" : `what the platform binds at ${priority ?? "?"}`;
}

function reasonOf({ why, slot, isDefaultPriority, priority }: ExplainedLayer): string {
  const words = {
    reference: slot ?? "reference",
    own: slot ?? "own data",
    parameter: slot ?? "parameters",
    chart: "its defaults",
    platform: "app.unseen",
  } as const;
  const word = why in words ? words[why as keyof typeof words] : why;
  return isDefaultPriority === true && priority !== undefined ? `${word}, default` : word;
}

function stateOf({ state, why, kind, lacks, mark }: ExplainedLayer, folds: boolean): string {
  // A layer above all others cannot fold.
  if ((why === "own" || why === "patch") && kind === undefined) return "";
  if (state === "apart" && !folds) return "";
  switch (state) {
    case "folded":
      return "";
    case "apart":
      return "not folded";
    case "late":
      if (mark !== undefined) return `bound in the cluster (${mark})`;
      return lacks === undefined ? "bound in the cluster" : `has no key ${lacks}`;
    case "unseen":
      return "not seen";
    case "sealed":
      return "encrypted";
    case "unreadable":
      return "cannot be read";
  }
}

function countsOf({ sets, overridden, whole, setsPath }: ExplainedLayer): string {
  if (setsPath !== undefined)
    return `sets ${setsPath} by targetPath${sets === undefined ? ": not among the values below" : ""}`;
  if (whole === true) return "replaces the whole text";
  if (sets === undefined) return "";
  const lost = overridden === undefined || overridden === 0 ? "" : `, ${overridden} of them overridden`;
  return sets === 0 ? "sets nothing" : `sets ${count(sets, "value")}${lost}`;
}
