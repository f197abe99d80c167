// Keys of given values that no default and no template of a chart knows: nothing reads them. What cannot be known counts as known.
import { type Diagnostic, slipOf } from "../../diagnostic.ts";
import { positionOf, type StackDocument } from "../../explain/index.ts";
import { renderTemplates } from "../../render/index.ts";
import type { Chart, ChartFile } from "./chart.ts";
import { fileDocument } from "../../explain/index.ts";
import { isTree, leavesIn, type Tree, treeOf } from "./value-tree.ts";

/** What is known of a path: the keys below it, and where one of them is known from. */
interface Known {
  readonly children: Map<string, Known>;
  /** True where any key may be. */
  isOpen: boolean;
  /** Who knows it: a file, perhaps with a line. */
  at: string | undefined;
}

/** @param given the documents over the chart */
export async function unknownKeys(
  chart: Chart,
  given: readonly StackDocument[],
): Promise<readonly Diagnostic[]> {
  const reads = await readsOf(chart);
  const known = newKnown(undefined);
  addChart(known, chart, reads);
  return given.flatMap((document, number) => unknownIn(document, number, { chart, known }));
}

function newKnown(at: string | undefined): Known {
  return { children: new Map(), isOpen: false, at };
}

/** As the engine prints it. */
interface Read {
  readonly path: readonly string[];
  readonly whole?: boolean;
  readonly file: string;
  readonly line: number;
}

/** What the templates of each chart read. */
async function readsOf(chart: Chart): Promise<ReadonlyMap<Chart, readonly Read[]>> {
  const charts = allOf(chart);
  const own = charts.map((each) => each.templates().filter(isTemplate));
  const files = new Map(own.flat().map(({ name, bytes }) => [name, Buffer.from(bytes).toString("utf8")]));
  const templates = own.map((all) => ({
    file: chart.shown,
    text: JSON.stringify(all.map(({ name }) => name)),
    values: "{}",
  }));
  const rendered = await renderTemplates({
    task: "reads",
    includes: new Map(),
    functions: new Map([["files", files]]),
    templates,
  });
  return new Map(
    charts.map((each, index) => {
      const answer = rendered[index];
      const isRead = answer !== undefined && "text" in answer;
      // Without an answer everything may be read.
      const all: readonly Read[] = isRead
        ? (JSON.parse(answer.text) as readonly Read[])
        : [{ path: [], whole: true, file: "", line: 0 }];
      return [each, all];
    }),
  );
}

function allOf(chart: Chart): readonly Chart[] {
  return [chart, ...chart.subcharts.flatMap(allOf)];
}

function isTemplate({ name }: ChartFile): boolean {
  return /\.(?:ya?ml|tpl|txt|json)$/.test(name);
}

/** @param at where the chart's values are */
function addChart(at: Known, chart: Chart, reads: ReadonlyMap<Chart, readonly Read[]>): void {
  const { values, dependencies, subcharts } = chart;
  if (values !== undefined) addDefaults(at, defaultsIn(values), values.name);
  for (const each of reads.get(chart) ?? [])
    add(at, each.path, `${each.file}:${each.line}`).isOpen ||= each.whole === true;
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

function defaultsIn({ name, bytes }: ChartFile): Tree {
  return treeOf(fileDocument(bytes, { name, why: "chart", state: "folded" }).document, 0);
}

function addDefaults(at: Known, tree: Tree, file: string): void {
  for (const [key, each] of tree) {
    const child = add(at, [key], file);
    if (isTree(each)) addDefaults(child, each, file);
  }
}

function add(at: Known, path: readonly string[], file: string | undefined): Known {
  let known = at;
  for (const key of path) {
    const child = known.children.get(key) ?? newKnown(file);
    known.children.set(key, child);
    known = child;
  }
  return known;
}

interface Checking {
  readonly chart: Chart;
  readonly known: Known;
}

function unknownIn(document: StackDocument, number: number, { chart, known }: Checking): Diagnostic[] {
  const found = new Map<string, Diagnostic>();
  // Places in a Secret would show how long its values are.
  if (document.isSecret) return [];
  for (const { path, leaf } of leavesIn(treeOf(document, number))) {
    const end = endOf(path, known);
    const at = leaf?.value.at ?? document.at();
    if (end === undefined) continue;
    const shown = path.slice(0, end.length).join(".");
    const [key = ""] = path.slice(end.length - 1);
    const near = nearOf(key, end.known);
    const hint =
      near === undefined
        ? "remove it, or correct it"
        : `it reads \`${near}\`${end.known.children.get(near)?.at === undefined ? "" : `, ${end.known.children.get(near)?.at}`}`;
    if (!found.has(shown))
      found.set(shown, {
        code: near === undefined ? "unread-key" : "unknown-key",
        severity: "warning",
        message: `the chart \`${chart.name}\` reads no \`${shown}\``,
        hint,
        ...(at && { at: positionOf(at) }),
      });
  }
  return [...found.values()];
}

/** Where a path leaves what is known: how many keys it has there, and what is known above; undefined if it does not. */
function endOf(
  path: readonly string[],
  known: Known,
): { readonly length: number; readonly known: Known } | undefined {
  let at = known;
  for (const [index, key] of path.entries()) {
    // Nothing is known of what is in it: a mapping that the user fills.
    if (at.isOpen || at.children.size === 0) return undefined;
    const next = at.children.get(key) ?? at.children.get("*");
    if (next === undefined) return { length: index + 1, known: at };
    at = next;
  }
  return undefined;
}

/** The same key in another spelling, or one that differs in a letter or two. */
function nearOf(key: string, { children }: Known): string | undefined {
  const others = [...children.keys()].filter((each) => each !== "*");
  return others.find((each) => plainly(each) === plainly(key)) ?? slipOf(key, others);
}

function plainly(key: string): string {
  return key.toLowerCase().replaceAll(/[-_.]/g, "");
}
