// A schema in the settings. Its numbers and nulls must be what was written, so a function config hands it over as JSON
// text; a program that calls the library gives an object.
import * as v from "valibot";
import { childOf } from "../wire/item.ts";
import { toPlain } from "../yaml/plain.ts";
import { resolveScalar } from "../yaml/resolve.ts";
import { keyText, scalarText } from "../yaml/scalar.ts";
import { childrenOf, isMapping, isSequence, type Node, valueOf } from "../yaml/tape.ts";
import { entriesOf } from "../yaml/view.ts";

export const anySchema = v.custom<object>(
  (input) => typeof input === "object" && input !== null && !Array.isArray(input),
  "expected a schema: a mapping",
);

/** Its form in the JSON Schema for editors. */
export const inlineInJsonSchema = { type: "object" } as const;

/** The setting `schemas` as plain values, except inline schemas: these stay JSON. */
export function plainSchemas(schemas: Node): unknown {
  const plain = toPlain(schemas, undefined);
  if (!Array.isArray(plain)) return plain;
  return plain.map((rule: unknown, index) => {
    const own = childrenOf(schemas)[index];
    const schema = own === undefined ? undefined : childOf(own, "schema");
    return schema === undefined || !isMapping(schema)
      ? rule
      : { ...(rule as object), schema: jsonBytes(schema) };
  });
}

/** The JSON of a node, with its numbers and keys as they are spelled, and what `<<` brings. */
function jsonBytes({ doc, row }: Node): Uint8Array {
  return Buffer.from(jsonText({ doc: { ...doc, spelledKeys: true }, row }), "utf8");
}

function jsonText(node: Node): string {
  const value = valueOf(node);
  if (isMapping(value))
    return `{${[...entriesOf(value).values()]
      .map((child) => `${JSON.stringify(keyText(child))}:${jsonText(child)}`)
      .join(",")}}`;
  if (isSequence(value)) return `[${childrenOf(value).map(jsonText).join(",")}]`;
  const { type, text } = resolveScalar(value);
  if (type === "int" || type === "big" || type === "bool" || type === "null") return text;
  const number = type === "float" ? Number(scalarText(value).replaceAll("_", "")) : Number.NaN;
  return Number.isFinite(number) ? String(number) : JSON.stringify(scalarText(value));
}
