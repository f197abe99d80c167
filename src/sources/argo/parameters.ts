// `parameters` and `fileParameters` of an Argo CD source: Helm gets each as `--set`, `--set-string` or `--set-file`, in this
// order, over all files. What they set in a list is the whole list that comes of it.
import { mergeAll, type Node, readValues, toPlain, writeValues } from "../../core/index.ts";
import type { Diagnostic } from "../../diagnostic.ts";
import { type ChainValue, listedDocument, positionOf, type StackDocument } from "../../explain/index.ts";
import type { Place } from "../../explanation.ts";
import { readFile } from "../disk.ts";
import {
  assign,
  type Assignable,
  type Assignment,
  assignmentsIn,
  type SetStep,
  type SetValue,
  spelledSteps,
  typedValue,
} from "../helm/set-values.ts";
import { fieldIn, isTrue, listIn, type Placed, textIn } from "../placed.ts";
import type { Environment } from "./environment.ts";

/** One of the three flags, with all that goes into it. */
export interface ParameterSet {
  readonly slot: string;
  readonly parameters: readonly Parameter[];
}

/** A file whose text is a value. */
interface FoundFile {
  readonly path: string;
  readonly at: Place;
}

interface Parameter {
  readonly name: string;
  readonly assignments: readonly Assignment[];
  readonly at: Place | undefined;
  readonly variables: Placed["variables"];
}

/** The parameters of a source in the order in which they apply. @param pathOf finds a file, or says why it is not there */
export function parameterSets(
  helm: Placed | undefined,
  environment: Environment,
  pathOf: (written: Placed) => FoundFile | undefined,
  faults: Diagnostic[],
): readonly ParameterSet[] {
  const all = listIn(fieldIn(helm, "parameters"));
  const files = listIn(fieldIn(helm, "fileParameters"));
  const valued = (each: Placed, read: (text: string) => SetValue): Parameter | undefined => {
    const value = fieldIn(each, "value");
    const { text, unknown } = environment.filled(textIn(value) ?? "");
    if (unknown !== undefined) return refuse(each, `\`$${unknown}\` is known in the cluster only`, faults);
    return parameterOf(each, value ?? each, cleaned(text), read, faults);
  };
  const isString = (each: Placed): boolean => isTrue(fieldIn(each, "forceString"));
  const set = (slot: string, found: readonly (Parameter | undefined)[]): ParameterSet => ({
    slot,
    parameters: lastOfEach(found.flatMap((each) => each ?? [])),
  });
  const sets = [
    set(
      "parameters",
      all.filter((each) => !isString(each)).map((each) => valued(each, typedValue)),
    ),
    set(
      "parameters",
      all.filter(isString).map((each) => valued(each, (text) => text)),
    ),
    set(
      "fileParameters",
      files.map((each) => ofFile(each, pathOf, faults)),
    ),
  ];
  return sets.filter(({ parameters }) => parameters.length > 0);
}

/** A comma in a value is none of the grammar, unless the value is a list. */
function cleaned(value: string): string {
  if (value.startsWith("{") && value.endsWith("}")) return value;
  return value.replaceAll(
    /(^|[^\\])(,+)/g,
    (_, before: string, commas: string) => before + commas.replaceAll(",", "\\,"),
  );
}

function parameterOf(
  each: Placed,
  value: Placed,
  text: string,
  read: (text: string) => SetValue,
  faults: Diagnostic[],
): Parameter | undefined {
  const name = textIn(fieldIn(each, "name")) ?? "";
  const assignments = assignmentsIn(`${name}=${text}`, read);
  if ("wrong" in assignments) return refuse(each, `Helm refuses the parameter: ${assignments.wrong}`, faults);
  const variables = [...(fieldIn(each, "name")?.variables ?? []), ...(value.variables ?? [])];
  return { name, assignments, at: value.at ?? each.at, variables };
}

/** Helm reads the file: its text is the value. */
function ofFile(
  each: Placed,
  pathOf: (written: Placed) => FoundFile | undefined,
  faults: Diagnostic[],
): Parameter | undefined {
  const written = fieldIn(each, "path");
  const file = written === undefined ? undefined : pathOf(written);
  if (file === undefined || written === undefined) return undefined;
  const text = Buffer.from(readFile(file.path)).toString("utf8");
  return parameterOf(each, { ...written, at: file.at }, "x", () => text, faults);
}

