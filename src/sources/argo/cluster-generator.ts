// The generator `clusters`: what a file says that Argo CD knows → parameters.
import type { Place } from "../../explanation.ts";
import { fieldIn, isTrue, listIn, membersIn, type Placed, textIn } from "../placed.ts";
import { type Generated, type GeneratorScene, normalized } from "./generator-scene.ts";
import {
  flattened,
  nested,
  noParameters,
  placesIn,
  type SetParameters,
  withValues,
} from "./parameters-of-sets.ts";
import { isSelected } from "./selector.ts";

const nothing: Placed = { value: new Map(), at: undefined };
const unknownClusters = "what the generator `clusters` makes is known in the cluster only";
const ownServer = "https://kubernetes.default.svc";
const clusterLabel = { "argocd.argoproj.io/secret-type": "cluster" };

export async function clusterParameters(own: Placed, scene: GeneratorScene): Promise<Generated> {
  const { clusters: file } = scene.around;
  if (file === undefined)
    return scene.unseen(unknownClusters, own.at, "list them in a file: --clusters FILE");
  const root = scene.around.read(file);
  if (!("value" in root)) {
    scene.faults.push(root);
    return undefined;
  }
  const wrong = wrongIn(root);
  if (wrong !== undefined) return scene.refuse(`the clusters of a file: ${wrong.what}`, wrong.at);
  const selector = fieldIn(own, "selector");
  const isChoosing =
    listIn(fieldIn(selector, "matchExpressions")).length + membersIn(fieldIn(selector, "matchLabels")).size >
    0;
  const all = listIn(root);
  const hasOwn = all.some((each) => textIn(fieldIn(each, "server")) === ownServer);
  const labelled = all.filter((each) =>
    isSelected(selector, {
      ...clusterLabel,
      ...flattened(nested(fieldIn(each, "labels") ?? nothing).values),
    }),
  );
  const found = labelled.map((each) => ofCluster(each, scene));
  const local = { name: "in-cluster", nameNormalized: "in-cluster", server: ownServer, project: "" };
  const chosen = isChoosing || hasOwn ? found : [...found, withValues(noParameters, local)];
  const filledIn = await scene.withOwnValues(chosen, fieldIn(own, "values"));
  if (!isTrue(fieldIn(own, "flatList"))) return filledIn;
  return filledIn && [withValues(noParameters, { clusters: filledIn.map(({ values }) => values) })];
}

const clusterFields = ["name", "server", "project", "labels", "annotations"];

interface WrongCluster {
  readonly what: string;
  readonly at: Place | undefined;
}

/** Undefined for a list of clusters. */
function wrongIn(root: Placed): WrongCluster | undefined {
  if (!Array.isArray(root.value)) return { what: "expected a list", at: root.at };
  return listIn(root).flatMap((each) => wrongFields(each))[0];
}

function wrongFields(cluster: Placed): WrongCluster[] {
  if (!(cluster.value instanceof Map)) return [{ what: "expected a mapping for each", at: cluster.at }];
  const fields = membersIn(cluster);
  const isLabels = (name: string): boolean => name === "labels" || name === "annotations";
  const wrong = [...fields].flatMap(([name, { value, at }]): WrongCluster[] => {
    if (!clusterFields.includes(name)) return [{ what: `a cluster has no field \`${name}\``, at }];
    return isLabels(name) && value !== null && !(value instanceof Map)
      ? [{ what: `\`${name}\`: expected a mapping`, at }]
      : [];
  });
  const missing = ["name", "server"].filter((name) => textIn(fields.get(name)) === undefined);
  return [...wrong, ...missing.map((name) => ({ what: `a cluster needs \`${name}\``, at: cluster.at }))];
}

function ofCluster(cluster: Placed, { form }: GeneratorScene): SetParameters {
  const text = (field: string): string => textIn(fieldIn(cluster, field)) ?? "";
  const own = {
    name: text("name"),
    nameNormalized: normalized(text("name")),
    server: text("server"),
    project: text("project"),
  };
  const metadata = Object.fromEntries(
    ["annotations", "labels"].flatMap((field) => {
      const members = fieldIn(cluster, field);
      return members === undefined || membersIn(members).size === 0 ? [] : [[field, nested(members).values]];
    }),
  );
  const places = new Map([
    ...placesIn(cluster),
    ...placesIn(fieldIn(cluster, "annotations") ?? nothing, "metadata.annotations"),
    ...placesIn(fieldIn(cluster, "labels") ?? nothing, "metadata.labels"),
  ]);
  if (form.isGo) return { values: { ...own, metadata }, places };
  return { values: { ...own, ...flattened({ metadata }) }, places };
}
