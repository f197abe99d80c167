// What a schema of settings finds wrong, in plain words.
import type * as v from "valibot";
import { nearest } from "../../diagnostic.ts";

/** Longer values are told by their start. */
const mostTold = 60;

const kinds: { readonly [name: string]: string } = {
  Array: "a list",
  Object: "a mapping",
  string: "text",
  number: "a number",
  boolean: "true or false",
  undefined: "nothing",
  null: "nothing",
};

/** What should stand there. Of several forms the settings say in words what they are. */
export function expectedIn(issue: v.GenericIssue): string {
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

/** What stands there. */
export function receivedIn({ received }: v.GenericIssue): string {
  const text = kinds[received] ?? received;
  return text.length > mostTold ? `${text.slice(0, mostTold)}…` : text;
}

/** Of a closed set of words the one that was meant, perhaps. */
export function meantIn(issue: v.GenericIssue): string | undefined {
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
