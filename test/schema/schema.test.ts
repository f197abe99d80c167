// Judging by JSON Schema: what is definite of values that lower layers may add to, that hostile schemas end, and that
// random completions never contradict a verdict.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { merge } from "../../src/merge/merge.ts";
import { leafOf } from "../../src/merge/tree.ts";
import { writeValues } from "../../src/merge/write.ts";
import { foldText } from "../support/fold.ts";
import { compiled, findingsOf, judged, layerOf, nodeOf } from "../support/judge.ts";
import { type Json, mappingBelow, schemaDocument } from "../support/random-schema.ts";

const runs = Number(process.env["VALUEFOLD_RUNS"] ?? 200);
const options = { numRuns: runs };

/** An object with a `then` of its own is taken for a promise. */
function conditional(condition: object, so: object, otherwise: object = {}): object {
  const [a, b, c] = [condition, so, otherwise].map((each) => JSON.stringify(each));
  return JSON.parse(`{"if": ${a}, "then": ${b}, "else": ${c}}`) as object;
}

/** What values are alone, and what they are while a chart's defaults may lie below them. */
test.for([
  ["type", { type: "object", properties: { a: { type: "integer" } } }, "a: x", "invalid", "invalid"],
  ["type that fits", { properties: { a: { type: "integer" } } }, "a: 1", "valid", "valid"],
  ["a fraction is no integer", { properties: { a: { type: "integer" } } }, "a: 1.5", "invalid", "invalid"],
  ["1.0 is one", { properties: { a: { type: "integer" } } }, "a: 1.0", "valid", "valid"],
  ["yes is a boolean", { properties: { a: { type: "boolean" } } }, "a: yes", "valid", "valid"],
  ["0755 is a number", { properties: { a: { const: 493 } } }, "a: 0755", "valid", "valid"],
  ["enum", { properties: { a: { enum: ["x", "y"] } } }, "a: z", "invalid", "invalid"],
  [
    "enum of mappings, one still possible",
    { properties: { a: { enum: [{ b: 1, c: 2 }] } } },
    "a: {b: 1}",
    "invalid",
    "undecided",
  ],
  [
    "enum of mappings, which is compared once it is known",
    { properties: { a: { enum: [{ b: 1, c: 2 }] } } },
    "a: {b: 2}",
    "invalid",
    "undecided",
  ],
  ["pattern", { properties: { a: { pattern: "^x" } } }, "a: zx", "invalid", "invalid"],
  ["bounds", { properties: { a: { maximum: 3 } } }, "a: 4", "invalid", "invalid"],
  [
    "additionalProperties",
    { properties: { a: true }, additionalProperties: false },
    "b: 1",
    "invalid",
    "invalid",
  ],
  ["propertyNames", { propertyNames: { maxLength: 1 } }, "ab: 1", "invalid", "invalid"],
  ["maxProperties", { maxProperties: 1 }, "a: 1\nb: 1", "invalid", "invalid"],
  ["maxProperties, not yet", { maxProperties: 2 }, "a: 1", "valid", "undecided"],
  ["required", { required: ["b"] }, "a: 1", "invalid", "undecided"],
  ["required in a mapping", { properties: { a: { required: ["c"] } } }, "a: {b: 1}", "invalid", "undecided"],
  ["minProperties", { minProperties: 2 }, "a: 1", "invalid", "undecided"],
  ["dependentRequired", { dependentRequired: { a: ["b"] } }, "a: 1", "invalid", "undecided"],
  [
    "required in a list",
    { properties: { a: { items: { required: ["c"] } } } },
    "a: [{b: 1}]",
    "invalid",
    "invalid",
  ],
  ["not required", { not: { required: ["b"] } }, "a: 1", "valid", "undecided"],
  ["not required, though it is there", { not: { required: ["a"] } }, "a: 1", "invalid", "invalid"],
  [
    "oneOf, both already",
    { oneOf: [{ required: ["a"] }, { required: ["b"] }] },
    "a: 1\nb: 1",
    "invalid",
    "invalid",
  ],
  [
    "oneOf, one still possible",
    { oneOf: [{ required: ["c"] }, { required: ["d"] }] },
    "a: 1",
    "invalid",
    "undecided",
  ],
  [
    "if that is undecided",
    conditional({ required: ["b"] }, { properties: { a: { type: "string" } } }),
    "a: 1",
    "valid",
    "undecided",
  ],
  [
    "if that holds",
    conditional({ required: ["b"] }, { properties: { a: { type: "string" } } }),
    "a: 1\nb: 1",
    "invalid",
    "invalid",
  ],
  [
    "if where both fail",
    conditional(
      { required: ["b"] },
      { required: ["a"], properties: { a: false } },
      { properties: { a: false } },
    ),
    "a: 1",
    "invalid",
    "invalid",
  ],
  [
    "unevaluatedProperties",
    { properties: { a: true }, unevaluatedProperties: false },
    "b: 1",
    "undecided",
    "undecided",
  ],
  [
    "unevaluatedProperties that refuses nothing, or is not about the value",
    { unevaluatedProperties: true, properties: { a: { unevaluatedProperties: false } } },
    "a: 1",
    "valid",
    "valid",
  ],
  [
    "unevaluatedProperties next to what refuses the value",
    { maxProperties: 0, unevaluatedProperties: false },
    "b: 1",
    "invalid",
    "invalid",
  ],
  [
    "unevaluatedItems that is ruled out",
    { properties: { a: { not: { unevaluatedItems: false } } } },
    "a: [1]",
    "undecided",
    "undecided",
  ],
  [
    "$dynamicRef",
    { $dynamicRef: "#a", $defs: { b: { $dynamicAnchor: "a", type: "array" } } },
    "a: 1",
    "undecided",
    "undecided",
  ],
  [
    "a reference to a dynamic anchor",
    { $ref: "#a", $defs: { b: { $dynamicAnchor: "a", type: "array" } } },
    "a: 1",
    "invalid",
    "invalid",
  ],
  ["null", { properties: { a: { type: "string" } } }, "a: null", "invalid", "undecided"],
  [
    "null where no key may be",
    { properties: { a: true }, additionalProperties: false },
    "b: null",
    "invalid",
    "undecided",
  ],
  ["null in a list", { properties: { a: { items: { type: "string" } } } }, "a: [null]", "invalid", "invalid"],
  ["a variable", { properties: { a: { type: "integer" } } }, "a: ${x}", "undecided", "undecided"],
  [
    "a variable in quotes is text",
    { properties: { a: { type: "integer" } } },
    'a: "${x}"',
    "invalid",
    "invalid",
  ],
  ["a variable in a text", { properties: { a: { pattern: "^x" } } }, 'a: "${x}"', "undecided", "undecided"],
  [
    "a variable in a key",
    { required: ["b"], additionalProperties: false, properties: { b: true } },
    '"${x}": 1',
    "undecided",
    "undecided",
  ],
] as const)("%s", ([, schema, text, final, partial]) => {
  const { schema: root, faults } = compiled(schema);
  expect(faults).toEqual([]);
  expect([judged(root, layerOf(text)), judged(root, layerOf(text), true)]).toEqual([final, partial]);
});

