// The charts of HelmReleases and Apps: a path in a GitRepository that is this repository, or what `--chart` names.
import { basename, dirname, join } from "node:path";
import { appKind, helmReleaseKind } from "../../kinds.ts";
import type { Item } from "../../krm/index.ts";
import { bufferOf, type Node } from "../../yaml/index.ts";
import {
  type ChartRelease,
  mergedName,
  mergedTarget,
  type OverChartOf,
  type SourceTarget,
  type StackDocument,
  valuesKind,
  type WantedChart,
} from "../../explain/index.ts";
import type { Diagnostic } from "../../diagnostic.ts";
import { isNamedAs, objectId, type ObjectId, objectText } from "../../object-id.ts";
import { existsSync } from "../disk.ts";
import { isChartAt } from "../helm/chart.ts";
import { type Charts, chartsOf, type ChartUser } from "../helm/charts.ts";
import type { HelmVersion } from "../helm/deployed.ts";
import { kindInText, madeFaults } from "../helm/made-targets.ts";
import { indexOf } from "../manifest-index.ts";
import { notBuilt } from "../not-built.ts";
import { shownFrom } from "../names.ts";
import type { ObjectPlaces } from "../object-places.ts";
import type { FoundObjects } from "../placed-object.ts";
import { postRenderers } from "./post-renderers.ts";
import type { Workspace } from "../workspace.ts";
import { directoryAt, locatorAround } from "../locator.ts";
import { FluxSources, sourceKinds } from "./sources.ts";
import { itemsIn, specOf } from "../items.ts";
import { valuesFile } from "../files.ts";

/** The charts of a list. */
interface ListCharts {
  readonly overChart: OverChartOf;
  /** Objects whose charts are known. */
  readonly released: readonly ObjectId[];
  /** Those whose charts make targets. */
  readonly makers: readonly ChartMaker[];
}

/** An object whose chart makes targets. */
export interface ChartMaker extends ObjectId {
  /** What is reported of it, if its values are not known. */
  readonly missing?: readonly Diagnostic[];
}

/** True for a target that is not an object of the list, and whose chart makes targets. What its kustomization changes is not known. */
export function makesTargets({ stacks }: SourceTarget): boolean {
  return stacks.some(
    ({ release }) => release !== undefined && release.patches === undefined && hasTargets(release),
  );
}

function hasTargets({ files }: ChartRelease): boolean {
  const isTemplate = (path: string): boolean => path.includes("templates/") && /\.(?:ya?ml|tpl)$/.test(path);
  return [...files()].some(([path, { bytes }]) => isTemplate(path) && kindInText(bytes) !== undefined);
}

/** All is read at once: what is of a revision is there for a while only. @param objects those of the list */
export async function releaseCharts(
  objects: readonly FoundObjects[],
  workspace: Workspace,
): Promise<ListCharts> {
  const charts = chartsOf(workspace);
  for (const { path, named } of workspace.charts ?? [])
    if (named !== undefined && isChartAt(path)) await charts.at(path);
  const { checks, seesAbsentCharts } = workspace;
  const isNamed = (workspace.charts ?? []).length > 0 || checks !== undefined || seesAbsentCharts === true;
  const own = objects.some(({ bytes }) => mayHaveCharts(bytes, isNamed))
    ? await ReleaseCharts.find(objects, workspace, charts)
    : undefined;
  const overChart: OverChartOf = async (target, documents) => {
    if (target !== mergedTarget) return own?.over(target, documents);
    // Bare values files.
    const release = { name: "release-name" };
    const user = { kind: valuesKind, name: mergedName, helm: 4, release } as const;
    return (await charts.pathFor(user)) === undefined ? undefined : charts.over(user, documents);
  };
  return { overChart, released: own?.released() ?? [], makers: own?.makers ?? [] };
}

const kindsWithCharts: readonly string[] = [helmReleaseKind.kind, appKind.kind];

function mayHaveCharts(bytes: Uint8Array, isNamed: boolean): boolean {
  const text = bufferOf(bytes);
  if (isNamed) return kindsWithCharts.some((kind) => text.includes(kind));
  return text.includes(helmReleaseKind.kind) && text.includes("GitRepository");
}

interface ReleaseChart extends WantedChart {
  /** Its directory, if that is in this repository. */
  readonly path: string | undefined;
  /** Files that take the place of its own values. */
  readonly valuesFiles: readonly string[];
  readonly ignoresMissing?: boolean;
}

