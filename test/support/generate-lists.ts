// Layers with lists under rules, and their texts: block or flow, with comments anywhere.
import fc from "fast-check";
import { stringify } from "yaml";
import type { MergeRule } from "../../src/merge/rules.ts";
import { canonical, type Plain } from "./list-model.ts";

export const everyRule: readonly MergeRule[] = [
  { path: "env", key: "name" },
  { path: "nest.ports", key: ["port", "proto"] },
  { path: "containers", key: "name" },
  { path: "containers[*].env", key: "name" },
  { path: "containers[*].args", list: "append" },
  { path: "containers[*].gone", null: "drop" },
  { path: "containers[*].whole", mapping: "replace" },
  { path: "last", list: "append" },
  { path: "first", list: "prepend" },
  { path: "**.tags", list: "set" },
  { path: "whole", mapping: "replace" },
  { path: "nest.gone", null: "drop" },
];

/** The same, each path spelled out. */
export const everyRulePlainly = everyRule.flatMap((rule) =>
  rule.path === "**.tags" ? ["tags", "nest.tags"].map((path) => ({ ...rule, path })) : rule,
);

/** A Go reader takes all their digits in a value, and fewer of them in a key. */
const nearFloats = [0.1234567891, 0.1234567892];
const atom = fc.oneof(
  fc.integer({ min: 0, max: 3 }),
  fc.constantFrom("x", "y z", "on", "0x1", true, ...nearFloats),
);
const inner = fc.oneof(atom, fc.dictionary(fc.constantFrom("p", "q"), atom, { maxKeys: 2 }));
const names = fc.constantFrom("a", "b", "c", "d");
const patches = (values: readonly string[]): fc.Arbitrary<string | undefined> =>
  fc.oneof(
    { weight: 5, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constantFrom(...values) },
  );

function reset<T>(list: fc.Arbitrary<T[]>): fc.Arbitrary<Plain[]> {
  return fc
    .tuple(list, fc.integer({ min: 0, max: 5 }))
    .map(([elements, dice]) => [...(dice === 0 ? [{ $patch: "replace" }] : []), ...(elements as Plain[])]);
}

/** Elements of different keys; `fields` says what they hold beside. */
function keyed(keys: fc.Arbitrary<object>, fields: fc.Arbitrary<object>): fc.Arbitrary<Plain[]> {
  const element = fc.tuple(keys, fields, patches(["delete", "replace"]));
  return reset(
    fc.uniqueArray(element, { selector: ([key]) => JSON.stringify(key), maxLength: 4 }).map((elements) =>
      elements.map(([key, own, patch]) => ({
        ...key,
        ...own,
        ...(patch === undefined ? {} : { $patch: patch }),
      })),
    ),
  );
}

const named = names.map((name) => ({ name }));
const env = keyed(named, fc.dictionary(fc.constantFrom("v", "w"), inner, { maxKeys: 2 }));
const list = reset(fc.array(inner, { maxLength: 3 }));
const set = reset(
  fc
    .tuple(
      fc.uniqueArray(inner, { maxLength: 3, selector: (each) => canonical(each as Plain) }),
      fc.option(atom),
    )
    .map(([elements, gone]) => [...elements, ...(gone === null ? [] : [{ $patch: "delete", $value: gone }])]),
);
const repeating = fc
  .tuple(
    fc.array(fc.integer({ min: 0, max: 2 }), { maxLength: 3 }),
    fc.option(fc.integer({ min: 0, max: 2 })),
  )
  .map(([elements, gone]) => [...elements, ...(gone === null ? [] : [{ $patch: "delete", $value: gone }])]);
/** Layers with a set in which elements repeat: a list over nothing keeps them. */
export const arbitraryRepeats: fc.Arbitrary<readonly string[]> = fc
  .array(fc.option(mostly(reset(repeating))), { minLength: 2, maxLength: 4 })
  .map((sets) => sets.map((tags, index) => JSON.stringify({ index, tags })));

const container = fc.record(
  { image: atom, env, args: list, gone: fc.option(inner), whole: inner },
  { requiredKeys: [] },
);

/** A list, or now and then what is none. */
function mostly(arbitrary: fc.Arbitrary<Plain>): fc.Arbitrary<Plain> {
  return fc.oneof(
    { weight: 8, arbitrary },
    { weight: 1, arbitrary: fc.constantFrom<Plain>(null, [], 7, { a: 1 }) },
  );
}

const maybe = { requiredKeys: [] };

/** Values of one layer. */
export const arbitraryLayer: fc.Arbitrary<Plain> = fc.record(
  {
    env: mostly(env),
    containers: mostly(keyed(named, container)),
    last: mostly(list),
    first: mostly(list),
    tags: mostly(set),
    whole: mostly(fc.dictionary(names, inner, { maxKeys: 3 })),
    plain: mostly(fc.array(inner, { maxLength: 3 })),
    nest: mostly(
      fc.record(
        {
          tags: set,
          gone: fc.option(inner),
          ports: keyed(
            fc.record({ port: fc.integer({ min: 1, max: 3 }), proto: fc.constantFrom("t", "u") }),
            fc.constant({}),
          ),
        },
        maybe,
      ) as fc.Arbitrary<Plain>,
    ),
  },
  maybe,
);

/** A text of values: JSON, or YAML in one of several styles, with comments on lines of their own. */
export function textOf(values: Plain, dice: readonly number[]): string {
  const [style = 0, ...places] = dice;
  if (style % 4 === 0) return `${JSON.stringify(values)}\n`;
  const text = stringify(values, {
    version: "1.1",
    indentSeq: style % 4 === 1,
    indent: style % 3 === 0 ? 4 : 2,
    lineWidth: 0,
    aliasDuplicateObjects: false,
  });
  const lines = text.split("\n");
  for (const [index, place] of places.entries()) {
    const at = place % lines.length;
    const indent = /^ */.exec(lines[at] ?? "")?.[0] ?? "";
    lines.splice(at, 0, place % 5 === 0 ? "" : `${indent}# c${index}`);
  }
  return lines.join("\n");
}

export const arbitraryDice = fc.array(fc.nat(1000), { minLength: 1, maxLength: 5 });