test("a value is the double that Helm reads, and is compared by its digits", () => {
  const value = (text: string) => layerOf(`a: ${text}`);
  const { schema } = compiled({ properties: { a: { multipleOf: 0.1, maximum: 9007199254740992 } } });
  expect(judged(schema, value("0.3"))).toBe("valid");
  expect(judged(schema, value("0.35"))).toBe("invalid");
  expect(judged(schema, value("9007199254740993"))).toBe("valid");
  expect(judged(schema, value("9007199254740994"))).toBe("invalid");
  expect(judged(schema, value("9007199254740992"))).toBe("valid");
});

describe("completions", { tags: "law" }, () => {
  /** Helm drops a key whose value is null, where the chart has it; elsewhere it stays. */
  const withoutNulls = (value: Json): Json =>
    typeof value !== "object" || value === null || Array.isArray(value)
      ? value
      : Object.fromEntries(
          Object.entries(value).flatMap(([key, each]) => (each === null ? [] : [[key, withoutNulls(each)]])),
        );

  const counts = { invalid: 0, undecided: 0, valid: 0 };

  test("no verdict is contradicted by what lower layers bring", () => {
    fc.assert(
      fc.property(
        schemaDocument,
        mappingBelow(3),
        fc.array(mappingBelow(3), { minLength: 4, maxLength: 4 }),
        (document, values, below) => {
          const { schema, faults } = compiled(document);
          expect(faults).toEqual([]);
          const verdict = judged(schema, nodeOf(values), true);
          counts[verdict as keyof typeof counts]++;
          if (verdict === "undecided") return;
          for (const defaults of [{}, ...below]) {
            const tree = merge(leafOf(nodeOf(defaults)), nodeOf(values));
            const whole = parse(Buffer.from(writeValues(tree)).toString("utf8")) as Json;
            expect([judged(schema, nodeOf(whole)), judged(schema, nodeOf(withoutNulls(whole)))]).toEqual([
              verdict,
              verdict,
            ]);
          }
        },
      ),
      options,
    );
  });

  test("there were enough of each", () => {
    const least = runs * 0.05;
    expect(Math.min(counts.invalid, counts.undecided)).toBeGreaterThan(least);
    expect(counts.valid).toBeGreaterThan(runs * 0.01);
  });

  test("there are findings exactly if the verdict is invalid", () => {
    fc.assert(
      fc.property(schemaDocument, mappingBelow(3), fc.boolean(), (document, values, isOpen) => {
        const { schema } = compiled(document);
        const isInvalid = judged(schema, nodeOf(values), isOpen) === "invalid";
        expect(findingsOf(schema, nodeOf(values), isOpen).length > 0).toBe(isInvalid);
      }),
      options,
    );
  });
});

