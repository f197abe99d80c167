// `valuefold init`: looks at what a directory has, and writes next to it what a first fold needs. It overwrites no file.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Exit, legible, legibleText } from "../report/index.ts";
import { factsOf, helmReleaseKind } from "../kinds.ts";
import { type ObjectId, objectText } from "../object-id.ts";
import { docs } from "../version.ts";
import type { FlagValues } from "./flags.ts";
import {
  entriesBelow,
  isThereAsDirectory,
  isTarget,
  kustomizationFile,
  UsageError,
  entriesAt,
  readTree,
  repositoryOf,
  settled,
} from "../sources/index.ts";
import { type FoundPipeline, lookInto, type Pipeline } from "./init-surroundings.ts";
import { workspaceOf } from "./here.ts";
import type { CommandResult, Io } from "./io.ts";
import { writing } from "./output-file.ts";
import { layerText, nameReference } from "./printed.ts";
import {
  execAnnotation,
  exampleApp,
  kustomizationEntries,
  kustomizationText,
  localAnnotation,
  mutatorLines,
  names,
  packageText,
  settingsText,
} from "./starter-files.ts";

interface NewFile {
  readonly name: string;
  readonly text: string;
  readonly about: string;
}

/** @param words a target, a directory, both or neither */
export function init(words: readonly string[], flags: FlagValues<"init">, io: Io): CommandResult {
  const wanted = words.find(isTarget);
  const [name = ".", ...others] = words.filter((word) => word !== wanted);
  if (others.length > 0)
    throw new UsageError("expected at most one directory", "name one: valuefold init apps/shop");
  const directory = resolve(io.directory, name);
  if (existsSync(directory) && !isThereAsDirectory(directory))
    throw new UsageError(`\`${name}\` is not a directory`, "name a directory, or a new one");
  const all = entriesBelow(directory, settled(workspaceOf(io), directory));
  const clusters = fluxClusters(directory, io);
  if (clusters.some((each) => isBelow(directory, each)))
    throw new UsageError(
      `\`${name}\` has what Flux itself is made of`,
      "name the directory of an app: valuefold init apps/shop",
    );
  const below = all.filter(({ unfollowed }) => unfollowed === undefined);
  if (below.length > 0)
    throw new UsageError(
      `\`${name}\` has no kustomization, and directories in it have one`,
      `name one of them: valuefold init ${join(name, below[0]?.name ?? "")}`,
    );
  const found = lookInto(directory, wanted, flags.for);
  writing(name, () => void mkdirSync(directory, { recursive: true }));
  const lines = [
    ...filesFor(found).map((file) => written(directory, file)),
    ...linesToAdd(found),
    ...(found.targets > 1 && wanted === undefined
      ? [`${found.targets} targets are here: \`valuefold init Kind/name\` takes another`]
      : []),
    ...warnings(found, clusters.length > 0),
    "",
    "next:",
    ...nextSteps(found, name === "." ? "" : ` ${name}`).map((line) => `  ${line}`),
  ];
  return {
    exitCode: Exit.ok,
    output: [Buffer.from(legibleText(lines.map((line) => `${legible(line)}\n`).join("")), "utf8")],
    diagnostics: [],
  };
}

/** Why the new layer may have no effect. */
function warnings({ above, target }: FoundPipeline, isOfFlux: boolean): readonly string[] {
  const shown = above.slice(0, mostNamed).map((key) => `\`${key}\``);
  const more = above.length > shown.length ? ` and ${above.length - shown.length} more` : "";
  return [
    ...(target === undefined || above.length === 0
      ? []
      : [
          `${objectText(target)} has its own ${shown.join(", ")}${more}: they override layers. Move them to a ConfigMap`,
        ]),
    ...(isOfFlux ? [`Flux runs no functions: fold in CI, see ${docs}/flux.md#fold-for-stock-flux`] : []),
  ];
}

/** The directories that Flux syncs in the repository. */
function fluxClusters(directory: string, io: Io): readonly string[] {
  const top = repositoryOf(directory);
  if (top === undefined) return [];
  const all = entriesBelow(top, settled(workspaceOf(io), top));
  return all.flatMap(({ kind, name }) => (kind === "Flux" ? [join(top, name)] : []));
}

function isBelow(directory: string, top: string): boolean {
  return `${directory}/`.startsWith(`${top}/`);
}

