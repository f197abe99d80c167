// `valuefold init`: looks at what a directory has, and writes next to it what a first fold needs. It overwrites no file.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { decodeStream, Exit, factsOf, type Item, legible, referencingKinds } from "../core/index.ts";
import { formatItem, meantOr, nearest } from "../diagnostic.ts";
import type { FlagValues } from "./flags.ts";
import { isDirectory, isTarget } from "./inputs.ts";
import { type CommandResult, type Io, UsageError } from "./io.ts";
import { entriesAt, kustomizationFile, readTree } from "./kustomization-tree.ts";
import { kustomizationsIn, manifestParts } from "./manifests.ts";
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

type Pipeline = NonNullable<FlagValues<"init">["for"]>;

interface NewFile {
  readonly name: string;
  readonly text: string;
  readonly about: string;
}

/** What a directory has already. */
interface Found {
  readonly directory: string;
  readonly pipeline: Pipeline;
  /** Files with manifests, seen from the directory. */
  readonly manifests: readonly string[];
  /** The target of the new layer, if there is one. */
  readonly target: Item | undefined;
  /** How many it was taken from. */
  readonly targets: number;
  /** True if there is nothing yet: then an app to try it with is written, too. */
  readonly isEmpty: boolean;
}

/** @param words a target, a directory, both or neither */
export function init(words: readonly string[], flags: FlagValues<"init">, io: Io): CommandResult {
  const wanted = words.find(isTarget);
  const [name = ".", ...others] = words.filter((word) => word !== wanted);
  if (others.length > 0)
    throw new UsageError("expected at most one directory", "name one: valuefold init apps/shop");
  const directory = resolve(io.directory, name);
  if (existsSync(directory) && !isDirectory(directory))
    throw new UsageError(`\`${name}\` is not a directory`, "name a directory, or a new one");
  const below = kustomizationsBelow(directory);
  if (below.length > 0)
    throw new UsageError(
      `\`${name}\` has no kustomization, and directories in it have one`,
      `name one of them: valuefold init ${join(name, below[0] ?? "")}`,
    );
  const found = lookInto(directory, wanted, flags.for);
  writing(name, () => void mkdirSync(directory, { recursive: true }));
  const lines = [
    ...filesFor(found).map((file) => written(directory, file)),
    ...linesToAdd(found),
    ...(found.targets > 1 && wanted === undefined
      ? [`${found.targets} targets are here: \`valuefold init Kind/name\` takes another`]
      : []),
    "",
    "next:",
    ...nextSteps(found, name === "." ? "" : ` ${name}`).map((line) => `  ${line}`),
  ];
  return {
    exitCode: Exit.ok,
    output: [Buffer.from(lines.map((line) => `${legible(line)}\n`).join(""), "utf8")],
    diagnostics: [],
  };
}

/** The directories with a kustomization in a directory that has none. A layer next to them would be in no build. */
function kustomizationsBelow(directory: string): readonly string[] {
  if (!existsSync(directory) || kustomizationFile(directory) !== undefined) return [];
  if (existsSync(join(directory, names.package))) return [];
  // The one that is built is seldom the first one, which is the base.
  return kustomizationsIn(directory)
    .map((folder) => relative(directory, folder))
    .toReversed();
}

function lookInto(directory: string, wanted: string | undefined, form: Pipeline | undefined): Found {
  const isThere = existsSync(directory);
  const hasKustomization = isThere && kustomizationFile(directory) !== undefined;
  const folders = hasKustomization ? readTree(directory).all.map((each) => each.directory) : [directory];
  const parts = isThere ? folders.flatMap((folder) => manifestParts(folder, directory).parts) : [];
  const items = parts.flatMap(({ bytes }) => {
    const envelope = decodeStream(bytes);
    return "items" in envelope ? envelope.items : [];
  });
  const targets = items.filter(({ kind }) => referencingKinds.some((each) => each.kind === kind));
  const isPackage = existsSync(join(directory, names.package));
  return {
    directory,
    pipeline: form ?? (isPackage ? "kpt" : hasKustomization ? "kustomize" : "pipe"),
    manifests: [...new Set(parts.flatMap(({ name }) => name ?? []))].filter((name) => !ownFiles.has(name)),
    target: targetAmong(targets, wanted),
    targets: targets.length,
    isEmpty: parts.length === 0 && !hasKustomization && !isPackage,
  };
}

