// The charts that a kustomization gives to Helm (`helmCharts`) → targets: a values file, what is inline, and additional files.
import { join } from "node:path";
import type { Diagnostic } from "../../diagnostic.ts";
import { objectId } from "../../object-id.ts";
import {
  type ChartPatches,
  positionOf,
  type SourceTarget,
  type StackDocument,
  withValues,
} from "../../explain/index.ts";
import {
  capabilitiesIn,
  type Charts,
  type ChartOptions,
  chartsOf,
  type FoundTargets,
} from "../helm/charts.ts";
import { existsSync, isFile } from "../disk.ts";
import { shownFrom } from "../names.ts";
import { notBuilt } from "../not-built.ts";
import { fieldIn, listIn, membersIn, type Placed, textIn } from "../placed.ts";
import { readPlaced, valuesFile } from "../files.ts";
import { startsWith } from "./marks.ts";
import { chartPatches } from "./over-chart.ts";
import { type Kustomization, type KustomizationTree, namesCharts } from "./tree.ts";
import { madeBy, madeFaults } from "../helm/made-targets.ts";
import { type FoundLeaf, leavesIn, treeOf, valuesOf } from "../helm/value-tree.ts";
import { mappingDocuments } from "../helm/inline-values.ts";

export async function kustomizationCharts(
  tree: KustomizationTree,
  options: ChartOptions,
): Promise<FoundTargets> {
  const { all, overlay } = tree;
  const faults: Diagnostic[] = [];
  const shown = shownFrom(options.from);
  const charts = chartsOf(options);
  const targets: SourceTarget[] = [];
  const namespaces = namespacesIn(tree);
  for (const each of all.filter(namesCharts)) {
    const { directory, fileName } = each;
    const root = readPlaced(join(directory, fileName), shown(join(directory, fileName)));
    if (!("value" in root)) continue;
    const home = textIn(fieldIn(root, "helmGlobals", "chartHome")) ?? "charts";
    // What is added to a kustomization is in no file of it.
    const stages = overlay === undefined ? [{ tree, directory, shown, annotations: ofHelm }] : undefined;
    const patches = chartPatches("its kustomization", () => stages);
    const namespace = namespaces.get(each);
    const around = { directory, home, shown, faults, charts, patches, namespace };
    for (const chart of listIn(fieldIn(root, "helmCharts")))
      targets.push(...(await new KustomizationChart(chart, around).targets()));
  }
  return { targets, faults };
}

/** kustomize gives them to what Helm makes: no `namespace` of a kustomization changes these objects. */
const ofHelm = { "internal.config.kubernetes.io/helm-generated": "true" };

/** The namespace that Helm gets where a chart names none: that of the kustomization, or of one above it. */
function namespacesIn({ top }: KustomizationTree): ReadonlyMap<Kustomization, string | undefined> {
  const found = new Map<Kustomization, string | undefined>();
  const visit = (each: Kustomization, above: string | undefined): void => {
    if (found.has(each)) return;
    const { namespace } = each.fields;
    const own = typeof namespace === "string" && namespace !== "" ? namespace : above;
    found.set(each, own);
    for (const other of each.entered) visit(other, own);
  };
  if (top !== undefined) visit(top, undefined);
  return found;
}

interface OfKustomization {
  readonly directory: string;
  /** Where charts are, from there. */
  readonly home: string;
  readonly shown: (path: string) => string;
  readonly faults: Diagnostic[];
  readonly charts: Charts;
  /** What kustomize makes of the objects of its charts. */
  readonly patches: ChartPatches;
  readonly namespace: string | undefined;
}

class KustomizationChart {
  private readonly chart: Placed;
  private readonly around: OfKustomization;
  private readonly item: NonNullable<Diagnostic["item"]>;

  constructor(chart: Placed, around: OfKustomization) {
    this.chart = chart;
    this.around = around;
    const [namespace, name] = [this.text("namespace"), this.text("releaseName") ?? this.text("name") ?? ""];
    this.item = objectId({ kind: "Chart", name, namespace });
  }

  async targets(): Promise<readonly SourceTarget[]> {
    const { faults, charts } = this.around;
    const { at } = this.chart;
    const [name = "", version = ""] = [this.text("name"), this.text("version")];
    const chart = { name, version, repository: this.text("repo") };
    const given = [...this.valuesDocuments(), ...this.additional()];
    // As `helm template` names what has no name.
    const release = {
      name: this.text("releaseName") ?? "release-name",
      namespace: this.text("namespace") ?? this.around.namespace,
      patches: this.around.patches,
      ...capabilitiesIn(this.chart),
    };
    const user = { ...this.item, chart, path: this.chartDirectory(), helm: 4, release } as const;
    const found = await charts.target(user, at, given);
    const isHere = found.targets.some(({ stacks }) => stacks.some((stack) => stack.release !== undefined));
    const missing = isHere
      ? [
          this.fault(`what the chart \`${name}\` makes is a layer of no other target`, at, "info"),
          ...madeFaults(name, madeBy(user.path), this.item, at && positionOf(at)),
        ]
      : [this.fault(`the chart \`${name}\` is not here: what it makes is missing`, at)];
    faults.push(...missing, ...found.faults);
    return found.targets;
  }

