// What the user names → what a run reads: files, stdin and directories as one stream, of which each part keeps its name for
// messages; the function config, and schemas. The core and a function read no files.
import {
  defaultSettings,
  kindNames,
  readFunctionConfig,
  type Request,
  type Settings,
  type SourceFile,
} from "../core/index.ts";
import { existsSync, statSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import type { Diagnostic } from "../diagnostic.ts";
import { contentsOf, type Files, type ValuesFile } from "../explain/index.ts";
import type { Rule } from "../schema/index.ts";
import type { FlagValues } from "./flags.ts";
import { UsageError } from "./io.ts";
import { type BuildOptions, buildKustomization, isKustomization } from "./kustomize.ts";
import { type Part, type Rendered, withRenders } from "./local-renders.ts";
import { isManifest, manifestParts } from "./manifests.ts";
import { originFiles } from "./origin-files.ts";
import { readFile } from "./stdio.ts";

export interface Input extends Pick<Request, "input"> {
  readonly files: SourceFile[];
  readonly sources?: Files;
  /** Bare values files, lowest first. There is no other input then. */
  readonly values?: readonly ValuesFile[];
  /** What is not in the input: warnings about what is missing, infos about what was passed over. */
  readonly unbuilt?: readonly Diagnostic[];
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
  for (const name of orStdin(names).flatMap((word) => filesIn(word, options.from))) {
    const path = resolve(options.from, name);
    if (name === "-" || !isDirectory(path)) parts.push(partOf(name, stdin, options.from));
    else if (isKustomization(path)) {
      const build = await buildKustomization(path, options);
      parts.push({ bytes: build.bytes });
      for (const each of build.unbuilt) unbuilt.push(each);
      sources = originFiles(options.from);
    } else {
      const found = manifestsIn(path, options.from);
      for (const part of found.parts) parts.push(part);
      for (const each of found.unbuilt) unbuilt.push(each);
    }
  }
  const all = await withRenders(parts, options);
  const { rendered } = all;
  return {
    ...sorted(all.parts),
    ...(sources && { sources }),
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

function manifestsIn(directory: string, from: string): ReturnType<typeof manifestParts> {
  const found = manifestParts(directory, from);
  if (found.parts.length === 0)
    throw new UsageError(
      `\`${relative(from, directory) || "."}\` has neither a kustomization nor manifests`,
      "name the directory that is built, or files",
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

export type ConfigFlags = Pick<FlagValues<"fold">, "config" | "schema">;
export type Configured = Pick<Request, "config" | "configFile" | "settings">;

/** Reads what `--config` and `--schema` name. A schema is a file, or `Kind/name=FILE`. */
export function configuredBy({ config, schema = [] }: ConfigFlags): Configured {
  const bytes = config === undefined ? undefined : readFile(config);
  const rules = schema.map(ruleOf);
  const mayName = bytes !== undefined && Buffer.from(bytes).includes("schemas");
  if (rules.length === 0 && !mayName)
    return bytes === undefined || config === undefined ? {} : { config: bytes, configFile: config };
  const outcome = bytes === undefined ? { settings: defaultSettings } : readFunctionConfig(bytes, config);
  if ("faults" in outcome) return { settings: outcome };
  const own = (outcome.settings.schemas ?? []).map((rule): Rule => withFile(rule, dirname(config ?? "")));
  const all = [...own, ...rules];
  return {
    settings: { settings: all.length === 0 ? outcome.settings : { ...outcome.settings, schemas: all } },
  };
}

/** Relative names in a function config start from its own folder. */
function withFile(rule: Rule, folder: string): Rule {
  if (rule.file === undefined) return rule;
  const file = isAbsolute(rule.file) ? rule.file : join(folder, rule.file);
  return { ...rule, file, text: readFile(file) };
}

/** The settings alone, read. */
export function settingsIn({ settings, config, configFile }: Configured): Pick<Request, "settings"> {
  if (settings !== undefined) return { settings };
  return config === undefined ? {} : { settings: readFunctionConfig(config, configFile) };
}

function ruleOf(word: string): Rule {
  const [, target, file = word] = /^([A-Z][A-Za-z]*\/[^=]*)=(.*)$/.exec(word) ?? [];
  const targets = target === undefined ? {} : { targets: [selectorOf(target)] };
  if (file === "")
    throw new UsageError(
      `\`--schema ${word}\`: expected a file after \`=\``,
      "write `Kind/name=FILE`: FILE is the schema",
    );
  if (isDirectory(file))
    throw new UsageError(`\`--schema ${word}\` is a directory`, "name the file in it that is the schema");
  return { file, text: readFile(file), option: `--schema ${file}`, ...targets };
}

function selectorOf(text: string): NonNullable<Settings["targets"]>[number] {
  const [kindName = "", ...names] = text.split("/");
  const kind = kindNames.find((each) => each === kindName);
  const [name = "", namespace] = names.toReversed();
  if (kind === undefined || name === "" || names.length > 2)
    throw new UsageError(
      `\`--schema ${text}=…\`: expected a target before \`=\``,
      `write \`Kind/name=FILE\` or \`Kind/namespace/name=FILE\`; the kinds are ${kindNames.join(", ")}`,
    );
  return { kind, name, ...(namespace === undefined ? {} : { namespace }) };
}
