// A chart → the chart as it is deployed with some values: aliases, conditions and tags decide which subcharts there are, and
// `import-values` bring some of their values into their parents.
import { satisfies } from "semver";
import type { Chart, Dependency } from "./chart.ts";
import { addMembers, coalesced, type HelmVersion, type LiveChart } from "./coalesce.ts";
import { copied, isTree, memberAt, under, type ValueTree } from "./value-tree.ts";

/** A chart at one place: under an alias it may be at several. */
export interface ChartInstance extends LiveChart {
  readonly chart: Chart;
  /** The keys down to its values, from the topmost chart. */
  readonly path: readonly string[];
  /** The number of the document with its defaults. */
  readonly document: number;
  subcharts: readonly ChartInstance[];
  /** What it imports of them. */
  imports: readonly Imports[];
}

interface Imports {
  /** The subchart's alias, once aliases were looked at. */
  readonly name: string;
  readonly values: Dependency["importValues"];
}

/** A chart's defaults as a document. */
export interface Defaults {
  readonly number: number;
  readonly tree: ValueTree;
}

/** Makes the document of a chart at a place. */
export type AddDefaults = (chart: Chart, path: readonly string[]) => Defaults;

/** @param given what is set over the defaults */
export function deployed(chart: Chart, given: ValueTree, helm: HelmVersion, add: AddDefaults): ChartInstance {
  const instance = instanceOf(chart, "", [], add);
  enable(instance, given, "", { helm, add });
  importValues(instance, helm);
  return instance;
}

interface Enabling {
  readonly helm: HelmVersion;
  readonly add: AddDefaults;
}

function instanceOf(chart: Chart, name: string, path: readonly string[], add: AddDefaults): ChartInstance {
  const { number, tree } = add(chart, path);
  return {
    chart,
    name,
    path,
    document: number,
    values: tree,
    subcharts: chart.subcharts.map((each) => instanceOf(each, each.name, [...path, each.name], add)),
    imports: chart.dependencies.map((each) => ({ name: each.name, values: each.importValues })),
  };
}

/** Without dependencies nothing is looked at, below it neither. Subcharts that no dependency names stay; others are there once for each that names them, and that is not disabled. */
function enable(own: ChartInstance, given: ValueTree, start: string, { helm, add }: Enabling): void {
  const { subcharts, path } = own;
  const { dependencies } = own.chart;
  if (dependencies.length === 0) return;
  const isNamed = ({ chart }: ChartInstance, { name, version }: Dependency): boolean =>
    chart.name === name && isInRange(chart.version, version);
  const others = subcharts.filter((each) => !dependencies.some((dependency) => isNamed(each, dependency)));
  const named = dependencies.flatMap((dependency): ChartInstance[] => {
    const found = subcharts.find((each) => isNamed(each, dependency));
    const name = nameOf(dependency);
    if (found === undefined) return [];
    return [name === found.name ? found : instanceOf(found.chart, name, [...path, name], add)];
  });
  own.subcharts = [...others, ...named];
  const values = coalesced(own, copied(given), { helm, keepsNulls: false });
  const isEnabled = (each: Dependency): boolean =>
    conditionIn(each, values, start) ?? isTagged(each, values) ?? true;
  own.imports = dependencies
    .filter(isEnabled)
    .map((each) => ({ name: nameOf(each), values: each.importValues }));
  const disabled = new Set(dependencies.filter((each) => !isEnabled(each)).map(nameOf));
  own.subcharts = own.subcharts.filter(({ name }) => !disabled.has(name));
  for (const each of own.subcharts) enable(each, values, `${start}${each.name}.`, { helm, add });
}

function nameOf({ name, alias = name }: Dependency): string {
  return alias;
}

/** The first of its conditions that is a boolean. */
function conditionIn({ condition }: Dependency, values: ValueTree, start: string): boolean | undefined {
  const found = condition
    .trim()
    .split(",")
    .filter((each) => each !== "")
    .map((each) => memberAt(values, `${start}${each}`.split(".")));
  return found.flatMap((each) => (each === undefined || isTree(each) ? [] : (each.isTrue ?? [])))[0];
}

/** One tag that is true is enough. */
function isTagged({ tags }: Dependency, values: ValueTree): boolean | undefined {
  const all = values.get("tags");
  const said = tags.flatMap((tag) => {
    const found = isTree(all) ? all.get(tag) : undefined;
    return found === undefined || isTree(found) ? [] : (found.isTrue ?? []);
  });
  return said.length === 0 ? undefined : said.includes(true);
}

/** As Helm reads ranges: a comma is an "and". */
function isInRange(version: string, range: string): boolean {
  return version === range || satisfies(version, range.replaceAll(",", " "), { loose: true });
}

/** Below what the parent sets itself. As in Helm, nothing but an empty mapping is copied: a second import may change the first. */
function importValues(own: ChartInstance, helm: HelmVersion): void {
  for (const each of own.subcharts) importValues(each, helm);
  if (own.imports.length === 0) return;
  const keeping = { helm, keepsNulls: true };
  const values = coalesced(own, new Map(), keeping);
  const imported: ValueTree = new Map();
  for (const { name, values: all } of own.imports)
    for (const { child, parent } of all.flatMap(importOf)) {
      const found = memberAt(values, [name, ...child.split(".")]);
      if (!isTree(found)) continue;
      const keys = parent === "." ? [] : parent.split(".");
      const given = found.size === 0 ? copied(found) : found;
      addMembers(imported, under(keys, given), keeping);
    }
  own.values = addMembers(copied(values), imported, keeping);
}

function importOf(plain: unknown): { readonly child: string; readonly parent: string }[] {
  if (typeof plain === "string") return [{ child: `exports.${plain}`, parent: "." }];
  const fields: Readonly<Record<string, unknown>> =
    typeof plain === "object" && plain !== null ? { ...plain } : {};
  const { child, parent } = fields;
  return typeof child === "string" && typeof parent === "string" ? [{ child, parent }] : [];
}
