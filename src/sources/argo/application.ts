// The sources of an Application of Argo CD, wherever it is from: a file, a build, a template of a set.
import type { Item } from "../../krm/index.ts";
import { join } from "node:path";
import { existsSync } from "../disk.ts";
import { kustomizationFile } from "../kustomize/tree.ts";
import { specOf } from "../items.ts";
import { fieldIn, listIn, type Placed, textIn } from "../placed.ts";
import { bufferOf } from "../../yaml/index.ts";

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

/** True for an object, and not for a part of one, such as a patch in a file of its own: nothing can be made of that. */
export function isWholeArgoObject(item: Item): boolean {
  if (!isArgoObject(item)) return false;
  const spec = specOf(item);
  // What cannot be read is reported where it is read again.
  if (spec === undefined) return true;
  const has = (field: string): boolean => spec.get(field) !== undefined;
  if (item.kind === "ApplicationSet") return has("generators") && has("template");
  return item.kind !== "Application" || has("source") || has("sources") || has("sourceHydrator");
}

/** True for a text that may have an object of Argo CD in it. */
export function mayHaveArgo(bytes: Uint8Array): boolean {
  return bufferOf(bytes).includes("argoproj.io/");
}

/** `sources` overrides `source`. */
export function sourcesOf(spec: Placed): readonly ApplicationSource[] {
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

/** A source, once it is known where it is. */
export interface PlacedSource {
  readonly source: ApplicationSource;
  readonly type: SourceType | undefined;
  /** The top of the checkout of its repository, where that is here. */
  readonly top: string | undefined;
  /** Its directory, where that is here. */
  readonly directory: string | undefined;
}

/** What Argo CD finds in a directory. */
export function typeOf(directory: string): SourceType {
  if (isChart(directory)) return "chart";
  return kustomizationFile(directory) === undefined ? "directory" : "kustomize";
}

/** True for a directory with a chart. */
function isChart(directory: string): boolean {
  return existsSync(join(directory, "Chart.yaml"));
}
