// The chart of a target: where it is in the checkout, or what `--chart` names for it. It is read once.
import { join, relative } from "node:path";
import {
  type ChartFile,
  type ChartPatches,
  type ChartRelease,
  givenValues,
  type OverChart,
  type SourceStack,
  type SourceTarget,
  type StackDocument,
  valuesKind,
  type WantedChart,
} from "../../explain/index.ts";
import type { Diagnostic } from "../../diagnostic.ts";
import { isNamedAs, objectId, type ObjectId } from "../../object-id.ts";
import { existsSync, isDirectory, namesAt } from "../disk.ts";
import type { NamedChart, Workspace } from "../workspace.ts";
import { shownFrom } from "../names.ts";
import { fieldIn, listIn, type Placed, textIn } from "../placed.ts";
import { type Chart, isChartAt, type ReadChart, readChart } from "./chart.ts";
import type { HelmVersion } from "./deployed.ts";
import { type AskedHelm, overChart } from "./over-chart.ts";
import type { KnownPath } from "./known-keys.ts";
import { knownKeys, unreadPath } from "./unknown-keys.ts";
import { remembered } from "../../remembered.ts";

/** Whose chart it is. */
export interface ChartUser extends ObjectId {
  /** What it says that its chart is. */
  readonly chart?: WantedChart | undefined;
  /** Its directory, if that is in the checkout. */
  readonly path?: string | undefined;
  /** What takes the place of its `values.yaml`, lowest first. */
  readonly defaults?: readonly StackDocument[];
  /** The release that it is deployed as; without it, its name in its namespace. */
  readonly release?: {
    readonly name?: string | undefined;
    readonly namespace?: string | undefined;
    readonly patches?: ChartPatches | undefined;
    readonly kubeVersion?: string | undefined;
    readonly apiVersions?: readonly string[];
  };
  /** The Helm that deploys it, unless the user names one. */
  readonly helm: HelmVersion | AskedHelm;
}

export type ChartOptions = Pick<
  Workspace,
  "from" | "charts" | "helm" | "apiVersions" | "checks" | "revision"
>;

/** Targets that are read and not folded, and what is wrong with them. */
export interface FoundTargets {
  readonly targets: readonly SourceTarget[];
  readonly faults: readonly Diagnostic[];
}

const known = new WeakMap<ChartOptions, Charts>();

/** Those of a question: each is read once. */
export function chartsOf(options: ChartOptions): Charts {
  return remembered(known, options, () => new Charts(options));
}

export class Charts {
  private readonly options: ChartOptions;
  private readonly shown: (path: string) => string;
  private readonly known = new Map<string, Promise<ReadChart>>();
  private readonly keys = new Map<string, Promise<KnownPath>>();

  constructor(options: ChartOptions) {
    this.options = options;
    this.shown = shownFrom(options.from);
  }

  /** @param given the documents over the chart, lowest first */
  async over(user: ChartUser, given: readonly StackDocument[]): Promise<OverChart> {
    const path = await this.pathFor(user);
    if (path === undefined) {
      if (given.length > 0 && user.chart !== undefined)
        this.options.checks?.absentCharts.add(user.chart.name);
      return { documents: given, start: 0, faults: [], ...this.referenceOf(user, given) };
    }
    const { chart, faults } = await this.at(path);
    if (chart === undefined) return { documents: given, start: 0, faults, ...this.referenceOf(user, given) };
    const { defaults = [] } = user;
    const own = defaults.length > 0 ? { ...chart, values: undefined } : chart;
    const all = [...defaults, ...given];
    const over = await overChart(own, all, this.options.helm ?? user.helm);
    return {
      ...over,
      ...(over.start !== undefined && { start: over.start + defaults.length }),
      given: all,
      release: this.releaseOf(user, own, given, path),
      ...this.referenceOf(user, given),
      faults: [...faults, ...over.faults],
    };
  }

  /** A target with one stack. @param at where it is */
  async target(
    user: ChartUser,
    at: SourceTarget["at"],
    given: readonly StackDocument[],
  ): Promise<FoundTargets> {
    const { faults, ...stack } = await this.over(user, given);
    return { targets: [{ ...objectId(user), ...(at && { at }), stacks: [stack] }], faults };
  }

  private referenceOf(user: ChartUser, given: readonly StackDocument[]): Pick<SourceStack, "chart"> {
    const { chart } = user;
    if (chart === undefined) return {};
    const from = async (path: string): Promise<ChartRelease | undefined> => {
      const found = (await this.at(path)).chart;
      return found && this.releaseOf(user, found, given, path);
    };
    return { chart: { ...chart, from } };
  }

  /** The version of Helm, where values depend on it. @param own that of the target */
  helmFor(own: ChartUser["helm"]): HelmVersion {
    const { helm = own } = this.options;
    return typeof helm === "number" ? helm : helm(true);
  }

