// What is wrong with a Repeat's fields, in plain words. Values are anyone's: only the kind of what is there is told.
import { nearest } from "../diagnostic.ts";
import type { Item } from "../wire/item.ts";
import type * as v from "valibot";
import { below, told, type Told } from "./faults.ts";
import { fieldNames, sourceKinds } from "./schema.ts";

type Issue = v.GenericIssue;

/** Each fault once, in the order of the schema. */
export function schemaFaults(issues: readonly Issue[], repeat: Item): Told[] {
  const faults = issues.map((issue) => toldOf(issue, repeat));
  const seen = new Set<string>();
  return faults.filter(({ fault: { message } }) => !seen.has(message) && seen.add(message));
}

function toldOf(issue: Issue, repeat: Item): Told {
  const keys = (issue.path ?? []).map(({ key }) => key as string | number);
  const where = { repeat, field: keys.reduce<string>(below, "spec") };
  const list =
    issue.path?.findIndex(({ key, input }) => Array.isArray(input) && typeof key === "string") ?? -1;
  if (list >= 0)
    return wrong({ repeat, field: keys.slice(0, list).reduce<string>(below, "spec") }, "a mapping", []);
  if (issue.type === "strict_object" && issue.expected === "never") return unknown(keys, where);
  if (issue.type === "strict_object" && issue.input === undefined)
    return told("invalid-setting", where, "it is missing", missing[String(keys.at(-1))] ?? "say it");
  if (issue.type === "picklist") return noSource(issue, where);
  if (keys.at(-1) === "set") return wrongSet(issue, where);
  if (issue.kind === "validation" && typeof issue.input !== "string")
    return told("invalid-setting", where, issue.message, "correct it in the Repeat");
  const message = issue.message.startsWith("expected ")
    ? issue.message.slice("expected ".length)
    : "a mapping";
  return wrong(where, message, issue.input);
}

type Where = Parameters<typeof told>[1];

function wrong(where: Where, expected: string, got: unknown): Told {
  const isBare = kindOf(got) === "a mapping" && expected.startsWith("text");
  const hint = isBare ? 'a placeholder stands in quotes: `"{value.port}"`' : cures[where.field];
  return told(
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

function unknown(keys: readonly (string | number)[], where: Where): Told {
  const known =
    fieldNames[keys[0] === "clone" && keys.length === 3 ? "clone" : keys[0] === "from" ? "from" : "spec"];
  const near = nearest(String(keys.at(-1)), known);
  const hint = near === undefined ? `here stand ${known.join(", ")}` : `did you mean \`${near}\`?`;
  return told("unknown-setting", where, "unknown field", hint);
}

function noSource({ input }: Issue, where: Where): Told {
  const near = typeof input === "string" ? nearest(input, sourceKinds) : undefined;
  const got = typeof input === "string" && input !== "" ? "another kind" : kindOf(input);
  const hint = near === undefined ? "read the instances from one of these" : `did you mean \`${near}\`?`;
  return told("invalid-setting", where, `expected ${sourceKinds.join(", ")}, got ${got}`, hint);
}

/** A placeholder without quotes is a mapping to YAML. */
function wrongSet({ input }: Issue, where: Where): Told {
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
