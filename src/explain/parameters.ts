// Values that are set one by one, as `helm --set` does it: over all files. What they set in a list is the whole list that comes
// of it.
import { mergeAll, writeValues } from "../merge/index.ts";
import type { Node } from "../yaml/index.ts";
import { readValues } from "../layers/index.ts";
import type { Diagnostic } from "../diagnostic.ts";
import type { Place, Variable } from "../explanation.ts";
import type { ChainValue } from "./chain.ts";
import { listedDocument, positionOf, type StackDocument } from "./document.ts";
import { newScalar } from "./one-line.ts";
import {
  assign,
  type Assignable,
  type Assignment,
  assignmentsIn,
  isAssignable,
  type SetStep,
  type SetValue,
  spelledSteps,
} from "./set-values.ts";

/** All that is set by one flag. */
export interface ParameterSet {
  /** The field that has them. */
  readonly slot: string;
  readonly parameters: readonly Parameter[];
}

export interface Parameter {
  readonly name: string;
  readonly assignments: readonly Assignment[];
  readonly at: Place | undefined;
  readonly variables?: readonly Variable[] | undefined;
  /** True for one of which a Secret sets a part: its name is in no message. */
  readonly isSecret?: boolean;
}

/** What a parameter is made of. */
export interface WrittenParameter extends Omit<Parameter, "assignments"> {
  /** The value, as it is written after `=`. */
  readonly text: string;
  readonly read: (text: string) => SetValue;
}

/** Undefined for one that Helm refuses. */
export function parameterOf(
  { text, read, ...named }: WrittenParameter,
  faults: Diagnostic[],
): Parameter | undefined {
  const assignments = assignmentsIn(`${named.name}=${text}`, read);
  if (!("wrong" in assignments)) return { ...named, assignments };
  const why = named.isSecret === true ? "a Secret sets a part of it" : assignments.wrong;
  faults.push(refusal(`Helm refuses the parameter: ${why}`, named.at));
  return undefined;
}

export function refusal(message: string, at: Place | undefined): Diagnostic {
  return { code: "not-built", severity: "error", message, ...(at && { at: positionOf(at) }) };
}

/** Over documents, lowest first. */
export function parameterDocument(
  { slot, parameters }: ParameterSet,
  below: readonly Pick<StackDocument, "root" | "isSecret">[],
  faults: Diagnostic[],
): StackDocument {
  const values = plainValues(below.flatMap(({ root }) => root ?? []));
  const applied = parameters.flatMap((parameter) =>
    parameter.assignments.map((assignment) => ({ parameter, assignment })),
  );
  const set = applied.filter(({ parameter, assignment }) => {
    const wrong = assign(values, assignment);
    const said = `the parameter \`${parameter.name}\`: ${wrong}`;
    if (wrong !== undefined)
      faults.push(
        refusal(`Helm refuses ${parameter.isSecret === true ? "a parameter" : said}`, parameter.at),
      );
    return wrong === undefined && !assignment.steps.includes("");
  });
  const found = new Map<string, ChainValue>();
  for (const { parameter, assignment } of set) {
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
  // A list that they set a part of has elements of the documents below.
  const isOverSecret = below.some((each) => each.isSecret);
  const isOfBelow = isOverSecret && set.some(({ assignment }) => !assignment.steps.every(isKeyStep));
  const isSecret = isOfBelow || parameters.some((each) => each.isSecret === true);
  return listedDocument(
    { at, isSecret, values: [...found.values()] },
    { why: "parameter", slot, state: "folded" },
  );
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

function isKeyStep(step: SetStep): boolean {
  return typeof step !== "number";
}

/** The keys down to a value, or to the list that it is in. */
function keysOf(steps: readonly SetStep[]): readonly string[] {
  const index = steps.findIndex((step) => typeof step === "number");
  return (index < 0 ? steps : steps.slice(0, index)).map(String);
}

/** Merged values as plain ones. */
export function plainValues(below: readonly Node[]): Assignable {
  const tree = mergeAll(below);
  const { root } = readValues(tree === undefined ? new Uint8Array() : writeValues(tree));
  const plain = root === undefined ? {} : root.plain(null);
  return isAssignable(plain) ? { ...plain } : {};
}

function valueAt(values: Assignable, keys: readonly string[]): unknown {
  return keys.reduce<unknown>(
    (at, key) => (isAssignable(at) && Object.hasOwn(at, key) ? at[key] : undefined),
    values,
  );
}

/** On one line. */
function spelled(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spelled).join(", ")}]`;
  if (typeof value !== "object" || value === null) return newScalar(value);
  const entries = Object.entries(value).map(([key, each]) => `${newScalar(key)}: ${spelled(each)}`);
  return `{${entries.join(", ")}}`;
}