describe("a layer that only the cluster binds", { tags: "law" }, () => {
  const configMap = (name: string, values: Json): string =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, namespace: org}\ndata: {values.yaml: ${JSON.stringify(JSON.stringify(values))}}\n`;
  const release = (inline: Json): string =>
    `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: shop, namespace: org}\nspec: {valuesFrom: [{kind: ConfigMap, name: low}, {kind: ConfigMap, name: late}, {kind: ConfigMap, name: high}], values: ${JSON.stringify(inline)}}\n`;
  const counts = { error: 0, warning: 0 };

  test("turns no error into none, whatever it holds", () => {
    fc.assert(
      fc.property(
        schemaDocument,
        fc.record({ low: mappingBelow(2), high: mappingBelow(2), inline: mappingBelow(1) }),
        fc.array(mappingBelow(2), { minLength: 3, maxLength: 3 }),
        (document, { low, high, inline }, held) => {
          const spec = { schemas: [{ schema: document }] };
          const config = JSON.stringify({ apiVersion: "valuefold.dev/v1alpha1", kind: "ValueFold", spec });
          const known = [configMap("low", low), configMap("high", high), release(inline)];
          const found = (items: readonly string[]): string[] =>
            foldText(items.join("---\n"), config)
              .diagnostics.filter(({ code }) => code === "schema")
              .map(({ severity }) => severity);
          const told = found(known);
          for (const severity of told) counts[severity as keyof typeof counts]++;
          if (!told.includes("error")) return;
          for (const late of [{}, ...held])
            expect(found([...known, configMap("late", late)])).toContain("error");
        },
      ),
      { ...options, numRuns: Math.ceil(runs / 2) },
    );
  });

  const wrong = { properties: { a: { type: "integer" } } };
  const isX = { required: ["mode"], properties: { mode: { const: "x" } } };

  test.for([
    ["nothing else", wrong, "error"],
    ["a condition", conditional(isX, wrong), "warning"],
    ["a key that is there", { dependentSchemas: { mode: wrong } }, "warning"],
    [
      "a choice within what depends on a key",
      { dependentSchemas: { mode: { properties: { a: { oneOf: [{ type: "integer" }, { const: 1 }] } } } } },
      "warning",
    ],
    ["a choice", { oneOf: [wrong, { properties: { mode: { type: "integer" } } }] }, "warning"],
  ] as const)("a value above it that is wrong because of %s", ([, schema, severity]) => {
    const spec = { schemas: [{ schema: { ...schema, additionalProperties: true } }] };
    const config = JSON.stringify({ apiVersion: "valuefold.dev/v1alpha1", kind: "ValueFold", spec });
    const items = [configMap("low", { mode: "x" }), configMap("high", { a: "y" }), release({})];
    const found = foldText(items.join("---\n"), config).diagnostics.filter(({ code }) => code === "schema");
    expect(found.map((each) => each.severity)).toEqual([severity]);
  });

  test("there were enough of each", () => {
    expect(Math.min(counts.error, counts.warning)).toBeGreaterThan(runs * 0.05);
  });
});

test.for([
  ["http://json-schema.org/draft-07/schema#", 7],
  ["https://json-schema.org/draft-07/schema#", 7],
  ["https://json-schema.org/draft-04/schema", 4],
  ["http://json-schema.org/draft/2020-12/schema", 2020],
  ["https://json-schema.org/schema", 2020],
  ["http://json-schema.org/schema#", 2020],
] as const)("the draft of %s", ([$schema, draft]) => {
  const { schema, faults } = compiled({ $schema });
  expect([faults, schema.resource.draft]).toEqual([[], draft]);
});

test("of an unknown draft, that alone is reported", () => {
  const foreign = { $schema: "https://example.com/mine", type: "any", $defs: { a: 1 }, $ref: "#/nowhere" };
  const { faults } = compiled(foreign);
  expect(faults.map(({ message }) => message)).toEqual([
    "`$schema`: expected draft 4, 6, 7, 2019-09 or 2020-12",
  ]);
  const others = [{ ...foreign, $id: "urn:x:foreign" }];
  expect(compiled({ $ref: "urn:x:foreign#/$defs/a" }, others).faults).toHaveLength(1);
});

test("in Kyma's flat keys a variable may become a boolean, whatever its quotes", () => {
  const flat = (value: string): string =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: z, namespace: kyma-installer, labels: {installer: overrides, component: istio}}\ndata: {other: "1"}\n---\n` +
    `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: kyma-installer, labels: {installer: overrides, component: istio}}\ndata: {on: ${value}}\n`;
  const config = JSON.stringify({
    apiVersion: "valuefold.dev/v1alpha1",
    kind: "ValueFold",
    spec: {
      targets: [{ kind: "Kyma" }],
      schemas: [{ targets: [{ kind: "Kyma" }], schema: { properties: { on: { type: "boolean" } } } }],
    },
  });
  const codes = (value: string): readonly string[] =>
    foldText(flat(value), config).diagnostics.map(({ code }) => code);
  expect(codes('"${ON:=true}"')).not.toContain("schema");
  expect(codes('"yes"')).toContain("schema");
});

