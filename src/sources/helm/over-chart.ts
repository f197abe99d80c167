// Documents over a chart → the same with the chart's defaults below them, so that merging them one over the other gives what Helm
// computes. What a null takes away is in none of them. Helm's own result decides: if they came to another one, they would be one
// document of its values.
import type { Diagnostic } from "../../diagnostic.ts";
import {
  type ChainValue,
  fileDocument,
  listedDocument,
  type OverChart,
  type StackDocument,
  withValues,
} from "../../explain/index.ts";
import type { RemovedValue } from "../../explanation.ts";
import { notBuilt } from "../not-built.ts";
import type { Chart } from "./chart.ts";
import { commentsIn } from "./comments.ts";
import { deployed, type HelmVersion, type MarkedValue, RefusedValues } from "./deployed.ts";
import {
  isNullLeaf,
  isTree,
  type ValueLeaf,
  leavesIn,
  memberAt,
  overlaid,
  reaches,
  type ValueTree,
  treeOf,
  under,
} from "./value-tree.ts";

/** Asked where the two Helms come to different values. @param matters false where only nulls differ */
export type AskedHelm = (matters: boolean) => HelmVersion;

/** @param given lowest first */
export async function overChart(
  chart: Chart,
  given: readonly StackDocument[],
  helm: HelmVersion | AskedHelm,
): Promise<OverChart> {
  if (typeof helm === "number") return new ChartStack(given, helm).overOrFault(chart);
  const [three, four] = [new ChartStack(given, 3), new ChartStack(given, 4)];
  const over = await four.overOrFault(chart);
  // They differ in nulls, and in subcharts of what has an alias.
  if (!four.hasNulls() && !hasAlias(chart)) return over;
  const other = await three.overOrFault(chart);
  if (isSame(three.result, four.result)) return over;
  const matters = !isSame(...([withoutNulls(three.result), withoutNulls(four.result)] as const));
  return helm(matters) === 4 ? over : other;
}

function hasAlias({ dependencies, subcharts }: Chart): boolean {
  return dependencies.some(({ alias }) => alias !== undefined) || subcharts.some(hasAlias);
}

function withoutNulls(tree: ValueTree): ValueTree {
  const members = [...tree].filter(([, each]) => !isNullLeaf(each));
  return new Map(members.map(([key, each]) => [key, isTree(each) ? withoutNulls(each) : each] as const));
}

/** A document of the stack, with its values as a tree. */
interface DocumentTree {
  readonly document: StackDocument;
  readonly tree: ValueTree;
  /** The keys down to its values. */
  readonly start: readonly string[];
  /** Values that Helm brings to another place. */
  readonly moved: ChainValue[];
}

/** The paths to the values of subcharts, as JSON. */
type Starts = ReadonlySet<string>;

/** A null that leaves nothing. */
interface RemovingNull {
  readonly path: readonly string[];
  readonly leaf: ValueLeaf;
}

/** Aliases at each of some levels make any number of charts of a few files. For each chart all values may be copied. */
const most = { charts: 1000, work: 1e9 };

/** How often a chart and those below it may be deployed, and the bytes of their values. */
function extentOf({ values, subcharts, dependencies }: Chart): { charts: number; bytes: number } {
  const extent = { charts: 1, bytes: values?.bytes.length ?? 0 };
  for (const each of subcharts) {
    const times = Math.max(dependencies.filter(({ name }) => name === each.name).length, 1);
    const { charts, bytes } = extentOf(each);
    extent.charts += times * charts;
    extent.bytes += times * bytes;
  }
  return extent;
}

class ChartStack {
  /** What Helm computes. */
  result: ValueTree = new Map();
  readonly faults: Diagnostic[] = [];
  private readonly helm: HelmVersion;
  private readonly given: readonly StackDocument[];
  /** By their numbers. */
  private readonly parts: DocumentTree[];
  private readonly defaults = new Map<Chart, StackDocument>();
  /** The parts that a chart's defaults are: under aliases it is deployed several times. */
  private readonly places = new Map<Chart, readonly number[]>();

