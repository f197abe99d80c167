// A schema's text, or one that stands in the settings → the schema, or its faults.
import * as v from "valibot";
import { farAliases, isFault, lineAndColumn, readDocument, toPlain, twiceFaults } from "../core/index.ts";
import { Schema } from "./schema.ts";
import { type Outcome, schemaFaults, type Where } from "./settings-faults.ts";
import { errorAt } from "./fault.ts";

export type SchemaSource = { readonly file: string } | { readonly schema: Schema };

/** A schema's text, as a file holds it. @param text what it is, for messages */
export function readSchemaText(bytes: Uint8Array, text: string): Outcome<{ readonly schema: Schema }> {
  const doc = readDocument(bytes);
  const fault = isFault(doc) ? doc : farAliases({ doc, row: 0 });
  if (!isFault(doc) && fault === undefined) {
    const twice = twiceFaults({ doc, row: 0 }, text, "invalid-schema");
    if (twice.length > 0) return { faults: twice };
    return readSchema(toPlain({ doc, row: 0 }, undefined), { kind: text, root: "" });
  }
  const { message = "", offset = 0 } = fault ?? {};
  const at = { text, ...lineAndColumn(bytes, offset) };
  const hint = "correct the YAML of the schema";
  return { faults: [errorAt("invalid-schema", at, message, hint)] };
}

export function readSchema(plain: unknown, where: Where): Outcome<{ readonly schema: Schema }> {
  const outcome = v.safeParse(Schema, plain ?? {});
  if (outcome.success) return { schema: outcome.output };
  return { faults: schemaFaults(outcome.issues, Schema, where, "invalid-schema") };
}
