// The keys of values that a chart knows: by its defaults, its templates, its schema, and those of its subcharts.
import type { Node } from "../../yaml/index.ts";
import { type ChartFile, fileDocument } from "../../explain/index.ts";
import type { Chart } from "./chart.ts";
import { asFields, plainOfText } from "../plain.ts";
import { remembered } from "../../remembered.ts";

/** What is known of a path: the keys below it, and where one of them is known from. */
export interface KnownPath {
  readonly children: Map<string, KnownPath>;
  /** Who knows it: a file, perhaps with a line. */
  at: string | undefined;
}

/** What a template reads, as the engine prints it. */
export interface TemplateRead {
  readonly path: readonly string[];
  readonly file: string;
  readonly line: number;
}

export function knownIn(chart: Chart, reads: ReadonlyMap<Chart, readonly TemplateRead[]>): KnownPath {
  const known = newKnown(undefined);
  addChart(known, chart, reads);
  return known;
}

function newKnown(at: string | undefined): KnownPath {
  return { children: new Map(), at };
}

/** @param at where the chart's values are */
function addChart(at: KnownPath, chart: Chart, reads: ReadonlyMap<Chart, readonly TemplateRead[]>): void {
  const { values, dependencies, subcharts } = chart;
  const defaults = values && defaultsIn(values);
  if (defaults !== undefined) addDefaults(at, defaults, values?.name ?? "");
  for (const each of reads.get(chart) ?? []) add(at, each.path, `${each.file}:${each.line}`);
  const schema = chart.schema();
  if (schema !== undefined) addSchema(at, plainOfText(schema.bytes), schema.name);
  for (const { condition } of dependencies)
    for (const path of condition.split(",").filter((each) => each.trim() !== ""))
      add(at, path.trim().split("."), undefined);
  for (const { name, alias = name } of dependencies) add(at, [alias], undefined);
  for (const each of subcharts) {
    const aliases = dependencies.filter(({ name }) => name === each.name).map(({ alias }) => alias);
    for (const name of aliases.length === 0 ? [each.name] : aliases)
      addChart(add(at, [name ?? each.name], undefined), each, reads);
  }
}

function defaultsIn({ name, bytes }: ChartFile): Node | undefined {
  return fileDocument(bytes, { name, why: "chart", state: "folded" }).document.root;
}

function addDefaults(at: KnownPath, mapping: Node, file: string): void {
  for (const [key, each] of mapping.value.entries()) {
    const child = add(at, [key], file);
    if (each.value.isMapping) addDefaults(child, each, file);
  }
}

function add(at: KnownPath, path: readonly string[], file: string | undefined): KnownPath {
  let known = at;
  for (const key of path) {
    known = remembered(known.children, key, () => newKnown(file));
  }
  return known;
}

function addSchema(at: KnownPath, schema: unknown, file: string): void {
  for (const [key, each] of Object.entries(asFields(asFields(schema)["properties"])))
    addSchema(add(at, [key], file), each, file);
}
