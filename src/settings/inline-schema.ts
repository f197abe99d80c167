// A schema in the settings. Its numbers and nulls must be what was written, so a function config hands it over as JSON
// text; a program that calls the library gives an object.
import * as v from "valibot";
import { Node } from "../yaml/index.ts";

export const anySchema = v.custom<object>(
  (input) => typeof input === "object" && input !== null && !Array.isArray(input),
  "expected a schema: a mapping",
);

/** Its form in the JSON Schema for editors. */
export const inlineInJsonSchema = { type: "object" } as const;

/** The setting `schemas` as plain values, except inline schemas: these stay JSON. */
export function plainSchemas(schemas: Node): unknown {
  const plain = schemas.plain(undefined);
  if (!Array.isArray(plain)) return plain;
  return plain.map((rule: unknown, index) => {
    const own = schemas.children()[index];
    const schema = own?.get("schema");
    return schema === undefined || !schema.isMapping
      ? rule
      : { ...(rule as object), schema: jsonBytes(schema) };
  });
}

/** The JSON of a node, with its numbers and keys as they are spelled, and what `<<` brings. */
function jsonBytes({ doc, row }: Node): Uint8Array {
  return Buffer.from(jsonText(new Node({ ...doc, spelledKeys: true }, row)), "utf8");
}

function jsonText(node: Node): string {
  const value = node.value;
  if (value.isMapping)
    return `{${[...value.entries().values()]
      .map((child) => `${JSON.stringify(child.keyText)}:${jsonText(child)}`)
      .join(",")}}`;
  if (value.isSequence) return `[${value.children().map(jsonText).join(",")}]`;
  const { type, text } = value.resolved();
  if (type === "int" || type === "big" || type === "bool" || type === "null") return text;
  const number = type === "float" ? Number(value.text.replaceAll("_", "")) : Number.NaN;
  return Number.isFinite(number) ? String(number) : JSON.stringify(value.text);
}
