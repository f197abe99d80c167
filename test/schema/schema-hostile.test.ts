// Schemas that mean harm: each ends in a fault or a verdict, soon, and none makes valuefold fetch or read anything.
// @module-tag law
import { expect, test } from "vitest";
import { GivenUp } from "../../src/schema/schema.ts";
import { cpuClock } from "../support/cpu.ts";
import { foldText } from "../support/fold.ts";
import { compiled, judged, layerOf, nodeOf } from "../support/judge.ts";

const seconds = 30;

function timed<T>(work: () => T): T {
  const elapsed = cpuClock();
  const result = work();
  expect(elapsed()).toBeLessThan(seconds);
  return result;
}

/** Definitions that each name the next, and what the last one is. */
function chain(length: number, link: (next: object) => object, last: object = { type: "object" }): object {
  const $defs = Object.fromEntries(
    Array.from({ length }, (_, index) => [
      `d${index}`,
      index === length - 1 ? last : link({ $ref: `#/$defs/d${index + 1}` }),
    ]),
  );
  return { $ref: "#/$defs/d0", $defs };
}

const gives = /refers to itself|more than/;

test.for([
  ["a schema that is itself", { $ref: "#" }],
  [
    "two that are each other",
    { $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } } },
  ],
  ["one that is itself by way of a choice", { anyOf: [{ type: "integer" }, { not: { $ref: "#" } }] }],
  ["one that grows", chain(40, (next) => ({ allOf: [next, next] }))],
  ["one that grows in a choice", chain(40, (next) => ({ oneOf: [next, next], not: next }))],
  ["a long chain", chain(20_000, (next) => next)],
] as const)("%s is given up", ([, schema]) => {
  const { schema: root, faults } = timed(() => compiled(schema));
  expect(faults).toEqual([]);
  expect(() => timed(() => judged(root, nodeOf({ a: "x" })))).toThrow(gives);
  expect(() => judged(root, nodeOf({ a: "x" }), true)).toThrow(GivenUp);
});

test.for([
  [
    "recursion into the value",
    { properties: { a: { $ref: "#" } }, additionalProperties: false },
    { a: { a: { a: {} } } },
    "valid",
  ],
  [
    "a huge enum",
    { properties: { a: { enum: Array.from({ length: 200_000 }, (_, index) => `v${index}`) } } },
    { a: "x" },
    "invalid",
  ],
  [
    "an enum of huge values",
    { properties: { a: { enum: [Array.from({ length: 100_000 }, () => ({ b: 1 }))] } } },
    { a: [1] },
    "invalid",
  ],
  [
    "a pattern that others take for ever over",
    { properties: { a: { pattern: "^(([a-z])+.)+[A-Z]([a-z])+$" } } },
    { a: "a".repeat(100_000) },
    "invalid",
  ],
  [
    "many of them",
    {
      properties: {
        a: { allOf: Array.from({ length: 200 }, (_, index) => ({ pattern: `(x+x+)+y{${index}}` })) },
      },
    },
    { a: "x".repeat(10_000) },
    undefined,
  ],
  [
    "a huge pattern over a huge text",
    { properties: { a: { pattern: "(a{1,500}b?){1,2}$" } } },
    { a: "a".repeat(900_000) },
    undefined,
  ],
  [
    "numbers beyond all bounds",
    { properties: { a: { multipleOf: 1e-300, maximum: 1e300 } } },
    { a: 1e308 },
    undefined,
  ],
  [
    "a list of many equal elements",
    { properties: { a: { uniqueItems: true } } },
    { a: Array.from({ length: 200_000 }, (_, index) => index) },
    "valid",
  ],
  [
    "keys of the language",
    { properties: { __proto__: { type: "string" }, constructor: { type: "string" }, toString: false } },
    JSON.parse('{"__proto__": 1, "constructor": 1}') as object,
    "invalid",
  ],
] as const)("%s ends in a verdict", ([, schema, value, verdict]) => {
  const found = timed(() => judged(compiled(schema).schema, nodeOf(value)));
  if (verdict === undefined) expect(["valid", "invalid", "undecided"]).toContain(found);
  else expect(found).toBe(verdict);
});

test.for([
  "http://example.com/schema.json",
  "https://json-schema.org/draft/2020-12/schema",
  "file:///etc/passwd",
  "/etc/passwd",
  "../values.schema.json",
  "#/$defs/nowhere",
  "#nowhere",
  "urn:x:y",
  "http://[",
  "%zz",
  "#/%zz",
  "data:application/json,{}",
])("a reference to %s leads nowhere, used or not", ($ref) => {
  const { faults, schema } = compiled({ $defs: { unused: { $ref } }, properties: { a: { $ref } } });
  expect(faults.map(({ code }) => code)).toEqual(["schema-reference", "schema-reference"]);
  expect(judged(schema, nodeOf({ a: 1 }))).toBe("undecided");
});

/** As many definitions that are all asked about one value. */
function times(count: number, schema: (index: number) => object): object {
  return { properties: { a: { allOf: Array.from({ length: count }, (_, index) => schema(index)) } } };
}

const manyKeys = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`k${index}`, index]));

test.for([
  ["counts of keys", times(20_000, (index) => ({ maxProperties: 50_000 + index })), manyKeys],
  ["keys that are not there", times(20_000, (index) => ({ properties: { [`z${index}`]: {} } })), manyKeys],
  ["counts of elements", times(20_000, () => ({ contains: true, minContains: 0 })), Object.values(manyKeys)],
  ["patterns", times(2000, (index) => ({ pattern: `^(a|b{${index % 900}})*$` })), "a".repeat(20_000)],
  [
    "patterns of keys",
    times(2000, (index) => ({ patternProperties: { [`^(a|b{${index % 900}})*$`]: true } })),
    { ["a".repeat(20_000)]: 1 },
  ],
] as const)("thousands of %s are given up", ([, schema, a]) => {
  const { schema: root } = compiled(schema);
  expect(() => timed(() => judged(root, nodeOf({ a })))).toThrow(/more than/);
});

