// An Application of Argo CD, wherever it is from: a file, a build, a template of a set.
import { childOf, isNode, type Item, startOf, textAt } from "../../core/index.ts";
import type { Chain } from "../../explain/index.ts";
import type { Place } from "../../explanation.ts";
import { partOf } from "../kustomize/documents.ts";
import type { SourceText } from "../kustomize/marks.ts";
import { fieldIn, listIn, type NodePlaces, type Placed, placed, textIn } from "../placed.ts";

export interface ArgoApplication {
  readonly name: string;
  readonly namespace: string | undefined;
  readonly at: Place | undefined;
  readonly spec: Placed;
  /** The documents that set what is at a path, where a build made it of several. */
  readonly chainOf?: (path: readonly string[]) => Chain | undefined;
}

/** One source of an Application: a chart, a kustomization, a directory. */
export interface ApplicationSource {
  readonly fields: Placed;
  /** Its path in the Application: `spec.source`, or `spec.sources[1]`. */
  readonly path: readonly string[];
  /** The same as a view shows it. */
  readonly shown: string;
}

export function isArgoObject({ apiVersion }: Item): boolean {
  return apiVersion.startsWith("argoproj.io/");
}

/** True for a text that may have an object of Argo CD in it. */
export function mayHaveArgo(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes("argoproj.io/");
}

/** Where the parts of an item are. */
export interface ItemPlaces {
  readonly item: Place | undefined;
  readonly nodes: NodePlaces;
  readonly chainOf?: (path: readonly string[]) => Chain | undefined;
}

/** Objects with what says where they are. */
export interface FoundObjects {
  readonly bytes: Uint8Array;
  readonly placesOf: (item: Item) => ItemPlaces;
}

/** An item that a file has as it is. */
export function placesInFile(item: Item, placeAt: (offset: number) => Place): ItemPlaces {
  const root = item.read();
  const nodes: NodePlaces = {
    placeAt: (node) => placeAt(startOf(node)),
    sourceOf: (node): SourceText => partOf(node, placeAt),
  };
  return { item: isNode(root) ? placeAt(startOf(root)) : undefined, nodes };
}

/** Undefined for one without a `spec`, or one that cannot be read. */
export function applicationOf(
  item: Item,
  { item: at, nodes, chainOf }: ItemPlaces,
): ArgoApplication | undefined {
  const root = item.read();
  const spec = isNode(root) ? childOf(root, "spec") : undefined;
  if (spec === undefined || !isNode(root)) return undefined;
  const metadata = childOf(root, "metadata");
  return {
    name: item.name,
    namespace: metadata && textAt(metadata, "namespace"),
    at,
    spec: placed(spec, nodes, ["spec"]),
    ...(chainOf === undefined ? {} : { chainOf }),
  };
}

/** `sources` overrides `source`. */
export function sourcesOf({ spec }: ArgoApplication): readonly ApplicationSource[] {
  const several = listIn(fieldIn(spec, "sources"));
  if (several.length > 0)
    return several.map((fields, index) => ({
      fields,
      path: ["spec", "sources", String(index)],
      shown: `spec.sources[${index}]`,
    }));
  const only = fieldIn(spec, "source");
  return only === undefined ? [] : [{ fields: only, path: ["spec", "source"], shown: "spec.source" }];
}

export type SourceType = "chart" | "kustomize" | "directory" | "plugin";

const typeFields = {
  kustomize: "kustomize",
  helm: "chart",
  directory: "directory",
  plugin: "plugin",
} as const;

/** What a source says it is; undefined where its files say it. */
export function explicitType({ fields }: ApplicationSource): readonly SourceType[] {
  const said = Object.entries(typeFields).flatMap(([field, type]): readonly SourceType[] =>
    fieldIn(fields, field) === undefined ? [] : [type],
  );
  return said.length === 0 && textIn(fieldIn(fields, "chart")) !== undefined ? ["chart"] : said;
}
