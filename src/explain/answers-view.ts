// The answer to a question about a path: each value with the line that sets it, and what it overrides. Builds with the same answer
// share it. Layers that take no part are left to the whole view.
import type {
  ExplainedLayer,
  ExplainedStack,
  ExplainedTarget,
  ExplainedValue,
  Explanation,
  OverriddenValue,
} from "../explanation.ts";
import { legible } from "../report/index.ts";
import { pathText } from "../merge/index.ts";
import { type Cell, columns, type TableLayout } from "./columns.ts";
import { hidden } from "./block.ts";
import { kindText, notesOf } from "./notes.ts";
import { painted, type Paint, plain } from "./paint.ts";
import { placeText } from "./places.ts";
import { isOfFiles } from "./titles.ts";
import { effectOf, nameOf, valueRows, type ViewOptions } from "./view.ts";
import { grouped } from "../grouped.ts";
import { usualDataKeys } from "../kinds.ts";
import { objectText } from "../object-id.ts";
import { unknownWords } from "./overview.ts";

const widestValue = 56;
const over = "over";

/** @param path as it was asked for */
export function renderAnswers(
  { targets }: Explanation,
  { colour, width, path }: ViewOptions & { readonly path: string },
): string {
  const paint = colour ? painted : plain;
  const byObject = grouped(targets, (each) => objectText(each));
  const parts = [...byObject.values()].flatMap((own) => {
    const [first] = own;
    const isAlone = [...byObject.keys()].filter((each) => each.endsWith(`/${first?.name}`)).length < 2;
    const name = first === undefined || isOfFiles(first) ? "" : isAlone ? first.name : objectText(first);
    return partsOf(own, { name, path, layout: { most: widestValue, width } }, paint);
  });
  return parts.map((lines) => lines.map((line) => `${line}\n`).join("")).join("\n");
}

/** One of the stacks of a target, in one build. */
interface StackInBuild {
  readonly build: string | undefined;
  readonly stack: ExplainedStack;
}

/** Of each stack that the object has: its answers, below a title. */
function partsOf(
  targets: readonly ExplainedTarget[],
  { name, path, layout }: { readonly name: string; readonly path: string; readonly layout: TableLayout },
  paint: Paint,
): readonly (readonly string[])[] {
  const all = targets.flatMap(({ build, stacks }) => stacks.map((stack): StackInBuild => ({ build, stack })));
  const bySource = grouped(all, ({ stack }) => stack.source ?? stack.kind ?? "");
  return [...bySource].map(([source, own]) => {
    const isTable = own.every(isShort);
    const paths = new Set(own.flatMap(({ stack }) => stack.values.map((each) => pathText(each.path))));
    const [only = path] = paths;
    const words = [name, isTable && paths.size === 1 ? only : path, bySource.size === 1 ? "" : `(${source})`];
    const head = paint.bold(legible(words.filter((each) => each !== "").join(" ")));
    return [head, ...(isTable ? table(own, layout, paint) : blocks(own, layout, paint))];
  });
}

/** True for one value that fits into a line. */
function isShort({ stack: { values, removed = [] } }: StackInBuild): boolean {
  const [only, second] = values;
  if (only === undefined || second !== undefined || removed.length > 0 || only.mapping === true) return false;
  return [only, ...only.over].every(({ text = hidden }) => text.length <= widestValue);
}

/** Each answer on lines of its own, with the builds in front. */
function table(all: readonly StackInBuild[], layout: TableLayout, paint: Paint): string[] {
  const answers = sharedBy(all, ({ stack }) => rowsOf(stack, shortRows(stack, paint), paint));
  const width = Math.max(over.length, ...answers.map(({ builds }) => buildsText(builds).length));
  const rows = answers.flatMap(({ builds, rows: shared }) =>
    shared.map(([lead, ...cells], index): Cell[] => {
      const { text: own, paint: as = paint.dim } = lead ?? { text: "" };
      // A note is below the value.
      if (index > 0 && cells.length === 0) return [{ text: `${" ".repeat(width + 4)}${own}`, paint: as }];
      const text = index === 0 ? buildsText(builds).padEnd(width) : own.padStart(width);
      return [{ text: `  ${text}`, ...(index > 0 && { paint: as }) }, ...cells];
    }),
  );
  return columns(saidOnce(rows), layout);
}

/** What is at a place is said where it comes first. */
function saidOnce(rows: readonly Cell[][]): readonly Cell[][] {
  const said = new Set<string>();
  return rows.map((cells) => {
    const [lead, text, place, label] = cells;
    if (lead === undefined || text === undefined || place === undefined || label === undefined) return cells;
    const id = `${place.text} ${label.text}`;
    const isSaid = said.has(id);
    said.add(id);
    return isSaid ? [lead, text, place] : cells;
  });
}

