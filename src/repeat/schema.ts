// The spec of a Repeat: the one source of its JSON Schema and of what is read; and what is wrong with its fields, in plain
// words. A fault shows the kind of what is there, never the value.
import * as v from "valibot";
import { nearest } from "../diagnostic.ts";
import type { Item } from "../core/index.ts";
import { below, fail, type Failure } from "./faults.ts";

const text = v.pipe(v.string("expected text"), v.minLength(1, "expected text"));
const scalars = [v.string(), v.number(), v.boolean()] as const;

const count = "expected a whole number, 0 or more";
const sourceKinds = ["ConfigMap", "Secret", "Config", "ConfigValues"] as const;

const Clone = v.strictObject({
  apiVersion: v.optional(v.pipe(text, v.description("apiVersion of the item; unset: any."))),
  kind: v.pipe(text, v.description("Kind of the item that holds the list, or that is the template.")),
  name: v.pipe(text, v.description("Its name.")),
  namespace: v.optional(v.pipe(text, v.description("Its namespace; unset: the Repeat's own."))),
  path: v.optional(
    v.pipe(text, v.description("The list element that is the template, e.g. spec.ports[0], or [name=tpl].")),
  ),
  as: v.optional(v.pipe(text, v.description("Name of a clone of the whole item, e.g. worker-{name}."))),
  each: v.optional(
    v.pipe(
      text,
      v.description("Path of a mapping in the instance's value: one clone per entry, filled in by {item.…}."),
    ),
  ),
  set: v.optional(
    v.pipe(
      v.union([v.record(v.string(), v.union([...scalars, v.null()])), ...scalars]),
      v.description("Fields of each clone by path, or what a list element is as a whole."),
    ),
  ),
  values: v.optional(
    v.pipe(text, v.description("Of an App or HelmRelease: the mapping that is the clone's own top layer.")),
  ),
});

const From = v.strictObject({
  kind: v.picklist(sourceKinds),
  name: text,
  namespace: v.optional(text),
  key: v.optional(v.pipe(text, v.description("Data key of a ConfigMap or Secret."))),
  item: v.optional(v.pipe(text, v.description("A repeatable item of a KOTS Config or ConfigValues."))),
  group: v.optional(v.pipe(text, v.description("A group of a KOTS Config."))),
});

export const RepeatSpec = v.strictObject({
  instances: v.optional(
    v.pipe(
      v.record(v.string(), v.unknown(), "expected a mapping"),
      v.description("Instances by name; null removes one."),
    ),
  ),
  from: v.optional(v.pipe(From, v.description("Where the instances are read from, instead of `instances`."))),
  minimumCount: v.optional(
    v.pipe(
      v.number(count),
      v.integer(count),
      v.minValue(0, count),
      v.description("Fewer instances are an error."),
    ),
  ),
  clone: v.pipe(v.array(Clone, "expected a list of entries"), v.minLength(1, "expected one entry at least")),
});

export type RepeatSpec = v.InferOutput<typeof RepeatSpec>;

/** The fields of a Repeat's spec, of an entry of `clone`, of `from`. */
const fieldNames = {
  spec: Object.keys(RepeatSpec.entries),
  clone: Object.keys(Clone.entries),
  from: Object.keys(From.entries),
} as const;

type Issue = v.GenericIssue;

/** Each fault once, in the order of the schema. */
export function schemaFaults(issues: readonly Issue[], repeat: Item): Failure[] {
  const faults = issues.map((issue) => failureOf(issue, repeat));
  const seen = new Set<string>();
  return faults.filter(({ fault: { message } }) => !seen.has(message) && seen.add(message));
}

function failureOf(issue: Issue, repeat: Item): Failure {
  const keys = (issue.path ?? []).map(({ key }) => key as string | number);
  const where = { repeat, field: keys.reduce<string>(below, "spec") };
  const list =
    issue.path?.findIndex(({ key, input }) => Array.isArray(input) && typeof key === "string") ?? -1;
  if (list >= 0)
    return wrong({ repeat, field: keys.slice(0, list).reduce<string>(below, "spec") }, "a mapping", []);
  if (issue.type === "strict_object" && issue.expected === "never") return unknown(keys, where);
  if (issue.type === "strict_object" && issue.input === undefined)
    return fail("invalid-setting", where, "it is missing", missing[String(keys.at(-1))] ?? "say it");
  if (issue.type === "picklist") return noSource(issue, where);
  if (keys.at(-1) === "set") return wrongSet(issue, where);
  if (issue.kind === "validation" && typeof issue.input !== "string")
    return fail("invalid-setting", where, issue.message, "correct it in the Repeat");
  const message = issue.message.startsWith("expected ")
    ? issue.message.slice("expected ".length)
    : "a mapping";
  return wrong(where, message, issue.input);
}

type Where = Parameters<typeof fail>[1];

function wrong(where: Where, expected: string, got: unknown): Failure {
  const isBare = kindOf(got) === "a mapping" && expected.startsWith("text");
  const hint = isBare ? 'write a placeholder in quotes: `"{value.port}"`' : cures[where.field];
  return fail(
    "invalid-setting",
    where,
    `expected ${expected}, got ${kindOf(got)}`,
    hint ?? "correct it in the Repeat",
  );
}

const cures: { readonly [field: string]: string } = {
  "spec.instances":
    "write each instance under a name of its own: `instances: {a: {}, b: {}}`, or `{}` for none",
  "spec.clone": "begin each entry with `- `",
};

function unknown(keys: readonly (string | number)[], where: Where): Failure {
  const known =
    fieldNames[keys[0] === "clone" && keys.length === 3 ? "clone" : keys[0] === "from" ? "from" : "spec"];
  const near = nearest(String(keys.at(-1)), known);
  const hint = near === undefined ? `the fields are ${known.join(", ")}` : `did you mean \`${near}\`?`;
  return fail("unknown-setting", where, "unknown field", hint);
}

function noSource({ input }: Issue, where: Where): Failure {
  const near = typeof input === "string" ? nearest(input, sourceKinds) : undefined;
  const got = typeof input === "string" && input !== "" ? "another kind" : kindOf(input);
  const hint = near === undefined ? "read the instances from one of these" : `did you mean \`${near}\`?`;
  return fail("invalid-setting", where, `expected ${sourceKinds.join(", ")}, got ${got}`, hint);
}

/** A placeholder without quotes is a mapping to YAML. */
function wrongSet({ input }: Issue, where: Where): Failure {
  if (typeof input !== "object" || input === null || Array.isArray(input))
    return wrong(where, "fields by path, or one scalar", input);
  const found = Object.entries(input).find(([, value]) => typeof value === "object" && value !== null);
  return wrong(
    { ...where, field: below(where.field, found?.[0] ?? "") },
    "text or another scalar",
    found?.[1],
  );
}

const missing: { readonly [field: string]: string } = {
  clone: 'say what is cloned: `clone: [{ kind: Deployment, name: worker, as: "worker-{name}" }]`',
  kind: "say the kind of the item",
  name: "say the name of the item",
};

function kindOf(input: unknown): string {
  if (input === undefined || input === null || input === "") return "nothing";
  if (typeof input === "object") return Array.isArray(input) ? "a list" : "a mapping";
  return typeof input === "string" ? "text" : typeof input === "boolean" ? "true or false" : "a number";
}