/** Files of an earlier call. */
const ownFiles: ReadonlySet<string> = new Set([names.layer, names.fold, names.nameReference]);

function targetAmong(targets: readonly Item[], wanted: string | undefined): Item | undefined {
  const [first] = targets;
  if (wanted === undefined) return first;
  const found = targets.find((each) => formatItem(each) === wanted || `${each.kind}/${each.name}` === wanted);
  if (found !== undefined) return found;
  const near = nearest(
    wanted,
    targets.map((each) => `${each.kind}/${each.name}`),
  );
  throw new UsageError(
    `no manifest here has the target \`${wanted}\``,
    meantOr(
      near,
      first === undefined
        ? "leave it out: no target is here yet"
        : "leave it out: the first target here is taken",
    ),
  );
}

function filesFor({ directory, pipeline, target, isEmpty }: Found): readonly NewFile[] {
  const app = isEmpty ? [{ name: names.app, text: exampleApp, about: "an app to try it with" }] : [];
  const resources = [...app.map(({ name }) => name), names.layer];
  return [...app, layerFor(target, isEmpty), ...filesOf(pipeline, resources, kustomizationFile(directory))];
}

function layerFor(target: Item | undefined, isExample: boolean): NewFile {
  const { kind, name, namespace } = target ?? { ...exampleTarget, name: isExample ? "shop" : "NAME" };
  const text = layerText({
    name: `${name.toLowerCase()}-layer`,
    namespace,
    target: `${kind}/${name}`,
    key: factsOf(kind)?.dataKey ?? "values",
    values: isExample ? "replicas: 3" : "# replicas: 3",
  });
  const about =
    isExample || target !== undefined
      ? `a layer of ${kind}/${name}`
      : "a layer: write the name of its target";
  return { name: names.layer, text, about };
}

const exampleTarget: Pick<Item, "kind" | "namespace"> = {
  kind: referencingKinds.at(-1)?.kind ?? "",
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
          about: "with it kustomize renames references, too",
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
function linesToAdd({ directory, pipeline }: Found): readonly string[] {
  if (pipeline === "pipe") return [];
  if (pipeline === "kpt") {
    const text = readFileSync(join(directory, names.package), "utf8");
    return /\bvaluefold\b/.test(text)
      ? []
      : [`add to ${names.package}:`, ...mutatorLines.map((line) => `  ${line}`)];
  }
  const { top } = readTree(directory);
  const entries = [["resources", names.layer] as const, ...kustomizationEntries];
  const missing = entries.filter(
    ([field, file]) => top === undefined || !entriesAt(top, field).includes(file),
  );
  return missing.length === 0
    ? []
    : [`add to ${kustomizationFile(directory)}:`, ...missing.map(([field, file]) => `  ${field}: [${file}]`)];
}

/** With more manifests they are not all named. */
const mostNamed = 4;

function nextSteps({ pipeline, manifests, isEmpty }: Found, at: string): readonly string[] {
  const files = isEmpty ? [names.app] : manifests;
  const prefix = at === "" ? "" : `${at.trim()}/`;
  const explain = `valuefold explain -c ${prefix}${names.fold}${at === "" ? " ." : at}`;
  const steps = {
    kustomize: `kustomize build --enable-alpha-plugins --enable-exec${at === "" ? " ." : at}`,
    kpt: `kpt fn render --allow-exec${at}`,
    pipe:
      files.length > mostNamed
        ? `kustomize build ... | valuefold fold -c ${prefix}${names.fold} - ${prefix}${names.layer}`
        : `valuefold fold -c ${prefix}${names.fold} ${[...files, names.layer].map((file) => prefix + file).join(" ")}`,
  };
  return [`${explain.padEnd(40)}  # which layer sets which value`, steps[pipeline], `valuefold doctor${at}`];
}
