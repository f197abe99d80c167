// Documents over a chart → the same with the chart's defaults below them, so that merging them one over the other gives what Helm
// computes. What a null takes away is in none of them: each has the values of Helm's result that come from it, and those that a
// higher one overrides.
import type { Diagnostic } from "../../diagnostic.ts";
import {
  fileDocument,
  hasOpenBlock,
  listedDocument,
  type OverChart,
  type ReadDocument,
  type StackDocument,
  withValues,
} from "../../explain/index.ts";
import type { RemovedValue } from "../../explanation.ts";
import { notBuilt } from "../not-built.ts";
import type { Chart } from "./chart.ts";
import { commentsIn } from "./comments.ts";
import { deployed, type HelmVersion, type MarkedLeaf, RefusedValues } from "./deployed.ts";
import {
  emptyTree,
  type FoundLeaf,
  isTree,
  leavesBelow,
  leavesIn,
  nearestAt,
  overlaid,
  treeOf,
  under,
  valuesOf,
} from "./value-tree.ts";
import { isSamePath } from "../kustomize/marks.ts";
import { fieldIn, membersIn, type Placed, spelledIn } from "../placed.ts";
import { distinct } from "../../grouped.ts";
import { remembered } from "../../remembered.ts";

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
  // They differ in nulls, in subcharts of what has an alias, and in a last line without an end.
  if (!four.hasNulls() && !hasAlias(chart) && !hasOpenDefaults(chart)) return over;
  const other = await three.overOrFault(chart);
  if (isSame(three.result, four.result)) return over;
  const matters = !isSame(withoutNulls(three.result), withoutNulls(four.result));
  return helm(matters) === 4 ? over : other;
}

function hasAlias({ dependencies, subcharts }: Chart): boolean {
  return dependencies.some(({ alias }) => alias !== undefined) || subcharts.some(hasAlias);
}

function hasOpenDefaults({ values, subcharts }: Chart): boolean {
  return (values !== undefined && hasOpenBlock(values.bytes)) || subcharts.some(hasOpenDefaults);
}

function withoutNulls(tree: Placed): Placed {
  const members = [...membersIn(tree)].filter(([, each]) => each.value !== null);
  const kept = members.map(([key, each]) => [key, isTree(each) ? withoutNulls(each) : each] as const);
  return { ...tree, value: new Map(kept) };
}

/** A document of the stack, with its values as a tree. */
interface DocumentTree {
  readonly document: StackDocument;
  readonly tree: Placed;
  /** The keys down to its values. */
  readonly start: readonly string[];
  /** Values that Helm brings to another place. */
  readonly moved: FoundLeaf[];
}

/** Where a leaf is written: the number of its document, and its path in that. */
interface LeafOrigin {
  readonly document: number;
  readonly path: readonly string[];
}

/** The paths to the values of subcharts, as JSON. */
type Starts = ReadonlySet<string>;

interface DeployedParts {
  /** The number of the topmost chart. */
  readonly top: number;
  /** The numbers of layers, lowest first. */
  readonly order: readonly number[];
  readonly starts: Starts;
  /** Those that leave nothing. */
  readonly nulls: readonly FoundLeaf[];
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

/** Several targets may have one chart: its defaults are read once. */
const readDefaults = { 3: new WeakMap<Chart, ReadDocument>(), 4: new WeakMap<Chart, ReadDocument>() };

function defaultsIn({ shown, values }: Chart, helm: HelmVersion): ReadDocument {
  const { name = shown, bytes = new Uint8Array() } = values ?? {};
  const facts = { name, why: "chart", state: "folded" } as const;
  const { document, diagnostics } = fileDocument(bytes, facts, { endsLine: () => helm === 4 });
  return { document: { ...document, commentAt: commentsIn(bytes) }, diagnostics };
}

class ChartStack {
  /** What Helm computes. */
  result = emptyTree;
  readonly faults: Diagnostic[] = [];
  private readonly helm: HelmVersion;
  private readonly given: readonly StackDocument[];
  /** By their numbers. */
  private readonly parts: DocumentTree[];
  private readonly defaults = new Map<Chart, StackDocument>();
  /** The parts that a chart's defaults are: under aliases it is deployed several times. */
  private readonly places = new Map<Chart, readonly number[]>();
  private readonly origins = new Map<Placed, LeafOrigin>();

  constructor(given: readonly StackDocument[], helm: HelmVersion) {
    this.given = given;
    this.helm = helm;
    this.parts = given.map((document, number) => ({
      document,
      tree: this.treeOf(document, number),
      start: [],
      moved: [],
    }));
  }

  private treeOf(document: StackDocument, number: number, start: readonly string[] = []): Placed {
    const tree = under(start, treeOf(document));
    for (const { path, leaf } of leavesIn(tree)) this.origins.set(leaf, { document: number, path });
    return tree;
  }

  private originOf(leaf: Placed): LeafOrigin {
    return this.origins.get(leaf) as LeafOrigin;
  }

  hasNulls(): boolean {
    return this.parts.some(({ tree }) => leavesIn(tree).some(({ leaf }) => leaf.value === null));
  }

