// A Kptfile → the functions of its pipeline, and what kpt would refuse in it. kpt reads nothing of a package that it refuses.
import { join, normalize, sep } from "node:path";
import { type Diagnostic, meantOr, nearest } from "../diagnostic.ts";
import { notBuilt } from "./not-built.ts";
import { existsSync, readFile } from "./disk.ts";
import { itemsIn, rootOf } from "./items.ts";
import { type Fields, isFields } from "./plain.ts";

/** A function that kpt runs: a program with its arguments, or an image. */
export interface KptStep {
  readonly runsAs: "exec" | "container";
  readonly words: readonly string[];
  /** The file with its settings, seen from the package. */
  readonly configPath: string | undefined;
  readonly configMap: unknown;
}

export interface Kptfile {
  readonly steps: readonly KptStep[];
  readonly faults: readonly Diagnostic[];
}

export const packageName = "Kptfile";

/** @param shown the directory as messages name it; a directory without a Kptfile has no functions */
export function readKptfile(directory: string, shown: string): Kptfile {
  const file = join(directory, packageName);
  if (!existsSync(file)) return { steps: [], faults: [] };
  const at = { text: join(shown, packageName), isFile: true } as const;
  const refused = (message: string, hint: string): Diagnostic =>
    notBuilt({ message, severity: "error", at, hint });
  const fields = fieldsOf(file);
  if (fields === undefined)
    return { steps: [], faults: [refused(`\`${packageName}\` cannot be read`, usualCure)] };
  const entries = entriesOf(fields["pipeline"]);
  const faults = [
    ...unknownFields(fields, knownFields.file, "it"),
    ...(isFields(fields["pipeline"])
      ? unknownFields(fields["pipeline"], knownFields.pipeline, "`pipeline`")
      : []),
    ...entries.flatMap((entry) => faultsOf(entry, directory)),
  ];
  return {
    steps: entries.flatMap((entry) => (isFields(entry) ? stepOf(entry) : [])),
    faults: faults.map(([message, hint]) => refused(`\`${packageName}\`: ${message}`, hint)),
  };
}

type Fault = readonly [message: string, hint: string];

const usualCure = "see why: kpt fn render; a function is a mapping in the list `pipeline.mutators`";

/** Those of `kpt.dev/v1`: kpt refuses a Kptfile with any other. */
const knownFields = {
  file: [
    "apiVersion",
    "kind",
    "metadata",
    "upstream",
    "upstreamLock",
    "info",
    "pipeline",
    "inventory",
    "status",
  ],
  pipeline: ["mutators", "validators"],
  step: ["image", "tag", "exec", "configPath", "configMap", "name", "selectors", "exclude", "condition"],
} as const;

function fieldsOf(file: string): Fields | undefined {
  const fields = rootOf(itemsIn(readFile(file))[0])?.plain(null);
  return isFields(fields) ? fields : undefined;
}

/** The entries of all lists in a pipeline. What is not a list is an entry that is wrong. */
function entriesOf(pipeline: unknown): readonly unknown[] {
  if (pipeline === undefined || pipeline === null) return [];
  if (!isFields(pipeline)) return [wrong];
  return Object.values(pipeline).flatMap((list) =>
    list === null ? [] : Array.isArray(list) ? (list as readonly unknown[]) : [wrong],
  );
}

const wrong = Symbol("not a list of functions");

function faultsOf(entry: unknown, directory: string): readonly Fault[] {
  if (entry === null) return [];
  if (!isFields(entry)) return [["`pipeline` has what is not a function", usualCure]];
  const unknown = unknownFields(entry, knownFields.step, "a function");
  if (unknown.length > 0) return unknown;
  const { image, exec, configPath, configMap } = entry;
  if (isText(image) === isText(exec))
    return [["a function needs either `exec` or `image`", "write the program: exec: valuefold"]];
  if (configPath === undefined) return [];
  if (configMap !== undefined)
    return [["a function has both `configPath` and `configMap`", "leave one of them out"]];
  if (isText(configPath) && isInside(configPath) && existsSync(join(directory, configPath))) return [];
  return [
    ["the file of `configPath` is not in the package", "name a file of the package, seen from its Kptfile"],
  ];
}

function unknownFields(fields: Fields, known: readonly string[], owner: string): readonly Fault[] {
  return Object.keys(fields)
    .filter((name) => !known.includes(name))
    .map((name) => [
      `kpt knows no field \`${name}\` of ${owner}`,
      meantOr(nearest(name, known), `it knows ${known.join(", ")}`),
    ]);
}

function stepOf({ image, exec, configPath, configMap }: Fields): readonly KptStep[] {
  const settings = {
    configPath: isText(configPath) && isInside(configPath) ? configPath : undefined,
    configMap,
  };
  if (isText(exec)) return [{ runsAs: "exec", words: exec.split(/\s+/).filter(Boolean), ...settings }];
  return isText(image) ? [{ runsAs: "container", words: [image], ...settings }] : [];
}

function isInside(path: string): boolean {
  return !path.startsWith("/") && normalize(path).split(sep)[0] !== "..";
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}
