// A kustomization and what it refers to → the files that kustomize builds, in memory, under their real paths. Some of its
// functions may be left out, to see what they would hide.
import { join, relative, resolve } from "node:path";
import type { Node } from "../../yaml/index.ts";
import { existsSync, isFile, readFile, realPathOf } from "../disk.ts";
import { asGo, generatorKinds } from "./documents.ts";
import type { KustomizeFunction } from "./functions.ts";
import {
  chartFields,
  directoryFields,
  entriesAt,
  entryKey,
  fileNames,
  isFetched,
  isRemote,
  namesCharts,
  type Kustomization,
  type KustomizationTree,
  urlsOf,
} from "./tree.ts";
import { asList, type Fields, plainOfText } from "../plain.ts";

export interface CopyOptions {
  readonly isLeftOut: (each: KustomizeFunction) => boolean;
  /** True if what would be fetched is left out. */
  readonly isLocal: boolean;
  /** A file that a directory has besides: what a chart makes there. */
  readonly added?: AddedFile;
}

interface AddedFile {
  /** A real path. */
  readonly directory: string;
  readonly name: string;
}

export type CopiedFiles = ReadonlyMap<string, Uint8Array | string>;

/** The kustomizations of a tree with the fields that they have in a copy. */
export interface KustomizationCopy {
  readonly top: Kustomization;
  readonly fields: ReadonlyMap<Kustomization, Fields>;
}

/** Undefined if an entry has both functions to leave out and others. */
export function copyOf({ top, all }: KustomizationTree, options: CopyOptions): KustomizationCopy | undefined {
  const { isLeftOut } = options;
  const isMixed = ({ functions }: Kustomization): boolean =>
    [...functions.values()].some((each) => each.some(isLeftOut) && !each.every(isLeftOut));
  if (top === undefined || all.some(isMixed)) return undefined;
  // Without what charts make, kustomize would miss objects that it sets replicas of.
  const isOfCharts = options.added === undefined && all.some(namesCharts);
  const without = isOfCharts ? [...chartFields, "replicas"] : chartFields;
  return { top, fields: new Map(all.map((each) => [each, fieldsOf(each, options, without)])) };
}

/** All files of a copy. The topmost kustomization asks for annotations of origins. @param made in place of those that are read */
export function copiedFiles({ top, fields }: KustomizationCopy, made: CopiedFiles = new Map()): CopiedFiles {
  const files = new Map(made);
  for (const [kustomization, own] of fields) {
    const { directory, fileName } = kustomization;
    for (const path of pathsNamedIn(kustomization, own))
      if (!files.has(path)) files.set(path, readFile(path));
    // kustomize refuses a directory with two of them.
    for (const each of fileNames.map((name) => join(directory, name))) if (isFile(each)) files.set(each, "");
    files.set(join(directory, fileName), JSON.stringify(kustomization === top ? withOrigins(own) : own));
  }
  return files;
}

function withOrigins(fields: Fields): Fields {
  const { buildMetadata = [] } = fields;
  if (!Array.isArray(buildMetadata) || isEmpty(fields)) return fields;
  return { ...fields, buildMetadata: [...new Set([...(buildMetadata as unknown[]), "originAnnotations"])] };
}

/** The real paths of files that a kustomization names. */
export function filesNamedIn({ directory, fields }: Kustomization): readonly string[] {
  return textsIn(fields)
    .flatMap((text) => pathsIn(text, directory))
    .filter(isFile)
    .map((path) => realPathOf(path));
}

/** What it names in a copy, and what its functions name: their texts are not marked, and neither is what they read. */
function pathsNamedIn({ directory, functions, others }: Kustomization, fields: Fields): readonly string[] {
  const ofFunctions = [...functions.values()].flat().flatMap(({ text }) => textsIn(plainOfText(text)));
  const own = textsIn(fields).filter((text) => !others.has(text));
  return [...own, ...ofFunctions].flatMap((text) => pathsIn(text, directory)).filter(isFile);
}

/** Without charts: they would be fetched, and Helm would run. They are read where they are. */
function fieldsOf(kustomization: Kustomization, options: CopyOptions, without: readonly string[]): Fields {
  const { fields, root, directory } = kustomization;
  const { added } = options;
  const own: Record<string, unknown> = { ...fields };
  for (const field of Object.keys(generatorKinds))
    if (root !== undefined && Array.isArray(own[field]))
      own[field] = generatorsIn(root, field, options).map(asGo);
  // What is no list of texts is refused by kustomize.
  const isTexts = (value: unknown): boolean =>
    Array.isArray(value) && value.every((each) => typeof each === "string");
  for (const field of directoryFields)
    if (isTexts(own[field])) own[field] = entriesIn(kustomization, field, options);
  for (const field of without) delete own[field];
  if (added?.directory === directory) return { ...own, resources: [...asList(own["resources"]), added.name] };
  return isEmpty(own) && !isEmpty(fields) ? { ...own, resources: [] } : own;
}

/** True for what kustomize refuses as empty. */
function isEmpty({ apiVersion: _version, kind: _kind, ...fields }: Fields): boolean {
  return Object.values(fields).every((value) => value === null || value === "");
}

/** Without those that take a file from a URL. */
export function generatorsIn(root: Node, field: string, { isLocal }: CopyOptions): readonly Node[] {
  return root.list(field).filter((each) => !isLocal || urlsOf(each).length === 0);
}

/** By real paths: what a link leads to has no other path in a copy. */
function entriesIn(
  kustomization: Kustomization,
  field: string,
  { isLeftOut, isLocal }: CopyOptions,
): readonly string[] {
  const { directory, others, functions } = kustomization;
  return entriesAt(kustomization, field).flatMap((entry) => {
    if ((functions.get(entryKey(field, entry)) ?? []).some(isLeftOut)) return [];
    const path = others.get(entry)?.directory ?? resolve(directory, entry);
    const isAbsent = isRemote(entry) && !existsSync(path);
    if (isAbsent || entry.includes("\n")) return isAbsent && isLocal ? [] : [entry];
    return [relative(directory, path) || "."];
  });
}

/** A text in a kustomization may be a path, or `key=path`. */
function pathsIn(text: string, directory: string): readonly string[] {
  if (text.includes("\n")) return [];
  return [text, text.slice(text.indexOf("=") + 1)].map((name) => resolve(directory, name));
}

/** All texts in a value. */
export function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** What a function names may be fetched. */
export function mayFetch({ text }: KustomizeFunction): boolean {
  return textsIn(plainOfText(text)).some(isFetched);
}