test("literals that a value may still equal are looked at once for each, or given up", () => {
  const items = { enum: Array.from({ length: 20_000 }, (_, index) => `v${index}`) };
  const { schema } = compiled({ properties: { a: { items } } });
  const unclear = Array.from({ length: 20_000 }, () => "${x}");
  expect(timed(() => judged(schema, layerOf(JSON.stringify({ a: unclear }))))).toBe("undecided");
  const again = { ...times(300, () => ({ $ref: "#/$defs/all" })), $defs: { all: { enum: [manyKeys] } } };
  const a = nodeOf({ a: { ...manyKeys, k1: [] } });
  expect(timed(() => judged(compiled(again).schema, a))).toBe("invalid");
  expect(timed(() => judged(compiled(again).schema, nodeOf({ a: manyKeys })))).toBe("valid");
});

function streamWith(schema: string): string {
  return [
    `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: schema, namespace: org}\ndata:\n  values.schema.json: ${JSON.stringify(schema)}\n`,
    "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: base, namespace: org}\ndata: {values.yaml: 'a: {b: x}'}\n",
    ...["one", "two"].map(
      (name) =>
        `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: ${name}, namespace: org}\nspec: {valuesFrom: [{kind: ConfigMap, name: base}]}\n`,
    ),
  ].join("---\n");
}

const config = JSON.stringify({
  apiVersion: "valuefold.dev/v1alpha1",
  kind: "ValueFold",
  spec: { schemas: [{ from: { kind: "ConfigMap", name: "schema", key: "values.schema.json" } }] },
});

test.for([
  ["no JSON", "{", "invalid-schema"],
  ["nothing", "", "invalid-schema"],
  ["a list", "[]", "invalid-schema"],
  ["a text", '"x"', "invalid-schema"],
  ["too deep", `${'{"not":'.repeat(300)}{}${"}".repeat(300)}`, "invalid-schema"],
  ["a circle", '{"$ref": "#"}', "invalid-schema"],
  ["growth", JSON.stringify(chain(40, (next) => ({ allOf: [next, next] }))), "invalid-schema"],
  ["a file", '{"$ref": "file:///etc/passwd"}', "schema-reference"],
] as const)("a schema of %s is one fault, and stops the fold", ([, schema, code]) => {
  const { exitCode, output, diagnostics } = timed(() => foldText(streamWith(schema), config));
  expect([exitCode, output]).toEqual([1, ""]);
  expect(diagnostics.filter(({ severity }) => severity === "error").map((each) => each.code)).toEqual([code]);
});

/** The mapping at `m` of a release, as JSON, judged by a schema of it. */
function foldedBy(m: object, schema: object, also: object = {}) {
  const values = JSON.stringify(JSON.stringify({ ...also, m }));
  const input = `${streamWith(JSON.stringify(schema)).split("---\n")[0]}---
apiVersion: v1\nkind: ConfigMap\nmetadata: {name: base, namespace: org, annotations: {valuefold.dev/into: HelmRelease/one}}\ndata: {values.yaml: ${values}}
---
apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: one, namespace: org}\nspec: {}\n`;
  return timed(() => foldText(input, config)).diagnostics.filter(({ severity }) => severity === "error");
}

function keys(count: number, prefix: string): Record<string, number> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`${prefix}${index}`, index]));
}

test("what thousands of alternatives find in thousands of keys is not kept", () => {
  const anyOf = Array.from({ length: 3000 }, (_, index) => {
    return { additionalProperties: false, properties: { [`z${index}`]: {} } };
  });
  const found = foldedBy(keys(3000, "k"), { properties: { m: { anyOf } } });
  expect(found.map(({ code, message }) => [code, message])).toEqual([
    ["schema", "`m`: fits none of the schema's alternatives"],
  ]);
  const [only] = anyOf;
  const one = foldedBy(keys(3000, "k"), { properties: { m: { anyOf: [only, { type: "string" }] } } });
  expect(one).toHaveLength(20);
  expect(one.at(-1)?.message).toMatch(/; 2980 more in this target$/);
});

test("faults that are not reported, and long lists of keys, get no suggestion", () => {
  const properties = Object.fromEntries(Object.keys(keys(3000, "known")).map((key) => [key, true]));
  const found = foldedBy(keys(3000, "unknown"), {
    properties: { m: { properties, additionalProperties: false } },
  });
  expect(found).toHaveLength(20);
  expect(found.at(-1)?.message).toMatch(/; 2980 more in this target$/);
  const few = foldedBy(
    { replicsa: 1 },
    { properties: { m: { properties: { replicas: true }, additionalProperties: false } } },
  );
  expect(few[0]?.hint).toBe("did you mean `replicas`?");
});

test("a fault that is found is reported, though finding all of them is given up", () => {
  const growth = chain(40, (next) => ({ allOf: [next, next] }));
  const { $defs, ...grows } = growth as { readonly $defs: object };
  const properties = { a: { type: "integer" }, m: grows };
  const told = foldedBy({ b: 1 }, { $defs, properties }, { a: "x" });
  expect(told.map(({ code, message }) => [code, message])).toEqual([
    ["schema", "`a`: expected an integer, got a string"],
  ]);
  const within = foldedBy({ b: 1 }, { $defs, anyOf: [{ properties }] }, { a: "x" });
  expect(within.map(({ code, message }) => [code, message])).toEqual([
    ["schema", "the values: does not fit the schema, and why takes too long to find"],
  ]);
});
