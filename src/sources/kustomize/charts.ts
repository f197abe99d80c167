// The charts that a kustomization gives to Helm (`helmCharts`) → targets: a values file, what is inline, and additional files.
// Helm is not run: what the charts make is missing.
import { join } from "node:path";
import type { Diagnostic } from "../../diagnostic.ts";
import { objectId } from "../../object-id.ts";
import {
  type ChainValue,
  type ChartPatches,
  fileDocument,
  listedDocument,
  type SourceTarget,
  type StackDocument,
} from "../../explain/index.ts";
import { capabilitiesIn, Charts, type ChartOptions } from "../helm/charts.ts";
import type { FoundTargets } from "../helm/helm-charts.ts";
import { isSopsFile } from "../../layers/index.ts";
import { existsSync, isFile, readFile } from "../disk.ts";
import { shownFrom } from "../names.ts";
import { notBuilt } from "../not-built.ts";
import { fieldIn, listIn, membersIn, type Placed, textIn, valuesIn } from "../placed.ts";
import { readPlaced } from "../placed-file.ts";
import { startsWith } from "./marks.ts";
import { chartPatches } from "./over-chart.ts";
import { type Kustomization, type KustomizationTree, namesCharts } from "./tree.ts";

export async function kustomizationCharts(
  tree: KustomizationTree,
  options: ChartOptions,
): Promise<FoundTargets> {
  const { all, overlay } = tree;
  const faults: Diagnostic[] = [];
  const shown = shownFrom(options.from);
  const charts = new Charts(options);
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
      targets.push(await new KustomizationChart(chart, around).target());
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

/** Values that a field has, or the file that it names. */
interface WrittenValues {
  readonly root: Placed | undefined;
  readonly field: string;
  /** True for the chart's own, where no file is named. */
  readonly isDefault?: boolean;
  /** An encrypted file. */
  readonly sealed?: StackDocument | undefined;
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

  async target(): Promise<SourceTarget> {
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
    const over = await charts.over(user, given);
    faults.push(
      this.fault(`Helm is not run: what the chart \`${name}\` makes is missing`, at),
      ...over.faults,
    );
    const { faults: _faults, ...stack } = over;
    return { ...this.item, ...(at && { at }), stacks: [stack] };
  }

  /** What kustomize merges to one file. */
  private valuesDocuments(): readonly StackDocument[] {
    const inline = this.field("valuesInline");
    const own = inline !== undefined && membersIn(inline).size > 0 ? inline : undefined;
    const merge = this.text("valuesMerge") ?? "override";
    const isReplaced = own !== undefined && merge === "replace";
    // The chart's own values are over what is inline, then.
    const usual = own !== undefined && merge === "merge" ? this.defaults() : undefined;
    const { sealed, root: file } = isReplaced ? {} : this.valuesFile();
    const named = sealed === undefined && !isReplaced ? (file ?? usual) : undefined;
    const both = [
      { root: named, field: "valuesFile", isDefault: named === usual, sealed },
      { root: own, field: "valuesInline" },
    ] as const;
    if (!isReplaced && sealed === undefined) this.refuseClash(named ?? this.defaults(), own);
    const [lower, upper] = merge === "merge" ? both.toReversed() : both;
    const over = upper?.root && valuesOf(upper.root);
    const removed = (over ?? []).filter(isNull);
    return [
      ...this.documentOf(lower, (each) => !removed.some(({ path }) => startsWith(each.path, path))),
      // Kustomize removes nulls: they remove nothing of the chart.
      ...this.documentOf(upper, (each) => isReplaced || !isNull(each)),
    ];
  }

  /** The chart's values, which kustomize takes where no file is named. */
  private defaults(): Placed | undefined {
    const path = join(this.chartDirectory(), "values.yaml");
    const found = existsSync(path) ? readPlaced(path, this.around.shown(path)) : undefined;
    return found !== undefined && "value" in found ? found : undefined;
  }

  /** Kustomize refuses to merge a list, a mapping and a scalar. */
  private refuseClash(file: Placed | undefined, own: Placed | undefined): void {
    const clash = file && own && clashIn(file, own, []);
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
    return listIn(this.field("additionalValuesFiles")).flatMap((each, index) => {
      const field = `additionalValuesFiles[${index}]`;
      const sealed = this.sealed(each, field);
      return this.documentOf({ root: sealed === undefined ? this.read(each) : undefined, field, sealed });
    });
  }

  private documentOf(
    written: WrittenValues | undefined,
    isIn: (value: ChainValue) => boolean = () => true,
  ): readonly StackDocument[] {
    if (written?.sealed !== undefined) return [written.sealed];
    if (written?.root === undefined) return [];
    const { root, field, isDefault } = written;
    const values = valuesOf(root).filter(isIn);
    const chain = { at: root.at ?? { of: "text" as const }, isPatch: false, isSecret: false, values };
    const why = field === "valuesInline" ? "own" : isDefault === true ? "chart" : "file";
    return [listedDocument(chain, { why, slot: field, state: "folded", ...this.nameOf(root, why) })];
  }

  private nameOf({ at }: Placed, why: "own" | "file" | "chart"): { readonly name?: string } {
    return why !== "own" && at?.file !== undefined ? { name: at.file } : {};
  }

  private valuesFile(): Partial<Pick<WrittenValues, "root" | "sealed">> {
    const written = this.field("valuesFile");
    const sealed = this.sealed(written, "valuesFile");
    return written === undefined || sealed !== undefined ? { sealed } : { root: this.read(written) };
  }

  /** The file that a field names, if it is encrypted. */
  private sealed(written: Placed | undefined, slot: string): StackDocument | undefined {
    const path = join(this.around.directory, textIn(written) ?? "");
    if (written === undefined || !isFile(path)) return undefined;
    const bytes = readFile(path);
    const facts = { name: this.around.shown(path), why: "file", slot, state: "folded" } as const;
    return isSopsFile(bytes) ? fileDocument(bytes, facts).document : undefined;
  }

  private read(written: Placed): Placed | undefined {
    const { directory, shown, faults } = this.around;
    const name = textIn(written) ?? "";
    const path = join(directory, name);
    const found = existsSync(path) ? readPlaced(path, shown(path)) : undefined;
    if (found !== undefined && "value" in found) return found;
    const message = `kustomize cannot use the values file \`${name}\`: it does not exist`;
    faults.push({ ...(found ?? this.fault(message, written.at)), severity: "error" });
    return undefined;
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

function valuesOf(root: Placed): readonly ChainValue[] {
  return membersIn(root).size === 0 ? [] : valuesIn(root);
}

function isNull({ text }: ChainValue): boolean {
  return text === "null";
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
