// The spec of a Repeat: the one source of its JSON Schema and of what is read.
import * as v from "valibot";

const text = v.pipe(v.string("expected text"), v.minLength(1, "expected text"));
const scalars = [v.string(), v.number(), v.boolean()] as const;

const count = "expected a whole number, 0 or more";
export const sourceKinds = ["ConfigMap", "Secret", "Config", "ConfigValues"] as const;

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
      v.description("Path of a mapping in the instance's value: one clone per entry, told by {item.…}."),
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
  from: v.optional(v.pipe(From, v.description("Where the instances stand, instead of `instances`."))),
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

/** The fields that may stand in a Repeat's spec, in an entry of `clone`, in `from`. */
export const fieldNames = {
  spec: Object.keys(RepeatSpec.entries),
  clone: Object.keys(Clone.entries),
  from: Object.keys(From.entries),
} as const;
