// Schemas and values that meet often: few keys, few texts, every keyword that judging knows.
import fc from "fast-check";

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

const key = fc.constantFrom("a", "b", "c", "d");
const scalar = fc.constantFrom<Json>(null, true, false, 0, 1, 2, 3, 1.5, "", "x", "xy", "z9");

const valueBelow = (depth: number): fc.Arbitrary<Json> =>
  depth === 0
    ? scalar
    : fc.oneof(
        { weight: 3, arbitrary: scalar },
        { weight: 4, arbitrary: mappingBelow(depth) },
        { weight: 1, arbitrary: fc.array(valueBelow(depth - 1), { maxLength: 3 }) },
      );

export const mappingBelow = (depth: number): fc.Arbitrary<{ [key: string]: Json }> =>
  fc.dictionary(key, valueBelow(depth - 1), { maxKeys: 4, noNullPrototype: true });

const types = fc.constantFrom("null", "boolean", "number", "integer", "string", "array", "object");
const count = fc.integer({ min: 0, max: 3 });

function schemaBelow(depth: number): fc.Arbitrary<Json> {
  if (depth === 0)
    return fc.oneof(
      fc.constantFrom<Json>(true, false, {}),
      fc.record({ type: types }) as fc.Arbitrary<Json>,
      fc.record({ const: scalar }) as fc.Arbitrary<Json>,
    );
  const inner = schemaBelow(depth - 1);
  const several = fc.array(inner, { minLength: 1, maxLength: 3 });
  const byKey = fc.dictionary(key, inner, { maxKeys: 3, noNullPrototype: true });
  const keys = fc.uniqueArray(key, { maxLength: 2 });
  const keywords: { [keyword: string]: fc.Arbitrary<unknown> } = {
    type: fc.oneof(types, fc.uniqueArray(types, { minLength: 1, maxLength: 3 })),
    enum: fc.array(valueBelow(2), { minLength: 1, maxLength: 4 }),
    const: valueBelow(2),
    minimum: count,
    maximum: count,
    exclusiveMinimum: count,
    multipleOf: fc.constantFrom(1, 2, 0.5),
    minLength: count,
    maxLength: count,
    pattern: fc.constantFrom("^x", "9$", "."),
    properties: byKey,
    patternProperties: fc.dictionary(fc.constantFrom("^[ab]$", "c|d"), inner, {
      maxKeys: 2,
      noNullPrototype: true,
    }),
    additionalProperties: inner,
    propertyNames: fc.constantFrom({ pattern: "^[abc]" }, { enum: ["a", "b"] }, true),
    required: keys,
    minProperties: count,
    maxProperties: count,
    dependentRequired: fc.dictionary(key, keys, { maxKeys: 2, noNullPrototype: true }),
    dependentSchemas: byKey,
    unevaluatedProperties: inner,
    prefixItems: several,
    items: inner,
    contains: inner,
    minContains: count,
    maxContains: count,
    unevaluatedItems: inner,
    minItems: count,
    maxItems: count,
    uniqueItems: fc.boolean(),
    allOf: several,
    anyOf: several,
    oneOf: several,
    not: inner,
    if: inner,
    else: inner,
    $ref: fc.constantFrom("#/$defs/one", "#/$defs/two"),
  };
  // An object with a `then` of its own is taken for a promise.
  const pairs = [...Object.entries(keywords), ["then", inner] as const].map(([name, value]) =>
    value.map((each) => [name, each] as const),
  );
  return fc
    .array(fc.oneof(...pairs), { minLength: 1, maxLength: 5 })
    .map((chosen) => Object.fromEntries(chosen) as Json);
}

/** A whole document: what `$ref` names is there, and never leads back. */
export const schemaDocument: fc.Arbitrary<{ [key: string]: Json }> = fc
  .record({ root: schemaBelow(3), one: schemaBelow(0), two: schemaBelow(0) })
  .map(({ root, one, two }) => ({
    ...(typeof root === "object" && root !== null && !Array.isArray(root) ? root : { not: false }),
    $defs: { one, two },
  }));