  async overOrFault(chart: Chart): Promise<OverChart> {
    try {
      return await this.over(chart);
    } catch (error) {
      if (!(error instanceof RefusedValues)) throw error;
      const fault = notBuilt({ message: error.message, severity: "error" });
      return { documents: this.given, faults: [...this.faults, fault] };
    }
  }

  private async over(chart: Chart): Promise<OverChart> {
    this.refuseMany(chart);
    const { top, order, starts, nulls } = await this.deploy(chart);
    const globals = this.move(starts);
    this.empty(order, starts);
    const listed = this.nameAgain(top) ? order.filter((number) => number !== top) : order;
    const kept = new Map(listed.map((number) => [number, this.kept(number, order)]));
    const documents = [...kept].map(([number, values]) => this.documentOf(number, values));
    if (globals.length > 0) documents.push(globalsOfParents(globals, this.given));
    return {
      documents,
      start: listed.length - this.given.length,
      removed: nulls.flatMap((each) => this.removedBy(each, order)),
      // Helm takes away what a null of the chart's own takes away, whatever it is given: but for what a subchart has of globals.
      nulls: nulls.flatMap(({ path, leaf }) =>
        this.originOf(leaf).document < this.given.length || isGlobalIn(path, starts) ? [path] : [],
      ),
      empty: this.emptyBeside([...kept.values()].flat(), starts),
      faults: this.faults,
    };
  }

  /** Has Helm compute the values; each chart that it deploys becomes a part. */
  private async deploy(chart: Chart): Promise<DeployedParts> {
    const given = this.parts.map(({ tree }) => tree).reduce(overlaid, emptyTree);
    const helms = await deployed(chart, (each) => this.treeOf(this.defaultsOf(each), 0), given, this.helm);
    const numbers = helms.instances.map(({ chart: own, path }) => this.add(own, path));
    // A chart without defaults is no layer. Subcharts are below their parents; of two, the first one gives a value to a parent.
    const isLayer = ({ root, facts }: StackDocument): boolean =>
      root !== undefined || facts.state === "unreadable";
    const charts = numbers.toReversed().filter((number) => isLayer(this.part(number).document));
    const starts = new Set(helms.instances.slice(1).map(({ path }) => JSON.stringify(path)));
    const nulls: FoundLeaf[] = [];
    this.result = helms.values({
      leafAt: (path, marked) => this.leafAt(path, marked),
      // A parent's globals, where a subchart has none of them.
      isLeftOut: (path) =>
        isGlobalIn(path, starts) && !this.parts.some(({ tree }) => nearestAt(tree, path) !== undefined),
      onNull: (path, leaf) => nulls.push({ path, leaf }),
    });
    return { top: this.given.length, order: [...charts, ...this.given.keys()], starts, nulls };
  }

  /** Mappings without values that are in no document. Helm makes one for each subchart. */
  private emptyBeside(kept: readonly FoundLeaf[], starts: Starts): readonly (readonly string[])[] {
    const written = kept.filter(({ leaf }) => isTree(leaf)).map(({ path }) => JSON.stringify(path));
    const known = new Set([...starts, ...written]);
    return leavesIn(this.result).flatMap(({ path, leaf }) =>
      isTree(leaf) && !known.has(JSON.stringify(path)) ? [path] : [],
    );
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
        at?.file !== undefined && each.at()?.file === at.file && isSame(this.part(index).tree, own.tree),
    );
    const { facts, commentAt } = own.document;
    const again = this.parts[given];
    if (again === undefined) return false;
    this.parts[given] = { ...again, document: { ...again.document, facts, ...(commentAt && { commentAt }) } };
    return true;
  }

  private add(chart: Chart, start: readonly string[]): number {
    const document = this.defaultsOf(chart);
    const number = this.parts.length;
    const tree = this.treeOf(document, number, start);
    this.parts.push({ document, tree, start, moved: [] });
    this.places.set(chart, [...(this.places.get(chart) ?? []), number]);
    return number;
  }

  /** Of a chart that is at several places, the value is that of the place, or of the first one where it is imported. */
  private leafAt(path: readonly string[], { leaf, chart }: MarkedLeaf): Placed | undefined {
    if (chart === undefined) return leaf;
    const { path: own } = this.originOf(leaf);
    const all = (this.places.get(chart) ?? []).map((number) => this.part(number));
    const placed = all.find(({ start }) => isSamePath([...start, ...own], path)) ?? all[0];
    const found = placed && fieldIn(placed.tree, ...placed.start, ...own);
    return isTree(found) ? undefined : found;
  }

  private defaultsOf(chart: Chart): StackDocument {
    return remembered(this.defaults, chart, () => {
      const { document, diagnostics } = remembered(readDefaults[this.helm], chart, () =>
        defaultsIn(chart, this.helm),
      );
      this.faults.push(...diagnostics);
      return document;
    });
  }

  private part(number: number): DocumentTree {
    return this.parts[number] as DocumentTree;
  }