/** A release whose chart is here. */
interface ReleaseHere {
  readonly release: Item;
  readonly user: ChartUser;
  readonly faults: readonly Diagnostic[];
}

class ReleaseCharts {
  readonly makers: ChartMaker[] = [];
  private readonly found: ReleaseHere[] = [];
  /** The names of charts that are not here, by their releases. */
  private readonly absent = new Map<Item, string>();
  private readonly absentUsers: ReleaseHere[] = [];
  private readonly workspace: Workspace;
  /** The objects that name repositories, by what they are. */
  private readonly repositories: ReadonlyMap<string, Item>;
  private readonly charts: Charts;
  private readonly sources: FluxSources;
  private readonly shown: (path: string) => string;

  static async find(
    objects: readonly FoundObjects[],
    workspace: Workspace,
    charts: Charts,
  ): Promise<ReleaseCharts> {
    const items = objects.flatMap(({ bytes, placesOf }) =>
      itemsIn(bytes).map((item) => ({ item, places: placesOf(item) })),
    );
    const all = new ReleaseCharts(
      items.map(({ item }) => item),
      workspace,
      charts,
    );
    for (const { item, places } of items)
      if (kindsWithCharts.includes(item.kind)) await all.add(item, places);
    return all;
  }

  private constructor(items: readonly Item[], workspace: Workspace, charts: Charts) {
    this.charts = charts;
    this.workspace = workspace;
    const isRepository = ({ kind }: Item): boolean => kind === "HelmRepository" || sourceKinds.includes(kind);
    this.repositories = new Map(items.filter(isRepository).map((each) => [objectText(each), each]));
    this.shown = shownFrom(workspace.from);
    this.sources = new FluxSources(locatorAround(workspace.from, workspace));
    for (const item of items) this.sources.add(item, undefined);
  }

  released(): readonly ObjectId[] {
    return this.all().map(({ user }) => objectId(user));
  }

  private all(): readonly ReleaseHere[] {
    return this.workspace.seesAbsentCharts === true ? [...this.found, ...this.absentUsers] : this.found;
  }

  /** Undefined where there is no such release, or several. */
  async over(target: string, documents: readonly StackDocument[]): ReturnType<OverChartOf> {
    const [own, second] = this.all().filter(({ release }) => isNamedAs(release, target));
    if (own === undefined && documents.length > 0)
      for (const [release, chart] of this.absent)
        if (isNamedAs(release, target)) this.workspace.checks?.absentCharts.add(chart);
    if (own === undefined || second !== undefined) return undefined;
    const over = await this.charts.over(own.user, documents);
    return { ...over, faults: [...own.faults, ...over.faults] };
  }

  private async add(release: Item, places: ObjectPlaces): Promise<void> {
    const { kind, name, namespace } = release;
    const chart = this.chartOf(release);
    const user = { kind, name, namespace, chart, path: chart?.path, helm: helmOf(release) };
    const path = await this.charts.pathFor(user);
    if (path === undefined) {
      const absent = chart?.name ?? referredChart(release);
      if (absent !== undefined) this.absent.set(release, absent);
      this.absentUsers.push({ release, user: { ...user, release: releaseOf(release, places) }, faults: [] });
      return;
    }
    await this.charts.at(path);
    const { valuesFiles = [], ignoresMissing = false } = chart ?? {};
    const missing = ignoresMissing ? undefined : valuesFiles.find((each) => !existsSync(each));
    const item = objectId(release);
    const faults =
      missing === undefined ? [] : [noValuesFile(this.shown(dirname(missing)), basename(missing), item)];
    const unmade = madeFaults(this.shown(path), indexOf(this.workspace).madeBy(path), item);
    if (unmade.length > 0) this.makers.push({ ...item, missing: unmade });
    const files = valuesFiles.filter((each) => existsSync(each));
    const defaults = files.map(
      (each) => valuesFile(each, this.shown, { why: "chart" }, () => false).document,
    );
    const own = { ...user, path, defaults, release: releaseOf(release, places) };
    this.found.push({ release, user: own, faults });
  }