  private releaseOf(
    user: ChartUser,
    chart: Chart,
    given: readonly StackDocument[],
    path: string,
  ): ChartRelease {
    const { helm = user.helm, apiVersions: clusterApis = [] } = this.options;
    const { name = user.name, namespace = user.namespace ?? "default", ...rest } = user.release ?? {};
    return {
      ...rest,
      clusterApis,
      name,
      namespace,
      helm: typeof helm === "number" ? helm : helm(false),
      shown: chart.shown,
      chartName: chart.name,
      files: () => filesOf(chart, user.defaults),
      shownTemplate: (template) => shownTemplate(chart, template),
      given,
      unread: async (own) => unreadPath(await this.knownIn(chart, path), own),
    };
  }

  private knownIn(chart: Chart, path: string): Promise<KnownPath> {
    const id = `${path} ${chart.values === undefined}`;
    return remembered(this.keys, id, () => knownKeys(chart));
  }

  at(path: string): Promise<ReadChart> {
    return remembered(this.known, path, () => this.read(path));
  }

  /** What is of a revision is there for a while only. */
  private async read(path: string): Promise<ReadChart> {
    const read = await readChart(path, this.shownIn(path));
    if (this.options.revision !== undefined) read.chart?.files();
    return read;
  }

  /** A chart that the user names is not in a revision that is read. */
  private shownIn(path: string): (path: string) => string {
    const isIn = (each: NamedChart): boolean => path === each.path || path.startsWith(`${each.path}/`);
    const named = (this.options.charts ?? []).find(isIn);
    return named === undefined ? this.shown : (file) => join(named.shown, relative(named.path, file));
  }

  /** Undefined if it is not here. */
  async pathFor(user: ChartUser): Promise<string | undefined> {
    const { charts = [] } = this.options;
    const { chart } = user;
    const own =
      charts.find(({ target }) => target !== undefined && isNamedAs(user, target)) ??
      charts.find(({ target }) => target !== undefined && target === chart?.name);
    if (own !== undefined && own.isOwn !== true) return used(own, own.path);
    if (user.path !== undefined && (this.known.has(user.path) || isChartAt(user.path))) return user.path;
    for (const each of charts.filter(({ target }) => target === undefined)) {
      const { path } = each;
      const [found] = (await this.fits(path, user))
        ? [path]
        : chart === undefined
          ? []
          : pulledAs(path, chart);
      if (found !== undefined) return used(each, found);
    }
    return own?.path;
  }

  private async fits(path: string, { kind, chart }: ChartUser): Promise<boolean> {
    if (chart === undefined) return kind === valuesKind;
    return isChartAt(path) && (await this.at(path)).chart?.name === chart.name;
  }
}

/** The versions that templates see, as Argo CD and kustomize name them. */
export function capabilitiesIn(
  helm: Placed | undefined,
): Pick<NonNullable<ChartUser["release"]>, "kubeVersion" | "apiVersions"> {
  const apiVersions = listIn(fieldIn(helm, "apiVersions")).flatMap((each) => textIn(each) ?? []);
  return {
    kubeVersion: textIn(fieldIn(helm, "kubeVersion")),
    ...(apiVersions.length > 0 && { apiVersions }),
  };
}

/** Files that take the place of the chart's own values are one file. */
function filesOf(chart: Chart, defaults: ChartUser["defaults"] = []): ReadonlyMap<string, ChartFile> {
  if (defaults.length === 0) return chart.files();
  return new Map([
    ...chart.files(),
    ["values.yaml", { name: chart.shown, bytes: givenValues(defaults).bytes }],
  ]);
}

/** Helm names the templates of a subchart by its name, or by its alias. */
function shownTemplate(chart: Chart, template: string): string {
  const file = chart.files().get(template);
  if (file !== undefined) return file.name;
  const [, name, inner] = /^charts\/([^/]+)\/(.+)$/.exec(template) ?? [];
  const own = chart.dependencies.find(({ alias }) => alias === name)?.name ?? name;
  const subchart = chart.subcharts.find((each) => each.name === own);
  if (subchart !== undefined && inner !== undefined) return shownTemplate(subchart, inner);
  return `${chart.shown}/${template}`;
}

function used(chart: NamedChart, path: string): string {
  (chart.named ?? chart).isUsed = true;
  return path;
}

/** As `helm pull` leaves them: `shop-1.2.0.tgz`, or unpacked in `shop`. */
function pulledAs(
  folder: string,
  { name, version }: { readonly name: string; readonly version: string },
): string[] {
  if (isChartAt(folder) || !existsSync(folder) || !isDirectory(folder)) return [];
  const all = namesAt(folder);
  const exact = [`${name}-${version}.tgz`, `${name}-${version}`, name].filter((each) => all.includes(each));
  const start = `${name}-`;
  const other = all.filter((each) => each.startsWith(start) && /^\d.*\.tgz$/.test(each.slice(start.length)));
  return [...exact, ...(other.length === 1 ? other : [])].map((each) => join(folder, each)).filter(isChartAt);
}