  /** What kustomize merges to one file. */
  private valuesDocuments(): readonly StackDocument[] {
    const inline = this.field("valuesInline");
    const own =
      inline !== undefined && membersIn(inline).size > 0
        ? mappingDocuments(inline, "valuesInline", undefined)
        : [];
    const merge = this.text("valuesMerge") ?? "override";
    if (own.length > 0 && merge === "replace") return own;
    const named = this.field("valuesFile");
    // The chart's own values are over what is inline, then.
    const usual = named === undefined && own.length > 0 && merge === "merge" ? this.defaults() : [];
    const file = named === undefined ? usual : this.file(named, "valuesFile");
    this.refuseClash(file.length > 0 ? file : this.defaults(), own);
    const [lower, upper] = merge === "merge" ? [own, file] : [file, own];
    // Kustomize removes nulls: they remove nothing of the chart.
    const over = upper.flatMap((each) => leavesIn(treeOf(each)));
    const removed = over.filter(({ leaf }) => leaf.value === null);
    return [
      ...lower.map((each) =>
        keeping(each, (leaf) => !removed.some(({ path }) => startsWith(leaf.path, path))),
      ),
      ...upper.map((each) => keeping(each, ({ leaf }) => leaf.value !== null)),
    ];
  }

  /** The chart's values, which kustomize takes where no file is named. */
  private defaults(): readonly StackDocument[] {
    const path = join(this.chartDirectory(), "values.yaml");
    return existsSync(path) ? [this.documentAt(path, "valuesFile", "chart")] : [];
  }

  /** Kustomize refuses to merge a list, a mapping and a scalar. */
  private refuseClash([file]: readonly StackDocument[], [own]: readonly StackDocument[]): void {
    const clash = file && own && clashIn(treeOf(file), treeOf(own), []);
    if (clash === undefined) return;
    const message = `kustomize cannot merge \`${clash.path.join(".")}\`: its types differ`;
    this.around.faults.push(this.fault(message, clash.at, "error"));
  }

  private chartDirectory(): string {
    const { directory, home } = this.around;
    const [name = "", version] = [this.text("name"), this.text("version")];
    const isPulled = version !== undefined && this.text("repo") !== undefined;
    return join(directory, home, isPulled ? `${name}-${version}` : "", name);
  }

  private additional(): readonly StackDocument[] {
    return listIn(this.field("additionalValuesFiles")).flatMap((each, index) =>
      this.file(each, `additionalValuesFiles[${index}]`),
    );
  }

  private file(written: Placed, slot: string): readonly StackDocument[] {
    const name = textIn(written) ?? "";
    const path = join(this.around.directory, name);
    if (isFile(path)) return [this.documentAt(path, slot, "file")];
    const message = `kustomize cannot use the values file \`${name}\`: it does not exist`;
    this.around.faults.push(this.fault(message, written.at, "error"));
    return [];
  }

  private documentAt(path: string, slot: string, why: "file" | "chart"): StackDocument {
    const { charts, shown } = this.around;
    // What is merged with values inline is no more the file that Helm reads.
    const isMerged = slot === "valuesFile" && membersIn(this.field("valuesInline")).size > 0;
    const endsLine = (): boolean => !isMerged && charts.helmFor(4) === 4;
    const { document, diagnostics } = valuesFile(path, shown, { why, slot }, endsLine);
    this.around.faults.push(...diagnostics);
    return document;
  }

  private field(name: string): Placed | undefined {
    return fieldIn(this.chart, name);
  }

  private text(name: string): string | undefined {
    return textIn(this.field(name));
  }

  private fault(message: string, at: Placed["at"], severity: Diagnostic["severity"] = "warning"): Diagnostic {
    return notBuilt({ message, item: this.item, at, severity });
  }
}

/** With some of its values. */
function keeping(document: StackDocument, isIn: (found: FoundLeaf) => boolean): StackDocument {
  const all = leavesIn(treeOf(document));
  const kept = all.filter(isIn);
  return kept.length === all.length ? document : withValues(document, valuesOf(kept));
}

interface Clash {
  readonly path: readonly string[];
  readonly at: Placed["at"];
}

function clashIn(one: Placed, other: Placed, path: readonly string[]): Clash | undefined {
  if (one.value === null || other.value === null) return undefined;
  if (sortOf(one) !== sortOf(other)) return { path, at: other.at };
  for (const [key, each] of membersIn(other)) {
    const below = membersIn(one).get(key);
    const clash = below && clashIn(below, each, [...path, key]);
    if (clash !== undefined) return clash;
  }
  return undefined;
}

function sortOf({ value }: Placed): "mapping" | "list" | "scalar" {
  if (value instanceof Map) return "mapping";
  return Array.isArray(value) ? "list" : "scalar";
}