  private chartOf(release: Item): ReleaseChart | undefined {
    const spec = specOf(release);
    // Its chart is in a catalog.
    if (spec !== undefined && release.kind === appKind.kind)
      return { ...nameIn(spec, "name"), path: undefined, valuesFiles: [] };
    const chart = spec && spec.get("chart");
    const fields = chart && chart.get("spec");
    if (fields === undefined) return spec && this.referredChart(release, spec.get("chartRef"));
    const { name, version } = nameIn(fields, "chart");
    const source = fields.get("sourceRef");
    const kind = source?.textAt("kind");
    const top =
      source === undefined || kind !== "GitRepository" ? undefined : this.topOf(release, source, name);
    const isPulled = source !== undefined && kind === "HelmRepository";
    return {
      name: basename(name),
      version,
      repository: isPulled ? this.repositoryNamed(release, source)?.textAt("url") : undefined,
      source: source && this.sourceNamed(release, source),
      path: top === undefined ? undefined : directoryAt(top, name),
      valuesFiles: top === undefined ? [] : fields.list("valuesFiles").map((each) => join(top, each.text)),
      ignoresMissing: fields.textAt("ignoreMissingValuesFiles") === "true",
    };
  }

  /** The artifact of an OCIRepository: its tag is the version of the chart. */
  private referredChart(release: Item, reference: Node | undefined): ReleaseChart | undefined {
    if (reference === undefined) return undefined;
    const [spec, source] = [this.repositoryNamed(release, reference), this.sourceNamed(release, reference)];
    const url = spec?.textAt("url");
    if (spec === undefined || url === undefined)
      return {
        name: reference.textAt("name") ?? "",
        version: "",
        source,
        isNamedByObject: true,
        path: undefined,
        valuesFiles: [],
      };
    const ref = spec.get("ref");
    const version = ["digest", "tag", "semver"].flatMap((field) => ref?.textAt(field) ?? [])[0] ?? "";
    return { name: basename(url), version, repository: dirname(url), path: undefined, valuesFiles: [] };
  }

  /** What a source is, as far as it is here: its URL and what is read of it, or its name. */
  private sourceNamed(release: Item, reference: Node): string {
    const spec = this.repositoryNamed(release, reference);
    const fields = ["url", "endpoint", "bucketName", "ref"].map((each) => spec?.get(each)?.plain(null));
    return spec === undefined ? objectText(referred(release, reference)) : JSON.stringify(fields);
  }

  /** What an object that a release names has. */
  private repositoryNamed(release: Item, reference: Node): Node | undefined {
    return specOf(this.repositories.get(objectText(referred(release, reference))));
  }

  /** Where a source is in this repository. */
  private topOf({ namespace }: Item, source: Node, path: string): string | undefined {
    const named = {
      kind: "GitRepository",
      name: source.textAt("name") ?? "",
      namespace: source.textAt("namespace") ?? namespace ?? "flux-system",
    };
    const found = this.sources.find(named, { path });
    return "top" in found ? found.top : undefined;
  }
}

/** By default an object in the namespace of the release. */
function referred({ namespace }: Item, reference: Node): ObjectId {
  const [kind = "", name = ""] = [reference.textAt("kind"), reference.textAt("name")];
  const own = reference.textAt("namespace") ?? namespace;
  return { kind, name, ...(own !== undefined && { namespace: own }) };
}

/** An OCIRepository, or a HelmChart of Flux. */
function referredChart(release: Item): string | undefined {
  return specOf(release)?.get("chartRef")?.textAt("name");
}

function noValuesFile(directory: string, file: string, item: NonNullable<Diagnostic["item"]>): Diagnostic {
  const message = `\`${join(directory, file)}\`, a file of \`valuesFiles\`, does not exist: Flux builds no chart`;
  const hint = "correct its path in `spec.chart.spec`";
  return notBuilt({ message, item, at: { text: objectText(item) }, hint, severity: "error" });
}

/** As Flux and Giant Swarm's chart-operator name it. */
function releaseOf(item: Item, places: ObjectPlaces): NonNullable<ChartUser["release"]> {
  const spec = specOf(item);
  if (item.kind === appKind.kind) return { name: item.name, namespace: spec?.textAt("namespace") };
  const target = spec?.textAt("targetNamespace");
  const name = target === undefined ? item.name : `${target}-${item.name}`;
  return {
    name: spec?.textAt("releaseName") ?? name,
    namespace: target ?? item.namespace,
    patches: postRenderers(item, places),
  };
}

/** Giant Swarm's chart-operator has Helm 3. */
function helmOf({ kind }: Item): HelmVersion {
  return kind === appKind.kind ? 3 : 4;
}

function nameIn(fields: Node, field: string): Pick<ReleaseChart, "name" | "version"> {
  return { name: fields.textAt(field) ?? "", version: fields.textAt("version") ?? "" };
}
