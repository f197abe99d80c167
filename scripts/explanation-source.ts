// The schemas of an explanation and of a comparison as `-o json` prints them. The types in src/explanation.ts and
// src/comparison.ts are what the program holds itself
// to; a test compares the two.
import { toJsonSchema } from "@valibot/to-json-schema";
import * as v from "valibot";
import { schemaHead } from "./schema-head.ts";

const count = v.pipe(v.number(), v.integer(), v.minValue(0));

const Place = v.strictObject({
  of: v.picklist(["file", "text"]),
  file: v.exactOptional(v.string()),
  line: v.exactOptional(count),
  column: v.exactOptional(count),
  key: v.exactOptional(v.string()),
});

const Layer = v.strictObject({
  id: v.string(),
  kind: v.exactOptional(v.string()),
  namespace: v.exactOptional(v.string()),
  name: v.exactOptional(v.string()),
  key: v.exactOptional(v.string()),
  priority: v.exactOptional(v.number()),
  isDefaultPriority: v.exactOptional(v.boolean()),
  why: v.picklist([
    "reference",
    "annotation",
    "label",
    "own",
    "patch",
    "catalog",
    "platform",
    "file",
    "parameter",
    "chart",
  ]),
  slot: v.exactOptional(v.string()),
  state: v.picklist(["folded", "apart", "late", "unseen", "sealed", "unreadable"]),
  lacks: v.exactOptional(v.string()),
  mark: v.exactOptional(v.string()),
  secret: v.exactOptional(v.boolean()),
  setsPath: v.exactOptional(v.string()),
  whole: v.exactOptional(v.boolean()),
  foldedFrom: v.exactOptional(v.array(v.string())),
  at: v.exactOptional(Place),
  replaces: v.exactOptional(v.array(Place)),
  sets: v.exactOptional(count),
  overridden: v.exactOptional(count),
});

const Overridden = v.strictObject({
  by: v.string(),
  text: v.exactOptional(v.string()),
  at: v.exactOptional(Place),
  effect: v.picklist(["replaced", "nulled", "same"]),
  mapping: v.exactOptional(v.boolean()),
});

const Value = v.strictObject({
  path: v.array(v.string()),
  elements: v.exactOptional(v.array(count)),
  by: v.string(),
  text: v.exactOptional(v.string()),
  at: v.exactOptional(Place),
  mapping: v.exactOptional(v.boolean()),
  rule: v.exactOptional(v.string()),
  protected: v.exactOptional(v.string()),
  rendered: v.exactOptional(v.array(Place)),
  variables: v.exactOptional(
    v.array(v.strictObject({ name: v.string(), at: Place, stays: v.exactOptional(v.string()) })),
  ),
  schema: v.exactOptional(
    v.array(
      v.strictObject({
        from: v.string(),
        type: v.exactOptional(v.string()),
        required: v.exactOptional(v.literal(true)),
        description: v.exactOptional(v.string()),
      }),
    ),
  ),
  over: v.array(Overridden),
});

const Stack = v.strictObject({
  kind: v.exactOptional(v.picklist(["ConfigMap", "Secret"])),
  key: v.exactOptional(v.string()),
  source: v.exactOptional(v.string()),
  chart: v.exactOptional(v.string()),
  layers: v.array(Layer),
  runs: v.array(v.strictObject({ layers: v.array(v.string()), into: v.string() })),
  splits: v.array(
    v.strictObject({ below: v.string(), above: v.string(), reason: v.string(), cure: v.string() }),
  ),
  values: v.array(Value),
  removed: v.exactOptional(
    v.array(
      v.strictObject({
        path: v.array(v.string()),
        at: Place,
        text: v.exactOptional(v.string()),
        was: Place,
      }),
    ),
  ),
});

const ManifestValue = v.strictObject({
  path: v.array(v.string()),
  how: v.picklist(["carries", "derived", "exists", "reads"]),
});

const Manifest = v.strictObject({
  build: v.exactOptional(v.string()),
  kind: v.string(),
  namespace: v.exactOptional(v.string()),
  name: v.string(),
  target: v.strictObject({
    kind: v.string(),
    namespace: v.exactOptional(v.string()),
    name: v.string(),
    source: v.exactOptional(v.string()),
  }),
  at: Place,
  exists: v.array(ManifestValue),
  fields: v.array(
    v.strictObject({
      path: v.array(v.string()),
      elements: v.exactOptional(v.array(count)),
      text: v.exactOptional(v.string()),
      at: v.exactOptional(Place),
      through: v.exactOptional(v.array(Place)),
      action: v.exactOptional(v.string()),
      of: v.exactOptional(v.array(v.string())),
      values: v.array(ManifestValue),
      by: v.exactOptional(v.picklist(["patch", "kustomization"])),
      removed: v.exactOptional(v.boolean()),
      over: v.exactOptional(
        v.strictObject({
          text: v.exactOptional(v.string()),
          at: v.exactOptional(Place),
          action: v.exactOptional(v.string()),
        }),
      ),
    }),
  ),
});

export const ExplanationSchema = v.strictObject({
  kind: v.literal("Explanation"),
  version: v.literal(1),
  manifests: v.exactOptional(v.array(Manifest)),
  targets: v.array(
    v.strictObject({
      build: v.exactOptional(v.string()),
      kind: v.string(),
      namespace: v.exactOptional(v.string()),
      name: v.string(),
      at: v.exactOptional(Place),
      settings: v.exactOptional(v.string()),
      clone: v.exactOptional(
        v.strictObject({
          repeat: v.string(),
          template: v.string(),
          instance: v.string(),
          item: v.exactOptional(v.string()),
        }),
      ),
      stacks: v.array(Stack),
    }),
  ),
});

const Group = v.strictObject({
  text: v.exactOptional(v.string()),
  secret: v.exactOptional(v.literal(true)),
  unset: v.exactOptional(v.literal(true)),
  cells: v.array(
    v.strictObject({
      builds: v.array(count),
      by: v.exactOptional(v.string()),
      at: v.exactOptional(Place),
      over: v.exactOptional(v.array(Overridden)),
    }),
  ),
});

export const ComparisonSchema = v.strictObject({
  kind: v.literal("Comparison"),
  version: v.literal(1),
  builds: v.array(v.string()),
  targets: v.array(
    v.strictObject({
      kind: v.string(),
      namespace: v.exactOptional(v.string()),
      name: v.string(),
      absentIn: v.exactOptional(v.array(count)),
      equal: count,
      rows: v.array(
        v.strictObject({
          stack: v.exactOptional(v.string()),
          path: v.array(v.string()),
          elements: v.exactOptional(v.array(count)),
          groups: v.array(Group),
        }),
      ),
    }),
  ),
  unread: v.array(v.string()),
});

export function explanationSchema(): string {
  return schemaText(schemaHead("explanation", "Explanation"), ExplanationSchema);
}

export function comparisonSchema(): string {
  return schemaText(schemaHead("comparison", "Comparison"), ComparisonSchema);
}

function schemaText(head: object, source: typeof ExplanationSchema | typeof ComparisonSchema): string {
  const { $schema: _, ...schema } = toJsonSchema(source);
  return `${JSON.stringify({ ...head, ...schema }, null, 2)}\n`;
}
