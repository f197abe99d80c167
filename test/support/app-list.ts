// A generated App as the ResourceList that valuefold gets, as the objects the cluster has, and back.
import { parse } from "yaml";
import { type AppCase, type Extra, type LayerKind, type LayerObject, objectsOf } from "./generate-app.ts";

export interface ClusterObject {
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly annotations?: { readonly [key: string]: string };
  };
  readonly data?: { readonly [key: string]: string };
  readonly stringData?: { readonly [key: string]: string };
}

/** Items of the list: YAML documents as kustomize writes them. */
export function itemsOf(one: AppCase): string[] {
  const seen = new Set<string>();
  const objects = objectsOf(one).filter(
    ({ state, kind, name }) =>
      state !== "missing" && !seen.has(`${kind}/${name}`) && seen.add(`${kind}/${name}`),
  );
  return [
    ...objects.map((object) => objectText(object)),
    ...(one.catalogLayers === undefined ? [] : [catalogText(one.catalogLayers)]),
    appText(one),
  ];
}

export function listOf(items: readonly string[], config: string): string {
  const lines = items.map((item) => `- ${item.trimEnd().split("\n").join("\n  ")}\n`);
  return `apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n${lines.join("")}${config}`;
}

export function configOf({ unseen }: Pick<AppCase, "unseen">): string {
  return `functionConfig:\n  apiVersion: valuefold.dev/v1alpha1\n  kind: ValueFold\n  metadata:\n    name: fold\n  spec:\n    app:\n      unseen: ${JSON.stringify(unseen)}\n`;
}

/** @param target of annotated layers, as they name it */
export function objectText(object: LayerObject, target = "App/shop"): string {
  const { kind, name, namespace, text, form, state, annotated, local, unsubstituted, label } = object;
  const { key = "values" } = object;
  const annotations = [
    ...(annotated === undefined
      ? []
      : [`valuefold.dev/into: ${namespace === "org" ? target : target.replace("/", "/org/")}`]),
    ...(typeof annotated === "number" ? [`valuefold.dev/priority: "${annotated}"`] : []),
    ...(local ? ['config.kubernetes.io/local-config: "true"'] : []),
    ...(unsubstituted ? ["kustomize.toolkit.fluxcd.io/substitute: disabled"] : []),
  ];
  const head = `apiVersion: v1\nkind: ${kind}\nmetadata:\n  name: ${name}\n  namespace: ${namespace}\n  labels: {team: edge, own: ${label}}\n`;
  const noted =
    annotations.length === 0 ? "" : `  annotations:\n${annotations.map((line) => `    ${line}\n`).join("")}`;
  if (state === "sealed")
    return `${head}${noted}data:\n  ${key}: ENC[AES256_GCM,data:x]\nsops:\n  mac: ENC[AES256_GCM,data:y]\n`;
  const encoded = kind === "Secret" && form === "data";
  const value = encoded ? Buffer.from(text, "utf8").toString("base64") : JSON.stringify(text);
  return `${head}${noted}${kind === "Secret" ? form : "data"}:\n  ${key}: ${value}\n`;
}

function appText({ catalog, inCluster, config, userConfig, extras }: AppCase): string {
  const slot = (name: string, objects: readonly LayerObject[]): string =>
    objects.length === 0
      ? ""
      : `  ${name}:\n${objects.map((object) => `    ${camel(object.kind)}:\n      name: ${object.name}\n      namespace: ${object.namespace}\n`).join("")}`;
  const list =
    extras.length === 0 ? "  extraConfigs: []\n" : `  extraConfigs:\n${extras.map(extraText).join("")}`;
  return `apiVersion: application.giantswarm.io/v1alpha1\nkind: App\nmetadata:\n  name: shop\n  namespace: org\nspec:\n  catalog: ${catalog}\n${slot("config", config)}${list}  kubeConfig:\n    inCluster: ${inCluster}\n  name: shop\n${slot("userConfig", userConfig)}`;
}

function extraText({ object, priority }: Extra): string {
  const at = priority === undefined ? "" : `    priority: ${priority}\n`;
  const kind =
    object.kind === "ConfigMap" && priority === undefined ? "" : `kind: ${camel(object.kind)}\n    `;
  return `  - ${kind}name: ${object.name}\n    namespace: ${object.namespace}\n${at}`;
}

function catalogText(layers: readonly LayerObject[]): string {
  const lines = layers.map(
    (object) =>
      `    ${camel(object.kind)}:\n      name: ${object.name}\n      namespace: ${object.namespace}\n`,
  );
  return `apiVersion: application.giantswarm.io/v1alpha1\nkind: Catalog\nmetadata:\n  name: giantswarm\n  namespace: default\nspec:\n  title: x\n  config:\n${lines.join("")}`;
}

function camel(kind: LayerKind): string {
  return kind === "Secret" ? "secret" : "configMap";
}

/** What Flux makes of an object's text: variables filled in, in everything but encoded data. */
export function substitute(
  object: ClusterObject,
  variables: { readonly [name: string]: string },
): ClusterObject {
  if (object.metadata.annotations?.["kustomize.toolkit.fluxcd.io/substitute"] === "disabled") return object;
  const fill = (map: { readonly [key: string]: string }): { readonly [key: string]: string } =>
    Object.fromEntries(
      Object.entries(map).map(([key, text]) => [
        key,
        text.replaceAll(/\$\{(\w+)\}/g, (_, name: string) => variables[name] ?? ""),
      ]),
    );
  const data =
    object.data === undefined ? {} : { data: object.kind === "Secret" ? object.data : fill(object.data) };
  return {
    ...object,
    ...data,
    ...(object.stringData === undefined ? {} : { stringData: fill(object.stringData) }),
  };
}

/** Items of a ResourceList as plain objects. */
export function readItems(list: string): ClusterObject[] {
  return (parse(list) as { items: ClusterObject[] }).items;
}

/** What the cluster has although the list does not: missing and sealed layers. */
export function lateObjects(one: AppCase): ClusterObject[] {
  return objectsOf(one)
    .filter(({ state }) => state === "missing" || state === "sealed")
    .map(clusterObject);
}

export function clusterObject({
  kind,
  name,
  namespace,
  text,
  form,
  key = "values",
}: LayerObject): ClusterObject {
  const metadata = { name, namespace };
  if (kind === "ConfigMap" || form === "stringData")
    return { kind, metadata, [kind === "ConfigMap" ? "data" : "stringData"]: { [key]: text } };
  return { kind, metadata, data: { [key]: Buffer.from(text, "utf8").toString("base64") } };
}
