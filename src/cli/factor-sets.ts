// What `factor` takes apart: values files, or the objects that several builds have, each as a set of its own.
import { basename, relative, resolve } from "node:path";
import { count } from "../core/index.ts";
import type { Diagnostic } from "../diagnostic.ts";
import {
  type Build,
  kustomizeOutputs,
  outputsOf,
  type OutputFile,
  type SharedObject,
  sharedObjects,
  type Factored,
  type Source,
} from "../factor/index.ts";
import { folderOf, pathsIn, readSources, refuseChartValues } from "./factor-files.ts";
import { isDirectory, readBuilds } from "./inputs.ts";
import { type Io, UsageError } from "./io.ts";

/** Values that were copied from each other. */
export interface FactorSet {
  /** The object that has them; absent for files. */
  readonly title?: string;
  readonly sources: readonly Source[];
  /** True where values must be spelled alike: what reads them is not known. */
  readonly isSpelled: boolean;
  readonly outputs: (made: Factored) => readonly OutputFile[];
}

export interface FactorInput {
  readonly sets: readonly FactorSet[];
  readonly diagnostics: readonly Diagnostic[];
  readonly notes: readonly string[];
  /** The folder that all files are in; absent for builds. */
  readonly folder?: string;
  /** The paths of the files, links followed. */
  readonly files: readonly string[];
}

interface FactorFlags {
  readonly kustomize?: boolean;
}

export function readSets(words: readonly string[], flags: FactorFlags, io: Io): Promise<FactorInput> {
  const folders = words.filter((word) => isDirectory(resolve(io.directory, word)));
  if (folders.length === 0) return Promise.resolve(filesIn(words, flags, io));
  if (folders.length < words.length)
    throw new UsageError(
      "expected files or directories, and not both",
      "name the values files, or what is built",
    );
  return buildsIn(words, flags, io);
}

function filesIn(
  words: readonly string[],
  { kustomize = false }: FactorFlags,
  { directory }: Io,
): FactorInput {
  const { sources, ...found } = readSources(words, directory, kustomize);
  refuseChartValues(sources);
  const folder = folderOf(sources);
  const paths = pathsIn(folder, sources);
  const target = { kind: "ConfigMap", name: "values", dataKey: "values.yaml" } as const;
  const outputs = (made: Factored): readonly OutputFile[] =>
    kustomize ? kustomizeOutputs(made, overlayNames(paths), target) : outputsOf(made, paths);
  const files = sources.map(({ path }) => path);
  return { ...found, folder, files, sets: [{ sources, isSpelled: kustomize, outputs }] };
}

/** `values-prod.yaml` is the overlay `prod`. */
function overlayNames(paths: readonly string[]): readonly string[] {
  const stems = paths.map((path) => path.replace(/\.ya?ml$/, "").replaceAll("/", "-"));
  const short = stems.map((stem) => stem.replace(/^values[-._]|[-._]values$/, ""));
  const names = new Set(short).size === short.length ? short : stems;
  return names.map((name) => name.toLowerCase().replaceAll(/[^a-z0-9.-]/g, "-"));
}

async function buildsIn(
  words: readonly string[],
  { kustomize = false }: FactorFlags,
  io: Io,
): Promise<FactorInput> {
  const { directory: from, stdin, env, tidily, render } = io;
  const builds: Build[] = [];
  const diagnostics: Diagnostic[] = [];
  const short = words.map((word) => basename(resolve(from, word)));
  const isClear = new Set(short).size === short.length;
  for (const [index, word] of words.entries()) {
    const {
      input,
      values,
      unbuilt = [],
    } = await readBuilds([word], stdin, { from, env, tidily, render, enableExec: false });
    if (values !== undefined)
      throw new UsageError(`\`${word}\` holds values files, and no manifests`, "name the files themselves");
    diagnostics.push(...unbuilt.filter(({ severity }) => severity !== "info"));
    const long = relative(from, resolve(from, word)).replaceAll(/[^\w.]+/g, "-");
    builds.push({ name: isClear ? (short[index] ?? long) : long, input });
  }
  const { objects, secrets } = sharedObjects(builds);
  const notes = secrets === 0 ? [] : [`${count(secrets, "Secret")} in these builds stay as they are`];
  return { sets: objects.map((each) => setOf(each, kustomize)), diagnostics, notes, files: [] };
}

function setOf(
  { kind, name, dataKey = "values.yaml", sources }: SharedObject,
  kustomize: boolean,
): FactorSet {
  const folder = `${kind.toLowerCase()}-${name}`;
  const names = sources.map((source) => source.name);
  const files = (made: Factored): readonly OutputFile[] =>
    kustomize
      ? kustomizeOutputs(made, names, { kind, name, dataKey })
      : outputsOf(
          made,
          names.map((each) => `${each}.yaml`),
        );
  return {
    title: `${kind}/${name}`,
    sources,
    isSpelled: kind === "ConfigMap",
    outputs: (made) => files(made).map(({ path, text }) => ({ path: `${folder}/${path}`, text })),
  };
}
