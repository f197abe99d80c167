// Random values in which lists have elements with identities, some of them with a directive.
import fc from "fast-check";

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

const id = fc.constantFrom<Json>("x", "y", 1);
const element = fc.oneof(
  { weight: 4, arbitrary: fc.record({ id, v: fc.constantFrom<Json>(1, "a", null) }) },
  { weight: 1, arbitrary: fc.record({ id, $patch: fc.constantFrom<Json>("delete", "replace", "merge") }) },
  { weight: 1, arbitrary: fc.constantFrom<Json>(1, "x", {}) },
);
const list = fc.array(element, { maxLength: 3 });
const leaf = fc.constantFrom<Json>(1, 2, "x", true, null, [], {}, "${v}");
const inner = fc.dictionary(fc.constantFrom("a", "b"), fc.oneof(leaf, list), { maxKeys: 2 });
const value = fc.oneof(leaf, list, inner);

export const document = fc.dictionary(fc.constantFrom("a", "b", "c"), value, { maxKeys: 3 });

/** On a line for each key, so that places differ. */
export function textOf(json: Json): string {
  return JSON.stringify(json, undefined, 1);
}