test.for([
  ["env[0].value", ["warning", "error", "error"]],
  ["env[0]", ["warning", "warning", "error"]],
  ["env", ["warning", "warning", "warning"]],
  ["env[2].value", ["error", "error", "error"]],
  ["other", ["error", "error", "error"]],
] as const)("what is set from the cluster at %s excuses that alone", ([targetPath, severities]) => {
  const values = "env: [{value: a, port: x}, {value: b}]\n";
  const items = [
    `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: l, namespace: org}\ndata: {values.yaml: ${JSON.stringify(values)}}\n`,
    `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: shop, namespace: org}\nspec: {valuesFrom: [{kind: ConfigMap, name: l}, {kind: Secret, name: late, targetPath: '${targetPath}'}]}\n`,
  ];
  const env = { items: { properties: { value: { type: "integer" }, port: { type: "integer" } } } };
  const config = JSON.stringify({
    apiVersion: "valuefold.dev/v1alpha1",
    kind: "ValueFold",
    spec: { schemas: [{ schema: { properties: { env } } }] },
  });
  const found = foldText(items.join("---\n"), config).diagnostics.filter(({ code }) => code === "schema");
  expect(found.map(({ message }) => /`([^`]*)`/.exec(message)?.[1])).toEqual([
    "env[0].value",
    "env[0].port",
    "env[1].value",
  ]);
  expect(found.map(({ severity }) => severity)).toEqual(severities);
});

test.for(["9007199254740993", "123456789012345678", "18446744073709551615", "-9223372036854775807"])(
  "%s is the double that Helm reads",
  (text) => {
    const value = layerOf(`a: ${text}`);
    const { schema } = compiled({ properties: { a: { type: "integer", multipleOf: 2 } } });
    expect(judged(schema, value)).toBe("valid");
  },
);
