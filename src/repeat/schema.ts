// The spec of a Repeat: the one source of its JSON Schema and of what is read; and the faults of its fields. A fault shows
// the kind of what is there, never the value.
import * as v from "valibot";
import { type Diagnostic, meantOr, nearest } from "../diagnostic.ts";
import type { Item } from "../krm/index.ts";
import type { Node } from "../yaml/index.ts";
import { type WrongField, wrongFields } from "../settings/index.ts";
import { faultAt } from "./faults.ts";

const text = v.pipe(v.string("expected a string"), v.minLength(1, "expected a string"));
const scalars = [v.string(), v.number(), v.boolean()] as const;

const count = "expected a whole number, 0 or more";
const sourceKinds = ["ConfigMap", "Secret", "Config", "ConfigValues"] as const;

/** `as: "worker-{name}"` clones a whole item, `path: "spec.ports[0]"` a list element; an entry has one of them. */
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
  /**
   * Fields by path, or for a list element one scalar:
   *
   *     set: {name: "{name}", spec.replicas: 2, 'metadata.labels["a.b/c"]': "{value.zone}"}
   *     set: "{value.host}"
   */
  set: v.optional(
    v.pipe(
      v.union(
        [
          v.record(v.string(), v.union([...scalars, v.null()], "expected a string or another scalar")),
          ...scalars,
        ],
        "expected fields by path, or one scalar",
      ),
      v.description("Fields of each clone by path, or what a list element is as a whole."),
    ),
  ),
  values: v.optional(
    v.pipe(text, v.description("Of an App or HelmRelease: the mapping that is the clone's own top layer.")),
  ),
});

/** `{kind: ConfigMap, name: proxies, key: instances.yaml}`, `{kind: Config, name: app, item: serviceport}` */
const From = v.strictObject({
  kind: v.picklist(sourceKinds),
  name: text,
  namespace: v.optional(text),
  key: v.optional(v.pipe(text, v.description("Data key of a ConfigMap or Secret."))),
  item: v.optional(v.pipe(text, v.description("A repeatable item of a KOTS Config or ConfigValues."))),
  group: v.optional(v.pipe(text, v.description("A group of a KOTS Config."))),
});

/** The `spec` of a Repeat. A broken one is a fault `invalid-setting` or `unknown-setting`; docs/repeat.md has an example. */
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
  once: v.optional(
    v.pipe(
      v.boolean("expected true or false"),
      v.description("Where the output is the next input (kpt): the clones take the Repeat's place for good."),
    ),
  ),
  clone: v.optional(
    v.pipe(
      v.array(Clone, "expected a list of entries"),
      v.minLength(1, "expected one entry at least"),
      v.description("What is cloned; unset: what the `templates` of a KOTS Config's items name."),
    ),
  ),
});

export type RepeatSpec = v.InferOutput<typeof RepeatSpec>;

/** The spec as it is written, and what it says. */
export interface SpecOfRepeat {
  readonly node: Node;
  readonly plain: RepeatSpec;
}

/** What the spec of a Repeat breaks, by field. */
export function schemaFaults(issues: readonly v.GenericIssue[], repeat: Item): Diagnostic[] {
  return wrongFields(issues, RepeatSpec, "spec", false).map((wrong) => {
    const { what, steps, field, message, meant, known } = wrong;
    const where = { repeat, field };
    const name = String(steps.at(-1));
    if (what === "unknown") {
      const near = nearest(name, known);
      const hint = meantOr(near, `the fields are ${known.join(", ")}`);
      return faultAt("unknown-setting", where, message, hint);
    }
    const cure =
      what === "missing"
        ? missing[name]
        : meant === undefined
          ? (cures[field] ?? (isBare(wrong) ? 'write a placeholder in quotes: `"{value.port}"`' : undefined))
          : `did you mean \`${meant}\`?`;
    return faultAt("invalid-setting", where, message, cure ?? "correct it in the Repeat");
  });
}

/** Only a KOTS Config says itself what is cloned. */
export function cloneMissing(repeat: Item): Diagnostic {
  return faultAt("invalid-setting", { repeat, field: "spec.clone" }, "it is missing", missing["clone"] ?? "");
}

/** A placeholder without quotes is a mapping to YAML. */
function isBare({ message }: WrongField): boolean {
  return /^expected text.*, got a mapping$/.test(message);
}

const cures: { readonly [field: string]: string } = {
  "spec.instances":
    "write each instance under a name of its own: `instances: {a: {}, b: {}}`, or `{}` for none",
  "spec.clone": "begin each entry with `- `",
  "spec.from.kind": "read the instances from one of these",
};

const missing: { readonly [field: string]: string } = {
  clone: 'write what is cloned: `clone: [{ kind: Deployment, name: worker, as: "worker-{name}" }]`',
  kind: "write the kind of the item",
  name: "write the name of the item",
};