function filesFor(found: FoundPipeline): readonly NewFile[] {
  const { directory, pipeline, layerFile, isEmpty } = found;
  const app = isEmpty ? [{ name: names.app, text: exampleApp, about: "an app to try it with" }] : [];
  const resources = [...app.map(({ name }) => name), layerFile];
  return [...app, layerFor(found), ...filesOf(pipeline, resources, kustomizationFile(directory))];
}

function layerFor({ target, layerFile, taken, isEmpty: isExample }: FoundPipeline): NewFile {
  const { kind, name, namespace } = target ?? { ...exampleTarget, name: isExample ? "shop" : "NAME" };
  const text = layerText({
    name: freeName(`${name.toLowerCase()}-layer`, taken),
    namespace,
    target: `${kind}/${name}`,
    key: factsOf(kind)?.dataKey ?? "values",
    values: isExample ? "replicas: 3" : "# replicas: 3",
  });
  const about =
    isExample || target !== undefined
      ? `a layer of ${kind}/${name}`
      : "a layer: write the name of its target";
  return { name: layerFile, text, about };
}

/** kustomize refuses two objects of one name, wherever they are in its tree. */
function freeName(name: string, taken: ReadonlySet<string>): string {
  let free = name;
  for (let number = 2; taken.has(free); number++) free = `${name}-${number}`;
  return free;
}

const exampleTarget: Pick<ObjectId, "kind" | "namespace"> = {
  kind: helmReleaseKind.kind,
  namespace: undefined,
};

function filesOf(
  pipeline: Pipeline,
  resources: readonly string[],
  kustomization: string = names.kustomization,
): readonly NewFile[] {
  const fold = (annotations: readonly string[]): NewFile => {
    return { name: names.fold, text: settingsText(annotations), about: "the settings of the fold" };
  };
  switch (pipeline) {
    case "kustomize":
      return [
        fold(execAnnotation),
        {
          name: names.nameReference,
          text: nameReference,
          about: "kustomize needs it to rename references",
        },
        { name: kustomization, text: kustomizationText(resources), about: "builds all of it" },
      ];
    case "kpt":
      return [fold(localAnnotation), { name: names.package, text: packageText, about: "renders all of it" }];
    case "pipe":
      return [fold([])];
  }
}

/** Writes a file that is not there yet. */
function written(directory: string, { name, text, about }: NewFile): string {
  const path = join(directory, name);
  if (existsSync(path)) return `kept   ${name.padEnd(nameColumn)}  it was there`;
  writing(path, () => writeFileSync(path, text, { flag: "wx" }));
  return `wrote  ${name.padEnd(nameColumn)}  ${about}`;
}

const nameColumn = Math.max(...Object.values(names).map(({ length }) => length));

/** What a file that is kept still lacks. Called once the others are written. */
function linesToAdd({ directory, pipeline, layerFile }: FoundPipeline): readonly string[] {
  if (pipeline === "pipe") return [];
  if (pipeline === "kpt") {
    const text = readFileSync(join(directory, names.package), "utf8");
    return /\bvaluefold\b/.test(text)
      ? []
      : [`add to ${names.package}:`, ...mutatorLines.map((line) => `  ${line}`)];
  }
  const { top } = readTree(directory);
  const entries = [["resources", layerFile] as const, ...kustomizationEntries];
  const missing = entries.filter(
    ([field, file]) => top === undefined || !entriesAt(top, field).includes(file),
  );
  return missing.length === 0
    ? []
    : [`add to ${kustomizationFile(directory)}:`, ...missing.map(([field, file]) => `  ${field}: [${file}]`)];
}

/** With more manifests they are not all named. */
const mostNamed = 4;

function nextSteps(
  { pipeline, manifests, layerFile, isEmpty }: FoundPipeline,
  at: string,
): readonly string[] {
  const files = isEmpty ? [names.app] : manifests;
  const prefix = at === "" ? "" : `${at.trim()}/`;
  const explain = `valuefold explain -c ${prefix}${names.fold}${at === "" ? " ." : at}`;
  const steps = {
    kustomize: `kustomize build --enable-alpha-plugins --enable-exec${at === "" ? " ." : at}`,
    kpt: `kpt fn render --allow-exec${at}`,
    pipe:
      files.length > mostNamed
        ? `kustomize build ... | valuefold fold -c ${prefix}${names.fold} - ${prefix}${layerFile}`
        : `valuefold fold -c ${prefix}${names.fold} ${[...files, layerFile].map((file) => prefix + file).join(" ")}`,
  };
  return [`${explain.padEnd(40)}  # which layer sets which value`, steps[pipeline], `valuefold doctor${at}`];
}