function shortRows({ values: [value], layers }: ExplainedStack, paint: Paint): Cell[][] {
  if (value === undefined) return [];
  const kind = kindText(value);
  const text = value.text ?? hidden;
  return [
    [
      { text: "" },
      { text: kind === "" ? text : `${text} ${kind}`, holds: "value" },
      ...originCells(value, layers, paint),
    ],
    ...notesOf(value).map((note) => [{ text: note, paint: paint.dim }]),
    ...value.over.map((each): Cell[] => [
      { text: over },
      { text: each.text ?? hidden, paint: paint.dim, holds: "value" },
      ...originCells(each, layers, paint, effectOf(value, each)),
    ]),
  ];
}

/** Values as lines of YAML, below the builds that have them. */
function blocks(all: readonly StackInBuild[], layout: TableLayout, paint: Paint): string[] {
  return sharedBy(all, ({ stack }) => rowsOf(stack, treeRows(stack, paint), paint)).flatMap(
    ({ builds, rows }, index) => {
      const text = buildsText(builds);
      const head = text === "" ? [] : [...(index === 0 ? [] : [""]), `  ${paint.dim(text)}`];
      const indent = text === "" ? "  " : "    ";
      const width = layout.width === undefined ? undefined : layout.width - indent.length;
      return [...head, ...columns(rows, { ...layout, width }).map((line) => indent + line)];
    },
  );
}

function treeRows({ values, layers, removed = [] }: ExplainedStack, paint: Paint): Cell[][] {
  const rows = valueRows(values, (each, effect) => originCells(each, layers, paint, effect), paint);
  const gone = removed.map(({ path, at, text = hidden, was }): Cell[] => [
    { text: `${pathText(path)}: removed` },
    { text: placeText(at, "a patch"), holds: "place" },
    { text: `was ${text}  ${placeText(was, "")}`, paint: paint.dim },
  ]);
  return [...rows, ...gone];
}

/** With the layers above the values of which no value is known: they may override these. */
function rowsOf({ layers, values }: ExplainedStack, rows: Cell[][], paint: Paint): Cell[][] {
  const lowest = Math.min(...values.map(({ by }) => layers.findIndex(({ id }) => id === by)));
  const above = layers
    .slice(Math.max(lowest, 0))
    .flatMap((layer) =>
      layer.state in unknownWords
        ? { layer, why: unknownWords[layer.state as keyof typeof unknownWords] }
        : [],
    );
  const notes = [...grouped(above, ({ why }) => why)].map(([why, all]) => {
    const names = all.map(({ layer }) => nameOf(layer)).join(", ");
    return [{ text: `  may be overridden by ${names}: ${why}`, paint: paint.warn }];
  });
  return [...rows, ...notes];
}

/** Where a value is, and what that is. */
function originCells(
  { by, at }: ExplainedValue | OverriddenValue,
  layers: readonly ExplainedLayer[],
  paint: Paint,
  effect = "",
): Cell[] {
  const layer = layers.find(({ id }) => id === by);
  const own = layer === undefined ? "" : labelOf(layer);
  const place = placeText(at, own);
  const label = place.includes(own) || layer?.why === "file" ? "" : own;
  const words = [label, effect.trim()].filter((each) => each !== "");
  return [
    { text: place, paint: (text) => paint.layer(by, text), holds: "place" },
    { text: words.join("; "), paint: paint.dim },
  ];
}

function labelOf(layer: ExplainedLayer): string {
  const { why, slot, name, key } = layer;
  if (why === "chart") return "the chart's default";
  if (name === undefined && (why === "own" || why === "parameter")) return slot ?? nameOf(layer);
  return key === undefined || usualDataKeys.includes(key) ? nameOf(layer) : `${nameOf(layer)} ${key}`;
}

interface SharedAnswer {
  readonly builds: readonly string[];
  readonly rows: readonly Cell[][];
}

/** The different answers, each with its builds. */
function sharedBy(all: readonly StackInBuild[], rowsIn: (each: StackInBuild) => Cell[][]): SharedAnswer[] {
  const answers = grouped(
    all.map((each) => ({ build: each.build, rows: rowsIn(each) })),
    ({ rows }) => JSON.stringify(rows.map((cells) => cells.map(({ text }) => text))),
  );
  return [...answers.values()].map((same) => ({
    builds: same.flatMap(({ build }) => build ?? []),
    rows: same[0]?.rows ?? [],
  }));
}

function buildsText([first, ...others]: readonly string[]): string {
  if (first === undefined) return "";
  return others.length === 0 ? first : `${first} and ${others.length} more`;
}
