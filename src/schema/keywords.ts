// The keywords of JSON Schema: the drafts of each, the form of its value, and the field of `Schema` that it sets.
import type { Node } from "../core/index.ts";
import { Literals } from "./equality.ts";
import { literalOf } from "./instance.ts";
import { Kind, numeric } from "./kinds.ts";
import type { Pattern } from "./patterns.ts";
import type { Draft, PatternProperty, Reference, Resource, Schema } from "./schema.ts";

/** What keywords need of the reader of a schema: parts of it in the form they expect, or a fault. */
export interface SchemaReading {
  at(resource: Resource, entry: Node, path: readonly string[]): Schema;
  schema(of: Schema, entry: Node, ...steps: readonly string[]): Schema;
  schemas(of: Schema, entry: Node, keyword: string): readonly Schema[] | undefined;
  schemasByKey(of: Schema, entry: Node, keyword: string): ReadonlyMap<string, Schema>;
  schemasByPattern(of: Schema, entry: Node): readonly PatternProperty[];
  entries(entry: Node): readonly { readonly key: string; readonly node: Node }[];
  sibling(schema: Schema, keyword: string): Node | undefined;
  refer(schema: Schema, reference: Reference): void;
  literals(entry: Node): Literals | undefined;
  text(entry: Node): string | undefined;
  texts(entry: Node): readonly string[] | undefined;
  flag(entry: Node): boolean | undefined;
  number(entry: Node): string | undefined;
  positive(entry: Node): string | undefined;
  count(entry: Node): number | undefined;
  pattern(entry: Node): Pattern | undefined;
  fault(node: Node, message: string): undefined;
}

interface Keyword {
  readonly from?: Draft;
  /** The last draft that has it. */
  readonly to?: Draft;
  readonly read: (schema: Schema, entry: Node, reader: SchemaReading) => void;
}

const bits: ReadonlyMap<string, number> = new Map([
  ["null", Kind.null],
  ["boolean", Kind.boolean],
  ["number", numeric],
  ["integer", Kind.integer],
  ["string", Kind.string],
  ["array", Kind.array],
  ["object", Kind.object],
]);

function readType(schema: Schema, entry: Node, reader: SchemaReading): void {
  const value = literalOf(entry);
  const names = value.kind === Kind.array ? value.items() : [value];
  const known = names.every((each) => each.kind === Kind.string && bits.has(each.text));
  if (!known || names.length === 0)
    return reader.fault(entry, `\`type\` is one of ${[...bits.keys()].join(", ")}, or a list of them`);
  schema.typeNames = names.map(({ text }) => text);
  schema.types = schema.typeNames.reduce((types, name) => types | (bits.get(name) ?? 0), 0);
}

/** In draft 4 `exclusiveMinimum` is a boolean: it says that `minimum` is exclusive. */
function readExclusive(
  schema: Schema,
  entry: Node,
  reader: SchemaReading,
  name: "minimum" | "maximum",
): void {
  const exclusive = name === "minimum" ? "exclusiveMinimum" : "exclusiveMaximum";
  if (schema.resource.draft > 4) return void (schema[exclusive] = reader.number(entry));
  if (reader.flag(entry) !== true) return;
  const bound = reader.sibling(schema, name);
  if (bound === undefined) return;
  schema[exclusive] = reader.number(bound);
  schema[name] = undefined;
}

function readDependents(schema: Schema, entry: Node, reader: SchemaReading, keyword: string): void {
  const found = reader.entries(entry).map(({ key, node }) => {
    const isList = literalOf(node).kind === Kind.array;
    if (isList || keyword === "dependentRequired")
      return { key, keyword, required: reader.texts(node) ?? [] };
    return { key, keyword, schema: reader.schema(schema, node, keyword, key) };
  });
  schema.dependents = [...schema.dependents, ...found];
}

/** Until 2019-09 a list under `items` means what `prefixItems` means in 2020-12. */
function readItems(schema: Schema, entry: Node, reader: SchemaReading): void {
  const isList = literalOf(entry).kind === Kind.array;
  if (!isList || schema.resource.draft >= 2020) schema.items = reader.schema(schema, entry, "items");
  else {
    schema.prefixItems = reader.schemas(schema, entry, "items");
    const more = reader.sibling(schema, "additionalItems");
    if (more !== undefined) schema.items = reader.schema(schema, more, "additionalItems");
  }
}

function readFormat(schema: Schema, entry: Node, reader: SchemaReading): void {
  const format = reader.text(entry);
  // As Helm does: in later drafts `format` is only a note.
  if (schema.resource.draft <= 7) schema.format = format;
}

const text = (name: "title" | "description"): Keyword => ({
  read: (schema, entry, reader) => (schema[name] = reader.text(entry)),
});

type Count = `${"min" | "max"}${"Length" | "Items" | "Properties" | "Contains"}`;

const count = (name: Count, from?: Draft): Keyword => ({
  ...(from === undefined ? {} : { from }),
  read: (schema, entry, reader) => (schema[name] = reader.count(entry)),
});

type Single = "additionalProperties" | "propertyNames" | "contains" | "not" | "if";

