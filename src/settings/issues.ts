// What a schema of settings finds wrong, in plain words: for function configs, Repeats and renders.
import type * as v from "valibot";
import { nearest } from "../diagnostic.ts";
import type { FieldStep } from "./places.ts";

export const listForMapping = "expected a mapping, got a list";

/** One field that is not as its schema wants it. */
export interface WrongField {
  readonly what: "unknown" | "missing" | "value";
  readonly steps: readonly FieldStep[];
  /** Its path with the root: `spec.targets[0].kind`. */
  readonly field: string;
  /** Without the field: `expected a list, got text`. */
  readonly message: string;
  /** What may be meant by a value that is one of a closed set. */
  readonly meant: string | undefined;
  /** Of an unknown field: those that may be there. */
  readonly known: readonly string[];
}

/**
 * Each wrong field once, in the order of the schema.
 * @param showsValues false where a message may show the kind of what is there only
 */
export function wrongFields(
  issues: readonly v.GenericIssue[],
  schema: v.GenericSchema,
  root: string,
  showsValues: boolean,
): readonly WrongField[] {
  const found = issues.flatMap(inside).map((issue) => wrongField(issue, schema, root, showsValues));
  const seen = new Set<string>();
  return found.filter(({ field, message }) => {
    const text = `${field}: ${message}`;
    return !seen.has(text) && seen.add(text);
  });
}

/** Of a value with several forms: what is wrong inside the form that it has. */
function inside(issue: v.GenericIssue): v.GenericIssue[] {
  const deeper = (issue.issues ?? []).filter(({ path }) => path !== undefined);
  if (deeper.length === 0) return [issue];
  return deeper.flatMap((each) => {
    const path = [...(issue.path ?? []), ...(each.path ?? [])] as unknown as NonNullable<typeof each.path>;
    return inside({ ...each, path });
  });
}

function wrongField(
  issue: v.GenericIssue,
  schema: v.GenericSchema,
  root: string,
  showsValues: boolean,
): WrongField {
  const steps = (issue.path ?? []).map(({ key }) => key as FieldStep);
  // To a schema a list is a mapping with numbers for keys.
  const list = (issue.path ?? []).findIndex(
    ({ key, input }) => Array.isArray(input) && typeof key === "string",
  );
  if (list >= 0) return at(steps.slice(0, list), root, "value", listForMapping);
  if (issue.type === "strict_object" && issue.expected === "never") {
    const wrong = at(steps, root, "unknown", "unknown field");
    return { ...wrong, known: keysAt(schema, steps.slice(0, -1)) };
  }
  if (issue.type === "strict_object" && issue.received === "undefined")
    return at(steps, root, "missing", "it is missing");
  return { ...at(steps, root, "value", messageOf(issue, showsValues)), meant: meantIn(issue) };
}

function at(
  steps: readonly FieldStep[],
  root: string,
  what: WrongField["what"],
  message: string,
): WrongField {
  return { what, steps, field: steps.reduce(fieldBelow, root), message, meant: undefined, known: [] };
}

/** The path of a field, one step longer. */
export function fieldBelow(field: string, step: FieldStep): string {
  if (typeof step === "number") return `${field}[${step}]`;
  if (!/^[A-Za-z_][\w-]*$/.test(step)) return `${field}[${JSON.stringify(step)}]`;
  return field === "" ? step : `${field}.${step}`;
}

/** The fields that a schema has at the end of a path. */
function keysAt(schema: unknown, [step, ...rest]: readonly FieldStep[]): readonly string[] {
  const wrapped = partOf(schema, "wrapped");
  if (wrapped !== undefined) return keysAt(wrapped, step === undefined ? [] : [step, ...rest]);
  const entries = partOf(schema, "entries");
  if (step === undefined) return Object.keys(entries ?? {});
  return keysAt(typeof step === "number" ? partOf(schema, "item") : partOf(entries, step), rest);
}

function partOf(schema: unknown, name: string): unknown {
  if (typeof schema !== "object" || schema === null || !Object.hasOwn(schema, name)) return undefined;
  return (schema as Record<string, unknown>)[name];
}

function messageOf(issue: v.GenericIssue, showsValues: boolean): string {
  const isOwn = !issue.message.startsWith("Invalid ");
  const isAlone = isOwn && (issue.kind === "validation" || issue.type === "custom");
  if (isAlone && issue.input !== "") return issue.message;
  const expected = `expected ${expectedIn(issue)}`;
  if (showsValues) return `${expected}, got ${receivedIn(issue)}`;
  const isOther = issue.type === "picklist" && typeof issue.input === "string" && issue.input !== "";
  return isOther ? expected : `${expected}, got ${kindOf(issue.input)}`;
}

const kinds: { readonly [name: string]: string } = {
  Array: "a list",
  Object: "a mapping",
  string: "a string",
  number: "a number",
  boolean: "true or false",
  undefined: "nothing",
  null: "nothing",
};

/** Of a union the schema says in its own words what it expects. */
function expectedIn(issue: v.GenericIssue): string {
  if (issue.message.startsWith("expected ")) return issue.message.slice("expected ".length);
  if (issue.type === "picklist") return listed(optionsOf(issue));
  const bound = bounds[issue.type]?.(String(issue.requirement));
  return bound ?? kinds[issue.expected ?? ""] ?? issue.expected ?? "another value";
}

const bounds: { readonly [type: string]: (bound: string) => string } = {
  integer: () => "a whole number",
  min_value: (bound) => `${bound} or more`,
  max_value: (bound) => `${bound} at most`,
  min_length: (bound) => `${bound} at least`,
};

/** Messages show the start of longer values. */
const mostShown = 60;

function receivedIn({ received }: v.GenericIssue): string {
  const text = kinds[received] ?? received;
  return text.length > mostShown ? `${text.slice(0, mostShown)}…` : text;
}

function kindOf(input: unknown): string {
  if (input === "" || input === null) return "nothing";
  return kinds[Array.isArray(input) ? "Array" : typeof input] ?? "a mapping";
}

function meantIn(issue: v.GenericIssue): string | undefined {
  if (issue.type !== "picklist" || typeof issue.input !== "string") return undefined;
  const options = optionsOf(issue);
  const input = issue.input.toLowerCase();
  return options.find((each) => each.toLowerCase() === input) ?? nearest(issue.input, options);
}

function optionsOf({ expected }: v.GenericIssue): readonly string[] {
  return [...(expected ?? "").matchAll(/"([^"]*)"/g)].map(([, option = ""]) => option);
}

function listed(options: readonly string[]): string {
  const last = options.at(-1) ?? "";
  return options.length < 2 ? last : `${options.slice(0, -1).join(", ")} or ${last}`;
}
