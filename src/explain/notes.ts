// What is said of values and stacks besides what sets them: the same in text and on the page.
import type { ExplainedSchema, ExplainedStack, ExplainedValue } from "../explanation.ts";

/** What makes a value out of what its layers say. */
export type Noted = Pick<
  ExplainedValue,
  "elements" | "rule" | "protected" | "schema" | "rendered" | "variables"
>;

/** A line for everything that is said of the path. */
export function notesOf({ protected: who, schema = [], rendered = [], variables = [] }: Noted): string[] {
  const only = who === undefined ? [] : [`protected: only ${who} may set it`];
  const overridden = rendered.map(
    ({ file = "", line }) => `over ${file}${line === undefined ? "" : `:${line}`}, a value of its render`,
  );
  const filled = variables.map(({ name, at: { file = "", line }, stays }) =>
    stays === undefined
      ? `with ${name} of ${file}${line === undefined ? "" : `:${line}`}`
      : `\${${name}} stays: ${stays}`,
  );
  return [...overridden, ...filled, ...only, ...schema.map(schemaText)];
}

function schemaText({ from, type, required, description }: ExplainedSchema): string {
  const facts = [type ?? "", required === true ? "required" : ""].filter((each) => each !== "").join(", ");
  const note = [facts, description ?? ""].filter((each) => each !== "").join(": ");
  return `schema ${from}${note === "" ? "" : `: ${note}`}`;
}

/** Why the next lines are below a key: a rule merged a list, or a mapping replaced another value. */
export function kindText({ mapping, rule }: Pick<ExplainedValue, "mapping" | "rule">): string {
  if (rule !== undefined) return `(list by ${rule})`;
  return mapping === true ? "(mapping)" : "";
}

/** True if the fold has something to do, or a reason not to: who only asks for values need not know of it. */
export function isForFold({ layers, runs, splits }: ExplainedStack): boolean {
  const kinds = layers.flatMap(({ kind }) => kind ?? []);
  const isSplit = splits.length > 0 && new Set(kinds).size < kinds.length;
  return runs.length > 0 || isSplit || layers.some(({ why }) => why === "annotation" || why === "label");
}
