// HelmChart and HelmChartConfig of k3s and RKE2 → targets. Their helm-controller gives Helm, lowest first: `valuesContent`,
// `values` and `valuesSecrets` of the HelmChart, the same three of the HelmChartConfig of its name, and `set` of the HelmChart.
import { basename, dirname } from "node:path";
import type { Item } from "../../krm/index.ts";
import { bufferOf } from "../../yaml/index.ts";
import type { Diagnostic } from "../../diagnostic.ts";
import { objectId, objectKey } from "../../object-id.ts";
import {
  type Parameter,
  parameterDocument,
  parameterOf,
  type StackDocument,
  typedValue,
  unseenDocument,
} from "../../explain/index.ts";
import { fieldIn, isHidden, listIn, membersIn, opened, type Placed, textIn } from "../placed.ts";
import { type FoundObjects, placedObject, type PlacedObject } from "../placed-object.ts";
import { type Charts, type ChartOptions, chartsOf, type ChartUser, type FoundTargets } from "./charts.ts";
import { mappingDocuments, yamlDocument } from "./inline-values.ts";
import { itemsIn } from "../items.ts";

const group = "helm.cattle.io/";
const [chartKind, configKind] = ["HelmChart", "HelmChartConfig"];

export const helmChartKinds = {
  kinds: [chartKind, configKind],
  fields: ["spec.values", "spec.valuesContent", "spec.set"],
  isTarget: isHelmChart,
  targets: helmCharts,
};

interface ChartAndConfig {
  readonly chart?: PlacedObject;
  readonly config?: PlacedObject;
}

async function helmCharts(objects: readonly FoundObjects[], options: ChartOptions): Promise<FoundTargets> {
  const charts = chartsOf(options);
  const pairs = new Map<string, ChartAndConfig>();
  for (const { bytes, placesOf } of objects)
    for (const item of bufferOf(bytes).includes(group) ? itemsIn(bytes).filter(isHelmChart) : []) {
      const object = placedObject(item, placesOf(item));
      const id = objectKey({ ...object, kind: chartKind, name: item.name });
      if (object !== undefined)
        pairs.set(id, { ...pairs.get(id), [item.kind === chartKind ? "chart" : "config"]: object });
    }
  const found = await Promise.all([...pairs.values()].map((pair) => targetsOf(pair, charts)));
  return { targets: found.flatMap(({ targets }) => targets), faults: found.flatMap(({ faults }) => faults) };
}

/** True for an item that is one of the two. */
function isHelmChart({ apiVersion, kind }: Item): boolean {
  return apiVersion.startsWith(group) && (kind === chartKind || kind === configKind);
}

async function targetsOf({ chart, config }: ChartAndConfig, charts: Charts): Promise<FoundTargets> {
  const top = chart ?? config;
  if (top === undefined) return { targets: [], faults: [] };
  const item = objectId(top);
  const own: Diagnostic[] = [];
  const endsLine = (): boolean => charts.helmFor(4) === 4;
  const below = [
    ...(chart === undefined ? [unseenChart(top)] : documentsOf(chart, own, endsLine)),
    ...(config === undefined ? [] : documentsOf(config, own, endsLine)),
  ];
  const set = chart === undefined ? [] : setDocument(chart, below, own);
  const [spec, version] = ["chart", "version"].map((field) => textIn(fieldIn(top.spec, field)));
  const named = spec === undefined ? undefined : chartNamed(spec, version, textIn(fieldIn(top.spec, "repo")));
  // Its pod has Helm 4 since June 2026, whatever `helmVersion` says.
  const release = { namespace: textIn(fieldIn(top.spec, "targetNamespace")) ?? "default" };
  const user = { ...item, chart: named, helm: 4, release } as const;
  const { targets, faults } = await charts.target(user, top.at, [...below, ...set]);
  return { targets, faults: [...own, ...faults].map((each) => ({ item, ...each })) };
}

/** A chart of a registry is named by its URL. */
function chartNamed(spec: string, version = "", repo?: string): NonNullable<ChartUser["chart"]> {
  const repository = repo ?? (spec.startsWith("oci://") ? dirname(spec) : undefined);
  return { name: basename(spec), version, repository };
}

/** k3s and RKE2 bring HelmCharts of their own. */
function unseenChart(config: PlacedObject): StackDocument {
  return unseenDocument({ ...objectId({ ...config, kind: chartKind }), why: "platform", state: "unseen" });
}

function documentsOf(
  object: PlacedObject,
  faults: Diagnostic[],
  endsLine: () => boolean,
): readonly StackDocument[] {
  const start = object.kind === chartKind ? "spec." : `${configKind} spec.`;
  const slot = (field: string): string => `${start}${field}`;
  const [text, values] = [fieldIn(object.spec, "valuesContent"), fieldIn(object.spec, "values")];
  const documents: StackDocument[] = [];
  if (text !== undefined && (textIn(text) ?? "") !== "") {
    const { document, diagnostics } = yamlDocument(text, slot("valuesContent"), endsLine);
    documents.push(document);
    faults.push(...diagnostics);
  }
  if (values !== undefined && membersIn(values).size > 0)
    documents.push(...mappingDocuments(values, slot("values"), object.chainOf?.(["spec", "values"])));
  return [...documents, ...secretsOf(object, slot("valuesSecrets"))];
}

/** Their values are not read: what they set is unknown. */
function secretsOf({ spec, namespace }: PlacedObject, slot: string): readonly StackDocument[] {
  return listIn(fieldIn(spec, "valuesSecrets")).flatMap((each, index) =>
    listIn(fieldIn(each, "keys")).map((key) =>
      unseenDocument({
        ...objectId({ kind: "Secret", name: textIn(fieldIn(each, "name")) ?? "", namespace }),
        key: textIn(key) ?? "",
        why: "reference",
        slot: `${slot}[${index}]`,
        state: "late",
        ...(each.at && { at: each.at }),
      }),
    ),
  );
}

/** As `--set`, then as `--set-string`, each in the order of their names. */
function setDocument(
  { spec }: PlacedObject,
  below: readonly StackDocument[],
  faults: Diagnostic[],
): readonly StackDocument[] {
  const all = [...membersIn(fieldIn(spec, "set"))].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const documents = [...below];
  for (const isTypedSet of [true, false]) {
    const parameters = all
      .filter(([, value]) => isTyped(opened(value)) === isTypedSet)
      .flatMap(([name, value]): readonly Parameter[] => {
        const { at, variables } = value;
        const written = textIn(opened(value)) ?? "";
        const text = isTypedSet ? written : written.replaceAll(/(?<!\\)\\*,/g, escapedComma);
        const read = isTypedSet ? typedValue : (each: string) => each;
        return [
          parameterOf({ name, at, variables, isSecret: isHidden(value), text, read }, faults) ?? [],
        ].flat();
      });
    if (parameters.length > 0)
      documents.push(parameterDocument({ slot: "spec.set", parameters }, documents, faults));
  }
  return documents.slice(below.length);
}

/** Numbers, and the words that `--set` reads as something else than a text. */
function isTyped(field: Placed): boolean {
  return typeof field.value === "number" || /^(?:true|false|null)$/i.test(textIn(field) ?? "");
}

/** A comma is a part of the value, unless its author escaped it. */
function escapedComma(written: string): string {
  return written.length % 2 === 0 ? written : `\\${written}`;
}
