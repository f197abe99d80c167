// The shapes of settings that apply to some targets or at some paths. settings.ts puts them in their places.
import * as v from "valibot";
import { judgedKinds, kindNames, topPriority } from "../kinds.ts";
import { parsePath } from "../merge/index.ts";
import { anySchema } from "./inline-schema.ts";
import { Labels } from "./labels.ts";

export const priority = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(topPriority));

const named = {
  name: v.optional(v.string()),
  namespace: v.optional(v.string()),
  labels: v.optional(Labels),
};

/** Of what is folded. */
export const Selector = v.strictObject({ kind: v.optional(v.picklist(kindNames)), ...named });

/** Of what has values, folded or not. */
const JudgedSelector = v.pipe(
  v.strictObject({ kind: v.optional(v.picklist(judgedKinds)), ...named }),
  v.check(
    ({ kind, labels }) =>
      labels === undefined || kind === undefined || kindNames.some((each) => each === kind),
    "expected a kind that is folded: `labels` select no other",
  ),
);

/** In lists only `[*]`: a layer that is inserted would change what an index means. */
const rulePath = v.pipe(
  v.string(),
  v.check((text) => {
    const steps = parsePath(text);
    if ("wrongAt" in steps || "inList" in (steps[0] ?? {})) return false;
    return steps.every((step) => !("inList" in step) || step.inList === "*");
  }, "expected a path of keys such as `env`, `*.extraArgs` or `containers[*].env`"),
);

/** A list is one value: nothing in it can be protected alone. */
const valuePath = v.pipe(
  v.string(),
  v.check((text) => {
    const steps = parsePath(text);
    return !("wrongAt" in steps) && !steps.some((step) => "inList" in step);
  }, 'expected a path of keys such as `image.registry`, `*.enabled` or `annotations["a.b/c"]`'),
);

/** One place that a schema comes from. */
const SchemaRule = v.pipe(
  v.strictObject({
    targets: v.optional(v.array(JudgedSelector)),
    key: v.optional(v.string()),
    from: v.optional(
      v.strictObject({
        kind: v.picklist(["ConfigMap"]),
        name: v.string(),
        namespace: v.optional(v.string()),
        key: v.optional(v.string()),
      }),
    ),
    schema: v.optional(anySchema),
    file: v.optional(v.string()),
    values: v.optional(v.picklist(["partial", "final"])),
  }),
  v.check(
    ({ from, schema, file }) => [from, schema, file].filter((each) => each !== undefined).length === 1,
    "expected one of `from` (a ConfigMap), `schema` (inline) and `file` (on the command line)",
  ),
);

export const Merge = v.optional(
  v.pipe(
    v.array(
      v.pipe(
        v.strictObject({
          path: rulePath,
          key: v.optional(
            v.union(
              [v.string(), v.pipe(v.array(v.string()), v.minLength(1))],
              "expected a key, or a list of keys, that identifies an element",
            ),
          ),
          list: v.optional(v.picklist(["append", "prepend", "set", "replace"])),
          mapping: v.optional(v.picklist(["replace", "merge"])),
          null: v.optional(v.picklist(["drop", "keep"])),
          targets: v.optional(v.array(Selector)),
        }),
        v.check(
          ({ key, list, mapping, null: nulls }) =>
            (key ?? list ?? mapping ?? nulls) !== undefined && (key === undefined || list === undefined),
          "expected `key` or `list` (not both), `mapping` or `null`",
        ),
      ),
    ),
    v.description(
      "How values merge at a path: lists by `key`, or `list: append`, `prepend`, `set`; `mapping: replace`; `null: drop`. If several match, the last one applies.",
    ),
    v.examples([
      [
        { path: "env", key: "name" },
        { path: "image", mapping: "replace" },
      ],
    ]),
  ),
);

export const Protect = v.optional(
  v.pipe(
    v.array(
      v.pipe(
        v.strictObject({
          path: valuePath,
          above: v.optional(priority),
          only: v.optional(
            v.array(
              v.strictObject({
                kind: v.picklist(judgedKinds),
                name: v.string(),
                namespace: v.optional(v.string()),
              }),
            ),
          ),
          targets: v.optional(v.array(JudgedSelector)),
        }),
        v.check(
          ({ above, only }) => above !== undefined || only !== undefined,
          "expected `above` (a priority) or `only` (a list of items)",
        ),
      ),
    ),
    v.description(
      "Paths that not every layer may set: none above a priority, or only those of the items named.",
    ),
    v.examples([[{ path: "image.registry", above: 50 }]]),
  ),
);

export const Schemas = v.optional(
  v.pipe(
    v.array(SchemaRule),
    v.description(
      "JSON Schemas that the values of targets must fit, merged from all known layers: from a ConfigMap in the list, inline, or (on the command line) a file. partial: lower layers may still add to the values, as a chart's defaults do; final: they are whole.",
    ),
    v.examples([
      [{ targets: [{ kind: "App", name: "shop" }], from: { kind: "ConfigMap", name: "shop-schema" } }],
    ]),
  ),
);
