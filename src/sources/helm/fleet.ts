// A `fleet.yaml` of Rancher Fleet → targets: what clusters get that no customization is for, and what each customization makes of
// it. Lowest first: `helm.values`, `helm.valuesFiles`, the same two of the customization, `templateValues`, `valuesFrom`.
import { basename, dirname, join } from "node:path";
import type { Diagnostic } from "../../diagnostic.ts";
import { objectId } from "../../object-id.ts";
import {
  type ChartPatches,
  type SourceTarget,
  type StackDocument,
  unseenDocument,
} from "../../explain/index.ts";
import { existsSync, readFile } from "../disk.ts";
import { chartPatches } from "../kustomize/over-chart.ts";
import { kustomizationFile, readTree } from "../kustomize/tree.ts";
import { shownFrom } from "../names.ts";
import { notBuilt, passedOver } from "../not-built.ts";
import { fieldIn, listIn, membersIn, type Placed, textIn } from "../placed.ts";
import { readPlaced, valuesFile } from "../files.ts";
import { type Charts, type ChartOptions, chartsOf, type FoundTargets } from "./charts.ts";
import { mappingDocuments } from "./inline-values.ts";
import { asFields, plainOfText } from "../plain.ts";

const fileNames = ["fleet.yaml", "fleet.yml"];
const ownFields = ["helm", "targetCustomizations", "defaultNamespace", "kustomize", "overrideTargets"];

/** The file of a directory, if Fleet deploys it. */
export function fleetFile(directory: string): string | undefined {
  return fileNames.map((name) => join(directory, name)).find((path) => existsSync(path) && isFleet(path));
}

/** True for a file with Fleet's name and fields: a chart may have values in a file of this name. */
export function isFleet(path: string, bytes: () => Uint8Array = () => readFile(path)): boolean {
  if (!fileNames.includes(basename(path))) return false;
  const fields = asFields(plainOfText(bytes()));
  return ownFields.some((field) => field in fields);
}

/** The values files that it names. */
export function filesOfFleet(path: string): readonly string[] {
  const root = readPlaced(path, path);
  if (!("value" in root)) return [];
  const customizations = customizationsIn(root).map(({ each }) => each);
  const files = [root, ...customizations].flatMap((each) => listIn(fieldIn(each, "helm", "valuesFiles")));
  return files.map((each) => join(dirname(path), textIn(each) ?? ""));
}

interface FleetKustomizations {
  readonly directories: readonly string[];
  /** True if they change what Helm makes of a chart: without that they build nothing. */
  readonly isOver: boolean;
}

/** The kustomizations that it builds, for some clusters or all. */
export function kustomizationsOf(path: string): FleetKustomizations {
  const directory = dirname(path);
  const root = readPlaced(path, path);
  if (!("value" in root)) return { directories: [], isOver: false };
  const all = [root, ...customizationsIn(root).map(({ each }) => each)];
  const isOver =
    all.some((each) => hasChart(fieldIn(each, "helm"))) || existsSync(join(directory, "Chart.yaml"));
  const own = textIn(fieldIn(root, "kustomize", "dir"));
  const folders = all.map((each) => textIn(fieldIn(each, "kustomize", "dir")) ?? own ?? ".");
  const directories = [...new Set(folders.map((each) => join(directory, each)))];
  return { directories: directories.filter((each) => kustomizationFile(each) !== undefined), isOver };
}

export function postRenderersOf(path: string): readonly string[] {
  const { directories, isOver } = kustomizationsOf(path);
  return isOver ? directories : [];
}

/** What its customizations are, and how faults name each. */
function customizationsIn(root: Placed): readonly { readonly each: Placed; readonly shown: string }[] {
  return ["targets", "targetCustomizations"].flatMap((field) =>
    listIn(fieldIn(root, field)).map((each, index) => ({ each, shown: `${field}[${index}]` })),
  );
}

export async function fleetTargets(path: string, options: ChartOptions): Promise<FoundTargets> {
  const root = readPlaced(path, shownFrom(options.from)(path));
  if (!("value" in root)) return { targets: [], faults: [root] };
  return new Fleet(root, path, options).found();
}

class Fleet {
  private readonly root: Placed;
  private readonly directory: string;
  private readonly shown: (path: string) => string;
  private readonly charts: Charts;
  private readonly faults: Diagnostic[] = [];
  /** The kustomizations that are over its chart. */
  private readonly over: readonly string[];

  constructor(root: Placed, path: string, options: ChartOptions) {
    this.over = postRenderersOf(path);
    this.root = root;
    this.directory = dirname(path);
    this.shown = shownFrom(options.from);
    this.charts = chartsOf(options);
  }

  async found(): Promise<FoundTargets> {
    const name = textIn(fieldIn(this.root, "name")) ?? basename(this.directory);
    const own = fieldIn(this.root, "helm");
    const below = this.valuesOf(own, "helm", hasChart(own));
    const customizations = customizationsIn(this.root);
    const deployed = customizations.filter(({ each }) => fieldIn(each, "doNotDeploy")?.value !== true);
    const made: SourceTarget[] = [];
    for (const [index, { each, shown }] of deployed.entries()) {
      const helm = fieldIn(each, "helm");
      const suffix = textIn(fieldIn(each, "name")) ?? `target${String(index).padStart(3, "0")}`;
      const over = this.valuesOf(helm, `${shown}.helm`, true);
      const given = [...below, ...over, ...unseenOver([own, helm])];
      made.push(...(await this.target(`${name}@${suffix}`, each, [own, helm], given)));
    }
    const plain = await this.target(name, this.root, [own], [...below, ...unseenOver([own])]);
    this.note(customizations.length);
    return { targets: [...plain, ...made], faults: this.faults };
  }

