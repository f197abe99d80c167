// The charts of HelmReleases: a path in a GitRepository that is this repository, or what `--chart` names.
import { existsSync, realpathSync } from "node:fs";
import { basename, join } from "node:path";
import {
  childOf,
  helmReleaseKind,
  isNamedAs,
  isNode,
  type Item,
  listAt,
  scalarText,
  textAt,
} from "../../core/index.ts";
import {
  fileDocument,
  mergedName,
  mergedTarget,
  type OverChartOf,
  type StackDocument,
  valuesKind,
} from "../../explain/index.ts";
import { readFile } from "../disk.ts";
import { Charts } from "../helm/charts.ts";
import { repositoryOf } from "../kustomize/build.ts";
import { shownFrom } from "../names.ts";
import { itemsIn } from "../placed-object.ts";
import type { Workspace } from "../workspace.ts";
import { remotesOf } from "./cluster.ts";
import { directoryAt, FluxSources } from "./sources.ts";

/** @param streams what the list is made of */
export function releaseCharts(streams: readonly Uint8Array[], workspace: Workspace): OverChartOf {
  const charts = new Charts(workspace);
  let known: ReleaseCharts | undefined;
  return (target, documents) => {
    // Bare values files.
    if (target === mergedTarget) {
      const user = { kind: valuesKind, name: mergedName, helm: 4 } as const;
      return charts.pathFor(user) === undefined ? undefined : charts.over(user, documents);
    }
    known ??= new ReleaseCharts(streams.flatMap(itemsIn), workspace, charts);
    return known.over(target, documents);
  };
}

interface ReleaseChart {
  readonly name: string;
  readonly version: string;
  /** Its directory, if that is in this repository. */
  readonly path: string | undefined;
  /** Files that take the place of its own values. */
  readonly valuesFiles: readonly string[];
}

class ReleaseCharts {
  private readonly releases: readonly Item[];
  private readonly charts: Charts;
  private readonly sources: FluxSources;
  private readonly top: string;
  private readonly shown: (path: string) => string;

  constructor(items: readonly Item[], workspace: Workspace, charts: Charts) {
    const start = realpathSync(workspace.from);
    this.top = workspace.top ?? repositoryOf(start) ?? start;
    this.releases = items.filter(({ kind }) => kind === helmReleaseKind.kind);
    this.charts = charts;
    this.shown = shownFrom(workspace.from);
    this.sources = new FluxSources(workspace.remotes ?? remotesOf(this.top));
    for (const item of items) this.sources.add(item);
  }

  /** Undefined where there is no such release, or several. */
  over(target: string, documents: readonly StackDocument[]): ReturnType<OverChartOf> {
    const [release, second] = this.releases.filter((item) => isNamedAs(item, target));
    if (release === undefined || second !== undefined) return undefined;
    const { kind, name, namespace } = release;
    const chart = this.chartOf(release);
    const user = { kind, name, namespace, chart, path: chart?.path, helm: 4 } as const;
    if (this.charts.pathFor(user) === undefined) return undefined;
    const files = (chart?.valuesFiles ?? []).filter((path) => existsSync(path));
    const defaults = files.map((path) => {
      const facts = { name: this.shown(path), why: "chart", state: "folded" } as const;
      return fileDocument(readFile(path), facts).document;
    });
    const given = [...defaults, ...documents];
    const over = this.charts.over({ ...user, hasOwnDefaults: defaults.length === 0 }, given);
    return over.start === undefined ? over : { ...over, start: over.start + defaults.length };
  }

  private chartOf(release: Item): ReleaseChart | undefined {
    const root = release.read();
    const spec = isNode(root) ? childOf(root, "spec") : undefined;
    const chart = spec && childOf(spec, "chart");
    const fields = chart && childOf(chart, "spec");
    if (fields === undefined) return undefined;
    const name = textAt(fields, "chart") ?? "";
    const source = childOf(fields, "sourceRef");
    const top =
      source === undefined || textAt(source, "kind") !== "GitRepository"
        ? undefined
        : this.topOf(release, source);
    return {
      name: basename(name),
      version: textAt(fields, "version") ?? "",
      path: top === undefined ? undefined : directoryAt(this.top, join(top, name)),
      valuesFiles:
        top === undefined
          ? []
          : listAt(fields, "valuesFiles").map((each) => join(this.top, top, scalarText(each))),
    };
  }

  /** Where a source is in this repository. */
  private topOf({ namespace }: Item, source: Parameters<typeof textAt>[0]): string | undefined {
    const found = this.sources.find({
      kind: "GitRepository",
      name: textAt(source, "name") ?? "",
      namespace: textAt(source, "namespace") ?? namespace ?? "flux-system",
    });
    return "path" in found ? found.path : undefined;
  }
}