const single = (name: Single, from?: Draft): Keyword => ({
  ...(from === undefined ? {} : { from }),
  read: (schema, entry, reader) => (schema[name] = reader.schema(schema, entry, name)),
});

const several = (name: "allOf" | "anyOf" | "oneOf"): Keyword => ({
  read: (schema, entry, reader) => (schema[name] = reader.schemas(schema, entry, name)),
});

/** Schemas that apply only by reference. */
const definitions = (name: string): Keyword => ({
  read: (schema, entry, reader) => void reader.schemasByKey(schema, entry, name),
});

function readReference(schema: Schema, entry: Node, reader: SchemaReading): void {
  const name = reader.text(entry);
  if (name !== undefined) reader.refer(schema, { text: name });
}

/** These depend on the schemas around theirs, and few schemas use them: they are read, and not judged. */
const unjudged = (keyword: string, from: Draft, to: Draft, kinds: number): Keyword => ({
  from,
  to,
  read: (schema, entry, reader) => {
    const isAboutRest = keyword.startsWith("unevaluated");
    if (
      isAboutRest ? reader.schema(schema, entry, keyword).always === true : reader.text(entry) === undefined
    )
      return;
    schema.unjudged = [...schema.unjudged, { keyword, kinds }];
  },
});

const keywords: ReadonlyMap<string, Keyword> = new Map<string, Keyword>([
  ["$ref", { read: readReference }],
  ["$recursiveRef", unjudged("$recursiveRef", 2019, 2019, Kind.any)],
  ["$dynamicRef", unjudged("$dynamicRef", 2020, 2020, Kind.any)],
  ["$defs", definitions("$defs")],
  ["definitions", definitions("definitions")],
  ["title", text("title")],
  ["description", text("description")],
  ["type", { read: readType }],
  ["enum", { read: (schema, entry, reader) => (schema.enum = reader.literals(entry)) }],
  ["const", { from: 6, read: (schema, entry) => (schema.const = new Literals([literalOf(entry)])) }],
  ["minimum", { read: (schema, entry, reader) => (schema.minimum = reader.number(entry)) }],
  ["maximum", { read: (schema, entry, reader) => (schema.maximum = reader.number(entry)) }],
  ["exclusiveMinimum", { read: (...given) => readExclusive(...given, "minimum") }],
  ["exclusiveMaximum", { read: (...given) => readExclusive(...given, "maximum") }],
  ["multipleOf", { read: (schema, entry, reader) => (schema.multipleOf = reader.positive(entry)) }],
  ["minLength", count("minLength")],
  ["maxLength", count("maxLength")],
  ["pattern", { read: (schema, entry, reader) => (schema.pattern = reader.pattern(entry)) }],
  ["format", { read: readFormat }],
  [
    "properties",
    {
      read: (schema, entry, reader) => (schema.properties = reader.schemasByKey(schema, entry, "properties")),
    },
  ],
  [
    "patternProperties",
    { read: (schema, entry, reader) => (schema.patternProperties = reader.schemasByPattern(schema, entry)) },
  ],
  ["additionalProperties", single("additionalProperties")],
  ["propertyNames", single("propertyNames", 6)],
  ["required", { read: (schema, entry, reader) => (schema.required = reader.texts(entry)) }],
  ["minProperties", count("minProperties")],
  ["maxProperties", count("maxProperties")],
  ["dependencies", { read: (...given) => readDependents(...given, "dependencies") }],
  ["dependentRequired", { from: 2019, read: (...given) => readDependents(...given, "dependentRequired") }],
  ["dependentSchemas", { from: 2019, read: (...given) => readDependents(...given, "dependentSchemas") }],
  ["unevaluatedProperties", unjudged("unevaluatedProperties", 2019, 2020, Kind.object)],
  [
    "prefixItems",
    {
      from: 2020,
      read: (schema, entry, reader) => (schema.prefixItems = reader.schemas(schema, entry, "prefixItems")),
    },
  ],
  ["items", { read: readItems }],
  ["contains", single("contains", 6)],
  ["minContains", count("minContains", 2019)],
  ["maxContains", count("maxContains", 2019)],
  ["unevaluatedItems", unjudged("unevaluatedItems", 2019, 2020, Kind.array)],
  ["minItems", count("minItems")],
  ["maxItems", count("maxItems")],
  ["uniqueItems", { read: (schema, entry, reader) => (schema.uniqueItems = reader.flag(entry) === true) }],
  ["allOf", several("allOf")],
  ["anyOf", several("anyOf")],
  ["oneOf", several("oneOf")],
  ["not", single("not")],
  ["if", single("if", 7)],
  [
    "then",
    { from: 7, read: (schema, entry, reader) => (schema.thenSchema = reader.schema(schema, entry, "then")) },
  ],
  [
    "else",
    { from: 7, read: (schema, entry, reader) => (schema.elseSchema = reader.schema(schema, entry, "else")) },
  ],
]);

/** Undefined if the draft does not have the keyword. */
export function keywordOf(name: string, draft: Draft): Keyword | undefined {
  const keyword = keywords.get(name);
  if (keyword === undefined || draft < (keyword.from ?? 4) || draft > (keyword.to ?? 2020)) return undefined;
  return keyword;
}