  private async target(
    name: string,
    each: Placed,
    helms: readonly (Placed | undefined)[],
    given: readonly StackDocument[],
  ): Promise<readonly SourceTarget[]> {
    const item = { kind: "Bundle", name };
    const folders = [each, this.root].map((own) => textIn(fieldIn(own, "kustomize", "dir")));
    const folder = join(this.directory, folders.find((own) => own !== undefined) ?? ".");
    const text = (field: string): string | undefined =>
      helms.flatMap((helm) => filledIn(helm, field) ?? []).at(-1);
    const [chart, repo] = [text("chart"), text("repo")];
    const path = repo === undefined ? join(this.directory, chart ?? ".") : undefined;
    const named =
      chart === undefined
        ? undefined
        : { name: basename(chart), version: text("version") ?? "", repository: repo };
    const release = {
      patches: this.patchesOf(folder),
      name: text("releaseName"),
      namespace: ["namespace", "defaultNamespace"].flatMap(
        (field) => textIn(fieldIn(this.root, field)) ?? [],
      )[0],
    };
    // Fleet has Helm 4 from 0.15 on.
    const user = { ...item, chart: named, path, helm: 4, release } as const;
    const { targets, faults } = await this.charts.target(user, each.at, given);
    this.faults.push(...faults);
    return targets;
  }

  /** A kustomization has what Helm makes as a resource. */
  private patchesOf(directory: string): ChartPatches | undefined {
    if (!this.over.includes(directory)) return undefined;
    const tree = readTree(directory);
    const stage = { tree, directory: tree.top?.directory ?? directory, shown: this.shown };
    return chartPatches("its kustomization", () => [stage]);
  }

  /** @param readsFiles false where Fleet ignores the files: it reads them for a chart that is named */
  private valuesOf(helm: Placed | undefined, slot: string, readsFiles: boolean): readonly StackDocument[] {
    const values = fieldIn(helm, "values");
    const files = listIn(fieldIn(helm, "valuesFiles"));
    const [ignored] = readsFiles ? [] : files;
    if (ignored !== undefined)
      this.report("Fleet ignores `helm.valuesFiles` without `helm.chart` or `helm.repo`", ignored);
    return [
      ...(values === undefined ? [] : mappingDocuments(values, `${slot}.values`, undefined)),
      ...(readsFiles ? files : []).flatMap((each) => this.file(each, `${slot}.valuesFiles`)),
    ];
  }

  private file(written: Placed, slot: string): readonly StackDocument[] {
    const name = textIn(written) ?? "";
    const path = join(this.directory, name);
    if (!existsSync(path)) {
      this.report(`Fleet cannot use the values file \`${name}\`: it does not exist`, written, "error");
      return [];
    }
    const { document, diagnostics } = valuesFile(path, this.shown, { why: "file", slot }, () => false);
    this.faults.push(...diagnostics);
    return [document];
  }

  /** What Fleet does for each cluster. */
  private note(customizations: number): void {
    if (/\$\{|global\.fleet\.clusterLabels/.test(JSON.stringify(plainTexts(this.root))))
      this.faults.push(passedOver("values with `${ … }` and cluster labels stay as they are written"));
    if (textIn(fieldIn(this.root, "targetCustomizationMode")) === "AllMatches" && customizations > 1)
      this.faults.push(passedOver("each customization is shown by itself: clusters may get several"));
  }

  private report(message: string, { at }: Placed, severity: "error" | "warning" = "warning"): void {
    this.faults.push(notBuilt({ message, severity, at }));
  }
}

function hasChart(helm: Placed | undefined): boolean {
  return filledIn(helm, "chart") !== undefined || filledIn(helm, "repo") !== undefined;
}

/** An empty text counts as unset. */
function filledIn(helm: Placed | undefined, field: string): string | undefined {
  return textIn(fieldIn(helm, field)) || undefined;
}

/** What clusters fill in, and what they hold: it may set anything. */
function unseenOver(all: readonly (Placed | undefined)[]): readonly StackDocument[] {
  const templates = all.flatMap((helm) => [...membersIn(fieldIn(helm, "templateValues")).values()]);
  const [first] = templates;
  const references = all.flatMap((helm) => listIn(fieldIn(helm, "valuesFrom")));
  return [
    ...(first === undefined
      ? []
      : [
          unseenDocument({
            name: "templateValues",
            why: "own",
            state: "unseen",
            ...(first.at && { at: first.at }),
          }),
        ]),
    ...references.flatMap((each) => [
      ...unseenReference(each, "ConfigMap", fieldIn(each, "configMapKeyRef")),
      ...unseenReference(each, "Secret", fieldIn(each, "secretKeyRef")),
    ]),
  ];
}

function unseenReference(
  { at }: Placed,
  kind: "ConfigMap" | "Secret",
  reference: Placed | undefined,
): readonly StackDocument[] {
  const name = textIn(fieldIn(reference, "name"));
  if (name === undefined) return [];
  return [
    unseenDocument({
      ...objectId({ kind, name, namespace: textIn(fieldIn(reference, "namespace")) }),
      why: "reference",
      slot: "helm.valuesFrom",
      state: "late",
      ...(at && { at }),
    }),
  ];
}

function plainTexts(field: Placed): readonly string[] {
  const text = typeof field.value === "string" ? [field.value] : [];
  return [...text, ...[...membersIn(field).values(), ...listIn(field)].flatMap(plainTexts)];
}
