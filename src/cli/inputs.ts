// What the user names → what a run reads: files, stdin and directories as one stream, of which each part keeps its name for
// messages; the function config, and schemas. The core and a function read no files.
import { count, type Request, type SourceFile } from "../core/index.ts";
import { existsSync, statSync } from "node:fs";
import { isAbsolute, join, relative, resolve } from "node:path";
import type { Diagnostic } from "../diagnostic.ts";
import { contentsOf, type Files, type ValuesFile } from "../explain/index.ts";
import { UsageError } from "./io.ts";
import { followFlux, isFluxDirectory, mayBeFollowed } from "./flux/follow.ts";
import {
  type BuildOptions,
  buildKustomization,
  isKustomization,
  type KustomizeBuild,
} from "./kustomize/build.ts";
import { nothingAdded } from "./kustomize/overlay.ts";
import { type Part, type Parts, type Rendered, withRenders } from "./local-renders.ts";
import { isManifest, manifestParts } from "./manifests.ts";
import { buildsBelow } from "./builds-below.ts";
import { type BuildSettings, ownSettings } from "./fold-settings.ts";
import { readFile } from "./stdio.ts";

export interface Input extends Pick<Request, "input"> {
  readonly files: SourceFile[];
  readonly sources?: Files;
  /** Bare values files, lowest first. There is no other input then. */
  readonly values?: readonly ValuesFile[];
  /** What is not in the input: warnings about what is missing, infos about what was passed over. */
  readonly unbuilt?: readonly Diagnostic[];
  /** The settings of the fold that its directory runs. */
  readonly own?: BuildSettings;
  /** What was rendered for it. */
  readonly rendered?: readonly Rendered[];
}

/** Manifests. Several files are one stream. */
export function readInputs(names: readonly string[], stdin: () => Uint8Array): Input {
  return joined(orStdin(names).map((name) => partOf(name, stdin, "")));
}

/** Manifests, or bare values files. */
export function readFiles(names: readonly string[], stdin: () => Uint8Array): Input {
  return sorted(orStdin(names).map((name) => partOf(name, stdin, "")));
}

/** Files that must be values files. */
export function readValuesFiles(names: readonly string[], stdin: () => Uint8Array): readonly ValuesFile[] {
  const folder = names.find((name) => isDirectory(resolve(name)));
  if (folder !== undefined)
    throw new UsageError(
      `expected values files, got the directory \`${folder}\``,
      "name the files, the lowest first: valuefold merge base.yaml prod.yaml",
    );
  const parts = names.map((name) => partOf(name, stdin, ""));
  const manifests = parts.find(({ bytes }) => contentsOf(bytes) === "manifests");
  if (manifests !== undefined)
    throw new UsageError(
      `\`${manifests.name ?? "stdin"}\` holds manifests, and no values`,
      "fold manifests: valuefold fold FILE...",
    );
  return parts.map(({ name = "stdin", bytes }) => ({ name, bytes }));
}

/** The same, with directories: what kustomize builds of them, or else the manifests in them. */
export async function readBuilds(
  names: readonly string[],
  stdin: () => Uint8Array,
  options: BuildOptions,
): Promise<Input> {
  const parts: Part[] = [];
  const unbuilt: Diagnostic[] = [];
  let sources: Files | undefined;
  let own: BuildSettings | undefined;
  for (const name of orStdin(names).flatMap((word) => filesIn(word, options.from))) {
    const path = resolve(options.from, name);
    if (name === "-" || !isDirectory(path)) {
      parts.push(partOf(name, stdin, options.from));
      continue;
    }
    if (!isFluxDirectory(path)) refuseSeveral(path, name);
    const settings = ownSettings(path, options.from);
    own ??= settings.own && { ...settings.own, mayOpen: options.enableExec };
    const found = await partsOf(path, options);
    sources = found.origins ?? sources;
    for (const part of found.parts) parts.push(part);
    for (const each of [...settings.unbuilt, ...found.unbuilt]) unbuilt.push(each);
  }
  const all = await withRenders(parts, options);
  const { rendered } = all;
  return {
    ...sorted(all.parts),
    ...(sources && { sources }),
    ...(own && { own }),
    unbuilt: [...unbuilt, ...all.unbuilt],
    rendered,
  };
}

/** A word may name a stack of values files: `base.yaml,prod.yaml`. A file with a comma in its name is a file. */
export function filesIn(word: string, from: string): readonly string[] {
  return word.includes(",") && !existsSync(resolve(from, word)) ? word.split(",") : [word];
}

function orStdin(names: readonly string[]): readonly string[] {
  return names.length === 0 ? ["-"] : names;
}

function partOf(name: string, stdin: () => Uint8Array, from: string): Part {
  if (name === "-") return { bytes: stdin() };
  const path = resolve(from, name);
  return { name: shownPath(from, name), path, bytes: readFile(path) };
}

/** How messages name a file: from the working directory, if it is inside of it. */
function shownPath(from: string, name: string): string {
  if (!isAbsolute(name)) return name;
  const own = relative(resolve(from), name);
  return own === "" || own.startsWith("..") ? name : own;
}

