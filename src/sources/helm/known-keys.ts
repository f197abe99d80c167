// The keys of values that a chart knows: by its defaults, its templates, its schema, and those of its subcharts.
import { isFault, readDocument, Node } from "../../yaml/index.ts";
import { fileDocument } from "../../explain/index.ts";
import type { Chart, ChartFile } from "./chart.ts";
import { isTree, type ValueTree, treeOf } from "./value-tree.ts";

/** What is known of a path: the keys below it, and where one of them is known from. */
export interface KnownPath {
  readonly children: Map<string, KnownPath>;
  /** True where any key may be. */
  isOpen: boolean;
  /** True where a schema refuses all other keys. */
  isClosed: boolean;
  /** Who knows it: a file, perhaps with a line. */
  at: string | undefined;
}

/** What a template reads, as the engine prints it. */
export interface TemplateRead {
  readonly path: readonly string[];
  readonly whole?: boolean;
  readonly file: string;
  readonly line: number;
}

export function knownIn(chart: Chart, reads: ReadonlyMap<Chart, readonly TemplateRead[]>): KnownPath {
  const known = newKnown(undefined);
  addChart(known, chart, reads);
  return known;
}

function newKnown(at: string | undefined): KnownPath {
  return { children: new Map(), isOpen: false, isClosed: false, at };
}

/** @param at where the chart's values are */
function addChart(at: KnownPath, chart: Chart, reads: ReadonlyMap<Chart, readonly TemplateRead[]>): void {
  const { values, dependencies, subcharts } = chart;
  if (values !== undefined) addDefaults(at, defaultsIn(values), values.name);
  for (const each of reads.get(chart) ?? [])
    add(at, each.path, `${each.file}:${each.line}`).isOpen ||= each.whole === true;
  const schema = chart.schema();
  if (schema !== undefined) addSchema(at, plainIn(schema), schema.name);
  // A parent's globals are read by subcharts.
  add(at, ["global"], undefined).isOpen = true;
  for (const { condition, tags, importValues } of dependencies) {
    for (const path of condition.split(",").filter((each) => each.trim() !== ""))
      add(at, path.trim().split("."), undefined);
    if (tags.length > 0) add(at, ["tags"], undefined).isOpen = true;
    // What is imported may be anywhere.
    if (importValues.length > 0) at.isOpen = true;
  }
  for (const { name, alias = name } of dependencies)
    if (!subcharts.some((each) => each.name === name)) add(at, [alias], undefined).isOpen = true;
  for (const each of subcharts) {
    const aliases = dependencies.filter(({ name }) => name === each.name).map(({ alias }) => alias);
    for (const name of aliases.length === 0 ? [each.name] : aliases)
      addChart(add(at, [name ?? each.name], undefined), each, reads);
  }
}

function defaultsIn({ name, bytes }: ChartFile): ValueTree {
  return treeOf(fileDocument(bytes, { name, why: "chart", state: "folded" }).document, 0);
}

function addDefaults(at: KnownPath, tree: ValueTree, file: string): void {
  for (const [key, each] of tree) {
    const child = add(at, [key], file);
    if (isTree(each)) addDefaults(child, each, file);
  }
}

function add(at: KnownPath, path: readonly string[], file: string | undefined): KnownPath {
  let known = at;
  for (const key of path) {
    const child = known.children.get(key) ?? newKnown(file);
    known.children.set(key, child);
    known = child;
  }
  return known;
}

function plainIn({ bytes }: ChartFile): unknown {
  const doc = readDocument(bytes);
  return isFault(doc) ? undefined : new Node(doc).plain(undefined);
}

/** Where only the schema knows a mapping, and allows other keys, any key may be. */
function addSchema(at: KnownPath, schema: unknown, file: string): void {
  const fields = fieldsOf(schema);
  const isNew = at.children.size === 0;
  for (const [key, each] of Object.entries(fieldsOf(fields["properties"])))
    addSchema(add(at, [key], file), each, file);
  const hasOthers = "patternProperties" in fields || "$ref" in fields;
  if (fields["additionalProperties"] === false && !hasOthers) at.isClosed = true;
  else if (isNew) at.isOpen = true;
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}