  constructor(given: readonly StackDocument[], helm: HelmVersion) {
    this.given = given;
    this.helm = helm;
    this.parts = given.map((document, number) => ({
      document,
      tree: treeOf(document, number),
      start: [],
      moved: [],
    }));
  }

  hasNulls(): boolean {
    return this.parts.some(({ tree }) => leavesIn(tree).some(({ leaf }) => leaf?.isNull === true));
  }

  async overOrFault(chart: Chart): Promise<OverChart> {
    try {
      return await this.over(chart);
    } catch (error) {
      if (!(error instanceof RefusedValues)) throw error;
      const fault: Diagnostic = { ...notBuilt({ message: error.message }), severity: "error" };
      return { documents: this.given, faults: [...this.faults, fault] };
    }
  }

  private async over(chart: Chart): Promise<OverChart> {
    this.refuseMany(chart);
    const given = this.parts.map(({ tree }) => tree).reduce<ValueTree>(overlaid, new Map());
    const helms = await deployed(chart, (each) => treeOf(this.defaultsOf(each), 0), given, this.helm);
    const numbers = helms.instances.map(({ chart: own, path }) => this.add(own, path));
    // A chart without defaults is no layer. Subcharts are below their parents; of two, the first one gives a value to a parent.
    const charts = numbers.toReversed().filter((number) => this.part(number).document.root !== undefined);
    const order = [...charts, ...this.given.keys()];
    const starts: Starts = new Set(helms.instances.slice(1).map(({ path }) => JSON.stringify(path)));
    const nulls: RemovingNull[] = [];
    const result = helms.values({
      leafAt: (path, marked) => this.leafAt(path, marked),
      // A parent's globals, where a subchart has none of them.
      isLeftOut: (path) => isGlobalIn(path, starts) && !this.parts.some(({ tree }) => reaches(tree, path)),
      onNull: (path, leaf) => nulls.push({ path, leaf }),
    });
    this.result = result;
    const globals = this.move(result, starts);
    const all = order.map((number, index) => this.kept(number, result, new Set(order.slice(0, index))));
    const top = numbers[0] ?? 0;
    const isNamedAgain = this.nameAgain(top);
    const isListed = (_: unknown, index: number): boolean => !isNamedAgain || order[index] !== top;
    const [listed, kept] = [order.filter(isListed), all.filter(isListed)];
    const documents = listed.map((number, index) => this.documentOf(number, kept[index] ?? []));
    const isSecret = this.given.some((each) => each.isSecret);
    if (globals.length > 0) documents.push(computed("globals of the parent chart", globals, isSecret));
    const merged = mergedValues([...kept, globals]);
    const isEqual = isSame(result, merged);
    const whole = valuesIn(result);
    const shown = isEqual ? merged : mergedValues([whole]);
    const empty = leavesIn(result).flatMap(({ path, leaf }) =>
      // Helm makes a mapping for each subchart.
      leaf === undefined && memberAt(shown, path) === undefined && !starts.has(JSON.stringify(path))
        ? [path]
        : [],
    );
    return {
      documents: isEqual ? documents : [computed("what Helm computes", whole, isSecret)],
      removed: nulls.flatMap((each) => this.removedBy(each, order)),
      // Helm takes away what a null of the chart's own takes away, whatever it is given: but for what a subchart has of globals.
      nulls: nulls.flatMap(({ path, leaf }) =>
        leaf.document < this.given.length || isGlobalIn(path, starts) ? [path] : [],
      ),
      empty,
      ...(isEqual ? { start: listed.length - this.given.length } : {}),
      faults: this.faults,
    };
  }

  private refuseMany(chart: Chart): void {
    const { charts, bytes } = extentOf(chart);
    if (charts > most.charts || charts * bytes > most.work)
      throw new RefusedValues(`the chart has too many charts below it: \`${chart.shown}\` is not read`);
  }