/** What kustomize builds of a directory, and Flux because of it; or else the manifests in it. */
async function partsOf(
  path: string,
  options: BuildOptions,
): Promise<Parts & { readonly origins?: Files | undefined }> {
  const isFlux = isFluxDirectory(path);
  if (!isFlux && !isKustomization(path)) return manifestsIn(path, options.from);
  const how = isFlux ? { ...options, overlay: nothingAdded } : options;
  return followed(path, await buildKustomization(path, how), options);
}

async function followed(
  path: string,
  build: KustomizeBuild,
  options: BuildOptions,
): Promise<Parts & { readonly origins: Files }> {
  const { bytes, unbuilt, origins } = build;
  const all = mayBeFollowed(bytes) ? await followFlux(path, build, options) : undefined;
  if (all === undefined) return { parts: [{ bytes }], unbuilt, origins };
  return {
    parts: all.streams.map((stream) => ({ bytes: stream })),
    unbuilt: all.unbuilt,
    origins: all.origins,
  };
}

/** A directory above several builds is not a build: what is in them would be one invented list. */
function refuseSeveral(path: string, name: string): void {
  const below = buildsBelow(path);
  if (below.length === 0) return;
  const list = below.map((each) => join(name, each));
  throw new UsageError(
    `\`${name}\` is no build: it has ${count(below.length, "kustomization")} in it`,
    `name them: ${list.slice(0, mostNamed).join(" ")}${list.length > mostNamed ? " ..." : ""}`,
  );
}

const mostNamed = 6;

function manifestsIn(directory: string, from: string): Parts & { readonly origins?: undefined } {
  const found = manifestParts(directory, from);
  if (found.parts.length === 0)
    throw new UsageError(
      `\`${relative(from, directory) || "."}\` has neither a kustomization nor manifests`,
      "name the directory that is built, or files",
    );
  const values = found.parts.filter(({ bytes }) => contentsOf(bytes) === "values");
  const [first, second] = values;
  if (first !== undefined && second !== undefined && values.length === found.parts.length)
    throw new UsageError(
      `\`${relative(from, directory) || "."}\` is no stack: it has ${count(values.length, "values file")} in it`,
      `name them, the lowest first: ${first.name ?? ""},${second.name ?? ""}`,
    );
  return found;
}

function joined(parts: readonly Part[]): Input {
  const texts: Uint8Array[] = [];
  const files: SourceFile[] = [];
  let start = 0;
  for (const [index, { bytes: all, name }] of parts.entries()) {
    // A byte order mark belongs to the start of a stream, and would be part of a key further on.
    const bytes = index > 0 && startsWithMark(all) ? all.subarray(byteOrderMark.length) : all;
    files.push({ ...(name === undefined ? {} : { name }), start });
    // Files are separate streams: a document never runs on from one to the next.
    const end = index === parts.length - 1 ? [] : [Buffer.from(bytes.at(-1) === 0x0a ? "---\n" : "\n---\n")];
    for (const text of [bytes, ...end]) {
      texts.push(text);
      start += text.length;
    }
  }
  const [only, second] = texts;
  return { input: only !== undefined && second === undefined ? only : Buffer.concat(texts), files };
}

const byteOrderMark = [0xef, 0xbb, 0xbf];

function startsWithMark(bytes: Uint8Array): boolean {
  return byteOrderMark.every((byte, index) => bytes[index] === byte);
}

/** Values files as they are, and manifests as one stream. */
function sorted(parts: readonly Part[]): Input {
  const values = valuesIn(parts);
  return values === undefined ? joined(parts) : { input: new Uint8Array(), files: [], values };
}

/** All parts, if they are bare values files; undefined for manifests. */
function valuesIn(parts: readonly Part[]): readonly ValuesFile[] | undefined {
  const found = parts.map(({ name = "stdin", bytes }) => ({ name, bytes, holds: contentsOf(bytes) }));
  const values = found.find(({ holds }) => holds === "values");
  const manifests = found.find(({ holds }) => holds === "manifests");
  if (values === undefined) return undefined;
  if (manifests === undefined) return found;
  throw new UsageError(
    `\`${values.name}\` holds values, and \`${manifests.name}\` manifests`,
    "name files of one sort: values files merge with each other, and manifests name their own layers",
  );
}

export function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** True for a word that names a file or a directory, and is not a path in values: that has no slash outside brackets. */
export function isFileLike(word: string): boolean {
  return (
    word === "-" ||
    /^\.{1,2}$/.test(word) ||
    isManifest(word) ||
    word.replaceAll(/\[[^\]]*\]/g, "").includes("/")
  );
}

/** True for `Kind/name` and `Kind/namespace/name`. Kinds start with a capital; a folder that does is written `./Folder`. */
export function isTarget(word: string): boolean {
  return /^[A-Z][A-Za-z]*\/[^/]+(?:\/[^/]+)?$/.test(word) && !isManifest(word);
}
