// `<< name >>` in the paths of a schema. One pass: what a value brings in is text, and never filled in again.
import { type Diagnostic, meantOr, nearest } from "../diagnostic.ts";
import type { VariableOf } from "./schema.ts";
import { errorAt, warningAt } from "./faults.ts";

export type Variables = ReadonlyMap<string, string>;

/** The schema's variables for one instance: given ones over defaults. */
export function variablesOf(
  declared: readonly VariableOf[],
  given: Variables,
): { readonly variables: Variables; readonly faults: readonly Diagnostic[] } {
  const variables = new Map(
    declared.map(({ name, default: fallback }) => [name, given.get(name) ?? fallback] as const),
  );
  const missing = declared.filter(({ name, required }) => required && !given.has(name));
  const undeclared = [...given.keys()].filter((name) => !variables.has(name));
  return {
    variables,
    faults: [
      ...missing.map(({ name }) => missingVariable(name)),
      ...undeclared.map((name) => undeclaredVariable(name, declared)),
    ],
  };
}

/** One without an end takes the rest of its line: looking for an end at each start would take the square of the time. */
const placeholder = /<< (.+?)( >>|$)/gm;

/** Names of the variables in a text. */
export function variablesIn(text: string): readonly string[] {
  return [...text.matchAll(placeholder)].flatMap(([, name = "", end]) => (end === "" ? [] : [name]));
}

/** The text, filled in; or the first name in it that is no variable. */
export function filled(
  text: string,
  variables: Variables,
): { readonly text: string } | { readonly unknown: string } {
  let unknown: string | undefined;
  const result = text.replaceAll(placeholder, (whole: string, name: string, end: string) => {
    if (end === "") return whole;
    const value = variables.get(name);
    if (value === undefined) unknown ??= name;
    return value ?? whole;
  });
  return unknown === undefined ? { text: result } : { unknown };
}

export function unknownVariable(name: string, variables: Variables): Diagnostic {
  const near = nearest(name, variables.keys());
  return errorAt(
    "unknown-variable",
    undefined,
    `\`<< ${name} >>\` names no variable of the schema`,
    near === undefined
      ? `the variables are ${[...variables.keys()].map((each) => `\`${each}\``).join(", ") || "none"}`
      : `did you mean \`<< ${near} >>\`?`,
  );
}

function missingVariable(name: string): Diagnostic {
  return errorAt(
    "missing-variable",
    undefined,
    `the schema requires the variable \`${name}\`, and nothing sets it`,
    "set it under `variables`, or of one instance under `instances`",
  );
}

/** An error: each instance would be the same. */
export function unknownScopeVariable(name: string, declared: readonly VariableOf[]): Diagnostic {
  return { ...undeclaredVariable(name, declared), severity: "error", field: "spec.scope.variable" };
}

function undeclaredVariable(name: string, declared: readonly VariableOf[]): Diagnostic {
  const near = nearest(
    name,
    declared.map((each) => each.name),
  );
  return warningAt(
    "unknown-variable",
    undefined,
    `the variable \`${name}\` is set, and the schema has no variable of that name`,
    meantOr(near, "leave it out, or declare it in the schema"),
  );
}