  /** The chart's own file among the given ones is its defaults: one layer, where the user put it. */
  private nameAgain(number: number): boolean {
    const own = this.part(number);
    const at = own.document.at();
    const given = this.given.findIndex(
      (each, index) =>
        at?.file !== undefined &&
        each.at()?.file === at.file &&
        textOf(this.part(index).tree) === textOf(own.tree),
    );
    const { layer, commentAt } = own.document;
    const again = this.parts[given];
    if (again === undefined) return false;
    this.parts[given] = { ...again, document: { ...again.document, layer, ...(commentAt && { commentAt }) } };
    return true;
  }

  private add(chart: Chart, start: readonly string[]): number {
    const document = this.defaultsOf(chart);
    const number = this.parts.length;
    const tree = under(start, treeOf(document, number, start));
    this.parts.push({ document, tree, start, moved: [] });
    this.places.set(chart, [...(this.places.get(chart) ?? []), number]);
    return number;
  }

  /** Of a chart that is at several places, the value is that of the place, or of the first one where it is imported. */
  private leafAt(path: readonly string[], { leaf, chart }: MarkedValue): ValueLeaf | undefined {
    if (chart === undefined) return leaf;
    const own = leaf.value.path;
    const all = (this.places.get(chart) ?? []).map((number) => this.part(number));
    const placed = all.find(({ start }) => isSamePath([...start, ...own], path)) ?? all[0];
    const found = placed && memberAt(placed.tree, [...placed.start, ...own]);
    return isTree(found) ? undefined : found;
  }

  private defaultsOf(chart: Chart): StackDocument {
    const known = this.defaults.get(chart);
    if (known !== undefined) return known;
    const { name = chart.shown, bytes = new Uint8Array() } = chart.values ?? {};
    const { document, diagnostics } = fileDocument(bytes, { name, why: "chart", state: "folded" });
    this.faults.push(...diagnostics);
    const documented = { ...document, commentAt: commentsIn(bytes) };
    this.defaults.set(chart, documented);
    return documented;
  }

  private part(number: number): DocumentTree {
    return this.parts[number] as DocumentTree;
  }

  /** Imported values are a subchart's, at another path. @returns a parent's globals */
  private move(result: ValueTree, starts: Starts): readonly ChainValue[] {
    return leavesIn(result).flatMap(({ path, leaf }): ChainValue[] => {
      if (leaf === undefined || isSamePath(leaf.value.path, path)) return [];
      const moved = { ...leaf.value, path };
      if (isGlobalIn(path, starts)) return [moved];
      this.part(leaf.document).moved.push(moved);
      return [];
    });
  }

  /** The values of a document that count, or that a higher one overrides. */
  private kept(number: number, result: ValueTree, below: ReadonlySet<number>): readonly ChainValue[] {
    const { tree, moved } = this.part(number);
    const isFilled = (path: readonly string[]): boolean =>
      moved.some((each) => isSamePath(path, each.path.slice(0, path.length)));
    const own = leavesIn(tree).flatMap(({ path, leaf, written }): ChainValue[] => {
      const value = leaf?.value ?? (isFilled(path) ? undefined : written);
      return value !== undefined && isKept(path, leaf, result, below) ? [{ ...value, path }] : [];
    });
    return [...own, ...moved];
  }

  private documentOf(number: number, kept: readonly ChainValue[]): StackDocument {
    const { document, tree, start, moved } = this.part(number);
    const all = leavesIn(tree);
    // A subchart's own file has them at other paths.
    const isMoved = start.length > 0 || moved.length > 0;
    return !isMoved && kept.length === all.length ? document : withValues(document, kept);
  }

