// A generated HelmRelease as items of a list, and what Flux finds when it reads the list: references in
// order, annotated layers counting as entries at their priority, late-bound ones bound.
import { parse } from "yaml";
import { type ClusterObject, clusterObject, objectText, substitute } from "./app-list.ts";
import { type Entry, type HelmCase, helmObjects } from "./generate-helm.ts";

interface HelmReference {
  readonly kind: string;
  readonly name: string;
  readonly valuesKey?: string;
  readonly targetPath?: string;
  readonly optional?: boolean;
  readonly literal?: boolean;
}

interface HelmRelease extends ClusterObject {
  readonly spec: { readonly valuesFrom?: readonly HelmReference[]; readonly values?: object };
}

/** What the Flux oracle is asked. */
export interface HelmWorld {
  readonly namespace: string;
  readonly references: readonly HelmReference[];
  readonly inline: object;
  readonly configMaps: readonly ClusterObject[];
  readonly secrets: readonly ClusterObject[];
  readonly defaults: string;
}

export function helmItems(one: HelmCase): string[] {
  const present = unique(helmObjects(one)).filter(({ state }) => state !== "missing");
  return [...present.map((object) => objectText(object, "HelmRelease/shop")), releaseText(one)];
}

function unique<T extends { readonly kind: string; readonly name: string }>(objects: readonly T[]): T[] {
  return [...new Map(objects.map((object) => [`${object.kind}/${object.name}`, object])).values()];
}

function releaseText({ entries, inline }: HelmCase): string {
  const list = entries.length === 0 ? "" : `  valuesFrom:\n${entries.map(entryText).join("")}`;
  // Inline values reach the API server as an object; JSON keeps what the text's own reader made of it.
  const values =
    inline === undefined ? "" : `  values: ${JSON.stringify(parse(inline, { version: "1.1" }) ?? {})}\n`;
  return `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata:\n  name: shop\n  namespace: org\nspec:\n  interval: 5m\n${list}${values}`;
}

function entryText({ object, valuesKey, optional, targetPath, literal }: Entry): string {
  return [
    `  - kind: ${object.kind}`,
    `    name: ${object.name}`,
    ...(valuesKey === undefined ? [] : [`    valuesKey: ${valuesKey}`]),
    ...(optional ? ["    optional: true"] : []),
    ...(targetPath === undefined ? [] : [`    targetPath: ${JSON.stringify(targetPath)}`]),
    ...(targetPath !== undefined && literal ? ["    literal: true"] : []),
    "",
  ].join("\n");
}

/** @param annotatedToo whether annotated layers count as references: in the input, not in the output */
export function helmWorldOf(
  one: HelmCase,
  items: readonly ClusterObject[],
  annotatedToo: boolean,
): HelmWorld {
  const release = items.find(({ kind }) => kind === "HelmRelease") as HelmRelease;
  const late = unique(helmObjects(one))
    .filter(({ state }) => state === "missing" || state === "sealed")
    .map(clusterObject);
  const layers = items.filter(({ kind }) => kind === "ConfigMap" || kind === "Secret");
  const known = [...layers.filter((item) => !late.some((object) => isSame(object, item))), ...late];
  const all = known.map((object) => substitute(atHome(object), one.variables));
  const noted = annotatedToo ? annotatedReferences(items) : [];
  return {
    namespace: "org",
    references: [
      ...noted.filter(({ priority }) => priority < 50),
      ...(release.spec.valuesFrom ?? []),
      ...noted.filter(({ priority }) => priority >= 50),
    ],
    inline: release.spec.values ?? {},
    configMaps: all.filter(({ kind }) => kind === "ConfigMap"),
    secrets: all.filter(({ kind }) => kind === "Secret"),
    defaults: one.defaults,
  };
}

/** What Flux finds in a plain stream that holds one HelmRelease. */
export function worldOfStream(stream: string): HelmWorld {
  const items = stream.split(/^---\n/m).map((text) => parse(text) as ClusterObject);
  const one = { entries: [], annotated: [], inline: undefined, defaults: "m: {x: 0, w: 0}\n", variables: {} };
  return helmWorldOf(one, items, false);
}

/** Flux reads references in one namespace; an annotated layer counts as if it stood there. */
function atHome(object: ClusterObject): ClusterObject {
  return { ...object, metadata: { ...object.metadata, namespace: "org" } };
}

function isSame(a: ClusterObject, b: ClusterObject): boolean {
  return a.kind === b.kind && a.metadata.name === b.metadata.name;
}

function annotatedReferences(items: readonly ClusterObject[]): (HelmReference & { priority: number })[] {
  return items
    .filter(({ metadata: { annotations } }) => annotations?.["valuefold.dev/into"] !== undefined)
    .map(({ kind, metadata: { name, annotations } }) => ({
      kind,
      name,
      priority: Number(annotations?.["valuefold.dev/priority"] ?? 75),
    }))
    .toSorted((a, b) => a.priority - b.priority);
}