  /** Imported values are a subchart's, at another path. @returns a parent's globals */
  private move(starts: Starts): readonly FoundLeaf[] {
    return leavesIn(this.result).filter((found) => {
      const { document, path } = this.origins.get(found.leaf) ?? { path: found.path, document: 0 };
      if (isSamePath(path, found.path)) return false;
      if (isGlobalIn(found.path, starts)) return true;
      this.part(document).moved.push(found);
      return false;
    });
  }

  /** A mapping of which nulls leave nothing is an empty one, of the highest document that has it. */
  private empty(order: readonly number[], starts: Starts): void {
    for (const { path, leaf } of leavesIn(this.result)) {
      if (!isTree(leaf) || starts.has(JSON.stringify(path))) continue;
      const all = order.flatMap((number): (FoundLeaf & { readonly number: number })[] => {
        const found = fieldIn(this.part(number).tree, ...path);
        return found === undefined || !isTree(found) ? [] : [{ path, leaf: found, number }];
      });
      const last = all.at(-1);
      const isWritten = all.some((each) => membersIn(each.leaf).size === 0);
      if (last === undefined || isWritten) continue;
      const [first] = leavesBelow(last.leaf, path);
      this.part(last.number).moved.push({ path, leaf: { value: new Map(), at: first?.leaf.at } });
    }
  }

  /** The values of a document that count, or that a higher one overrides. */
  private kept(number: number, order: readonly number[]): readonly FoundLeaf[] {
    const { tree, moved } = this.part(number);
    const over = new Set(order.slice(order.indexOf(number) + 1));
    const isFilled = ({ path, leaf }: FoundLeaf): boolean =>
      isTree(leaf) && moved.some((each) => isSamePath(path, each.path.slice(0, path.length)));
    const own = leavesIn(tree).filter((each) => !isFilled(each) && this.isKept(each, over));
    return [...own, ...moved];
  }

  /** True for what merging the documents may not miss, or may override. @param over the numbers of higher documents */
  private isKept({ path, leaf }: FoundLeaf, over: ReadonlySet<number>): boolean {
    const isOver = (each: Placed): boolean => over.has(this.originOf(each).document);
    const found = nearestAt(this.result, path);
    if (found === undefined) return false;
    if (!isTree(found)) return found === leaf || isOver(found);
    if (isTree(leaf)) return true;
    // Values of this document and of lower ones would be lost in the mapping that takes its place.
    const own = leavesBelow(found, path);
    return (
      leaf.value !== null && own.length > 0 && own.every((each) => !isTree(each.leaf) && isOver(each.leaf))
    );
  }

  private documentOf(number: number, kept: readonly FoundLeaf[]): StackDocument {
    const { document, tree, start, moved } = this.part(number);
    // A subchart's own file has them at other paths.
    const isMoved = start.length > 0 || moved.length > 0;
    return !isMoved && kept.length === leavesIn(tree).length
      ? document
      : withValues(document, valuesOf(kept));
  }

  /** The values that a null takes away, of the highest layer that has each. */
  private removedBy({ path, leaf }: FoundLeaf, order: readonly number[]): readonly RemovedValue[] {
    const { document } = this.originOf(leaf);
    if (this.isOfSecret(leaf)) return [];
    const below = order.slice(0, order.indexOf(document));
    const all = below.flatMap((each) => fieldIn(this.part(each).tree, ...path) ?? []);
    // A scalar overrides what is in the mappings below it.
    const scalar = all.findLastIndex((each) => !isTree(each) && each.value !== null);
    const lower = all.slice(Math.max(scalar, 0));
    const lost = lower.flatMap((was) => (isTree(was) ? leavesBelow(was, path) : [{ path, leaf: was }]));
    const values = lost.filter(({ leaf: each }) => !isTree(each) && each.value !== null);
    const at = leaf.at ?? { of: "text" };
    return distinct(values, (each) => JSON.stringify(each.path)).flatMap((each) =>
      valuesOf([each]).map(({ path: own, text, at: was }) => ({
        path: own,
        at,
        ...(!this.isOfSecret(each.leaf) && { text }),
        was,
      })),
    );
  }

  private isOfSecret(leaf: Placed): boolean {
    return this.part(this.originOf(leaf).document).document.isSecret;
  }
}

/** True for what is in the globals of one of the subcharts. */
function isGlobalIn(path: readonly string[], starts: Starts): boolean {
  return path.some((key, at) => key === "global" && starts.has(JSON.stringify(path.slice(0, at))));
}

/** True where two trees have the same values. */
function isSame(one: Placed, other: Placed): boolean {
  const [own, others] = [one, other].map((tree) =>
    leavesIn(tree)
      .map(({ path, leaf }) => JSON.stringify([path, spelledIn(leaf)]))
      .toSorted()
      .join("\n"),
  );
  return own === others;
}

/** Values of several documents, each with its own place. */
function globalsOfParents(leaves: readonly FoundLeaf[], given: readonly StackDocument[]): StackDocument {
  const isSecret = given.some((each) => each.isSecret);
  const chain = { at: { of: "text" as const }, isSecret, values: valuesOf(leaves) };
  return listedDocument(chain, { name: "globals of the parent chart", why: "chart", state: "folded" });
}