  /** The values that a null takes away. */
  private removedBy({ path, leaf }: RemovingNull, order: readonly number[]): readonly RemovedValue[] {
    const below = order.slice(0, order.indexOf(leaf.document)).toReversed();
    const lower = below.flatMap((each) => memberAt(this.part(each).tree, path) ?? []);
    const was = lower.find((each) => !isNullLeaf(each));
    if (was === undefined || this.part(leaf.document).document.isSecret) return [];
    const lost = isTree(was) ? leavesIn(was, path) : [{ path, leaf: was }];
    return lost.flatMap((each) =>
      each.leaf === undefined || each.leaf.isNull || this.part(each.leaf.document).document.isSecret
        ? []
        : [{ path: each.path, at: leaf.value.at, text: each.leaf.value.text, was: each.leaf.value.at }],
    );
  }
}

function textOf(tree: ValueTree): string {
  return JSON.stringify(
    leavesIn(tree).map(({ path, leaf, written }) => [path, (leaf?.value ?? written)?.text]),
  );
}

/** True for what is in the globals of one of the subcharts. */
function isGlobalIn(path: readonly string[], starts: Starts): boolean {
  return path.some((key, at) => key === "global" && starts.has(JSON.stringify(path.slice(0, at))));
}

function isKept(
  path: readonly string[],
  leaf: ValueLeaf | undefined,
  result: ValueTree,
  below: ReadonlySet<number>,
): boolean {
  const found = memberAt(result, path);
  // Nothing there: a leaf above it counts, or it is taken away.
  if (found === undefined) return reaches(result, path);
  if (leaf === undefined) return true;
  if (!isTree(found)) return !below.has(found.document);
  // Lower values in the mapping that took its place would be lost, and empty mappings may be lower ones.
  return (
    !leaf.isNull &&
    found.size > 0 &&
    leavesIn(found).every((each) => each.leaf && !below.has(each.leaf.document))
  );
}

function mergedValues(kept: readonly (readonly ChainValue[])[]): ValueTree {
  return kept.map(treeOfValues).reduce<ValueTree>(overlaid, new Map());
}

/** True if merged documents come to the result. */
function isSame(result: ValueTree, merged: ValueTree): boolean {
  const [own, others] = [leavesIn(result), leavesIn(merged)].map(
    (all) => new Map(all.map(({ path, leaf }) => [JSON.stringify(path), leaf?.value.text])),
  );
  const isThere = ([path, text]: [string, string | undefined]): boolean =>
    text === undefined || others?.get(path) === text;
  const isResult = ([path, text]: [string, string | undefined]): boolean =>
    text === undefined || text === "{}" || own?.get(path) === text;
  return [...(own ?? [])].every(isThere) && [...(others ?? [])].every(isResult);
}

function treeOfValues(values: readonly ChainValue[]): ValueTree {
  const tree: ValueTree = new Map();
  for (const value of values) {
    const leaf: ValueLeaf = { document: 0, value, isNull: value.text === "null" };
    put(tree, value.path, value.text === "{}" ? new Map() : leaf);
  }
  return tree;
}

function put(tree: ValueTree, [key = "", ...rest]: readonly string[], member: ValueTree | ValueLeaf): void {
  if (rest.length === 0) {
    if (!isTree(member) || !isTree(tree.get(key))) tree.set(key, member);
    return;
  }
  const found = tree.get(key);
  const inner: ValueTree = isTree(found) ? found : new Map();
  tree.set(key, inner);
  put(inner, rest, member);
}

/** Values of several documents, each with its own place. */
function computed(name: string, values: readonly ChainValue[], isSecret: boolean): StackDocument {
  const chain = { at: { of: "text" as const }, isPatch: false, isSecret, values };
  return listedDocument(chain, { name, why: "chart", state: "folded" });
}

function valuesIn(result: ValueTree): readonly ChainValue[] {
  return leavesIn(result).flatMap(({ path, leaf, written }) => {
    const value = leaf?.value ?? written;
    return value === undefined ? [] : [{ ...value, path }];
  });
}

function isSamePath(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((key, index) => key === other[index]);
}