function refuse(each: Placed, message: string, faults: Diagnostic[]): undefined {
  faults.push({ code: "not-built", severity: "error", message, ...(each.at && { at: positionOf(each.at) }) });
  return undefined;
}

/** Of two with the same name the later one applies: Argo CD keeps them by their names. */
function lastOfEach(parameters: readonly Parameter[]): readonly Parameter[] {
  return [...new Map(parameters.map((each) => [each.name, each])).values()];
}

/** Over documents. @param below theirs, lowest first */
export function parameterDocument(
  { slot, parameters }: ParameterSet,
  path: string,
  below: readonly Node[],
  faults: Diagnostic[],
): StackDocument {
  const values = plainValues(below);
  const applied = parameters.flatMap((parameter) =>
    parameter.assignments.map((assignment) => ({ parameter, assignment })),
  );
  for (const { parameter, assignment } of applied) {
    const wrong = assign(values, assignment);
    if (wrong !== undefined)
      faults.push({
        code: "not-built",
        severity: "error",
        message: `Helm refuses the parameter \`${parameter.name}\`: ${wrong}`,
        ...(parameter.at && { at: positionOf(parameter.at) }),
      });
  }
  const found = new Map<string, ChainValue>();
  for (const { parameter, assignment } of applied) {
    const keys = keysOf(assignment.steps);
    const variables = parameter.variables ?? [];
    found.set(JSON.stringify(keys), {
      path: keys,
      text: spelled(valueAt(values, keys)),
      at: parameter.at ?? { of: "text" },
      ...(variables.length === 0 ? {} : { variables }),
    });
  }
  const at = parameters[0]?.at ?? { of: "text" };
  const chain = { at, isPatch: false, isSecret: false, values: [...found.values()] };
  return listedDocument(chain, { why: "parameter", slot: `${path}.helm.${slot}`, state: "folded" });
}

/** Two that set the same, or one inside of the other: Go takes them in any order. */
export function clashesIn({ parameters }: ParameterSet): readonly (readonly [Parameter, Parameter])[] {
  const all = parameters.flatMap((parameter) =>
    parameter.assignments.map(({ steps }) => ({ parameter, text: spelledSteps(steps) })),
  );
  return all.flatMap(({ parameter, text }, index) =>
    all
      .slice(index + 1)
      .filter((other) => other.parameter !== parameter && isSameOrInside(text, other.text))
      .map((other) => [parameter, other.parameter] as const),
  );
}

function isSameOrInside(a: string, b: string): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  return long.startsWith(short) && /^(?:$|[.[])/.test(long.slice(short.length));
}

/** The keys down to a value, or to the list that it is in. */
function keysOf(steps: readonly SetStep[]): readonly string[] {
  const index = steps.findIndex((step) => typeof step === "number");
  return (index < 0 ? steps : steps.slice(0, index)).map(String);
}

function plainValues(below: readonly Node[]): Assignable {
  const tree = mergeAll(below);
  const { root } = readValues(tree === undefined ? new Uint8Array() : writeValues(tree));
  const plain = root === undefined ? {} : toPlain(root, null);
  return typeof plain === "object" && plain !== null ? { ...plain } : {};
}

function valueAt(values: Assignable, keys: readonly string[]): unknown {
  return keys.reduce<unknown>(
    (at, key) => (typeof at === "object" && at !== null ? (at as Assignable)[key] : undefined),
    values,
  );
}

/** On one line. A whole number that JavaScript cannot hold keeps its digits. */
function spelled(value: unknown): string {
  if (typeof value === "bigint") return String(value);
  if (Array.isArray(value)) return `[${value.map(spelled).join(", ")}]`;
  if (typeof value === "object" && value !== null)
    return `{${Object.entries(value)
      .map(([key, each]) => `${JSON.stringify(key)}: ${spelled(each)}`)
      .join(", ")}}`;
  return JSON.stringify(value) ?? "null";
}
