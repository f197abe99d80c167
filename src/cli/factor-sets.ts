// What `factor` takes apart: values files, or the objects that several builds have, each as a set of its own.
import { resolve } from "node:path";
import { count } from "../core/index.ts";
import type { Diagnostic } from "../diagnostic.ts";
import {
  type BuiltObjects,
  kustomizeOutputs,
  outputsOf,
  type OutputFile,
  type SharedObject,
  sharedObjects,
  type Factored,
  type FactoredFile,
} from "../factor/index.ts";
import { namesOfBuilds, overlaysOfFiles } from "./factor-names.ts";
import { folderOf, pathsIn, readSources, refuseChartValues } from "./factor-files.ts";
import { isThereAsDirectory, readOne, UsageError } from "../sources/index.ts";
import type { Io } from "./io.ts";
import { workspaceOf } from "./here.ts";

/** Values that were copied from each other. */
export interface FactorSet {
  /** The object that has them; absent for files. */
  readonly title?: string;
  readonly sources: readonly FactoredFile[];
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
  const folders = words.filter((word) => isThereAsDirectory(resolve(io.directory, word)));
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
  const target = { kind: "ConfigMap", namespace: undefined, name: "values", dataKey: "values.yaml" } as const;
  const overlays = kustomize ? overlaysOfFiles(paths) : [];
  const outputs = (made: Factored): readonly OutputFile[] =>
    kustomize ? kustomizeOutputs(made, overlays, target) : outputsOf(made, paths);
  const files = sources.map(({ path }) => path);
  return { ...found, folder, files, sets: [{ sources, isSpelled: kustomize, outputs }] };
}

async function buildsIn(
  words: readonly string[],
  { kustomize = false }: FactorFlags,
  io: Io,
): Promise<FactorInput> {
  const { directory: from } = io;
  const builds: BuiltObjects[] = [];
  const diagnostics: Diagnostic[] = [];
  const names = namesOfBuilds(
    words.map((word) => resolve(from, word)),
    from,
    kustomize,
  );
  for (const [index, word] of words.entries()) {
    const { input, values, unbuilt = [] } = await readOne(word, workspaceOf(io));
    if (values !== undefined)
      throw new UsageError(`\`${word}\` holds values files, and no manifests`, "name the files themselves");
    diagnostics.push(...unbuilt.filter(({ severity }) => severity !== "info"));
    builds.push({ name: names[index] ?? "", input });
  }
  const { objects, secrets, unread, unpaired } = sharedObjects(builds);
  const notes = [
    ...(secrets === 0 ? [] : [`${count(secrets, "Secret")} in these builds stay as they are`]),
    ...unread.map(
      (title) => `the values of \`${title}\` are encrypted, or cannot be read, so it is left out`,
    ),
    ...unpaired.map((title) => `\`${title}\` is in other namespaces, or twice in a build, so it is left out`),
  ];
  const sets = objects.map((each) => {
    const isOne = objects.every(
      ({ kind, name, namespace }) => kind !== each.kind || name !== each.name || namespace === each.namespace,
    );
    return setOf(each, isOne ? undefined : each.namespace, kustomize);
  });
  return { sets, diagnostics, notes, files: [] };
}

/** @param spoken the namespace, where the name alone does not say which object is meant */
function setOf(
  { kind, namespace, name, dataKey = "values.yaml", sources }: SharedObject,
  spoken: string | undefined,
  kustomize: boolean,
): FactorSet {
  const words = [kind, ...(spoken === undefined ? [] : [spoken]), name];
  const folder = words.join("-").replace(kind, kind.toLowerCase());
  const names = sources.map((source) => source.name);
  const files = (made: Factored): readonly OutputFile[] =>
    kustomize
      ? kustomizeOutputs(made, names, { kind, namespace, name, dataKey })
      : outputsOf(
          made,
          names.map((each) => `${each}.yaml`),
        );
  return {
    title: words.join("/"),
    sources,
    isSpelled: kind === "ConfigMap",
    outputs: (made) => files(made).map(({ path, text }) => ({ path: `${folder}/${path}`, text })),
  };
}
