// Finds the schema of each rule of the setting `schemas`: in an item of the list, in a file that the CLI has read, or in
// the rule itself. Reads no files.
import { type Context, hasName } from "../core/index.ts";
import { type Item, placeOf, refOf } from "../krm/index.ts";
import { isFault, lineAndColumn, Node, readDocument } from "../yaml/index.ts";
import { isLayerItem, type Layer, type LayerItem, readValues, type Values } from "../layers/index.ts";
import type { Settings } from "../settings/index.ts";
import type { Diagnostic, Position } from "../diagnostic.ts";
import { hashless, objectText } from "../object-id.ts";
import { emptyMapping, truthOf } from "./instance.ts";
import type { SchemaText } from "./source.ts";

export type SchemaRule = NonNullable<Settings["schemas"]>[number] & {
  /** The contents of the file that the rule names, once the CLI has read it. */
  readonly text?: Uint8Array;
  /** The command-line option that names the file, if no setting does. */
  readonly option?: string;
};

/** A schema's document, or why it cannot be read. */
export type FoundSchema = { readonly source: SchemaText; readonly root: Node } | Diagnostic;

/** @param field the rule, as messages name it */
export function findSchema(
  rule: SchemaRule,
  field: string,
  items: readonly Item[],
  context: Context,
): FoundSchema {
  const { from, file, text, schema } = rule;
  if (from !== undefined) return inList(from, field, items, context);
  if (schema !== undefined) return inConfig(schema, field);
  if (text !== undefined && file !== undefined) return inFile(text, file);
  const hint =
    "put the schema into a ConfigMap and name that under `from`, or pass `--schema FILE` on the command line";
  return ruleFault(`${field}.file`, ": a function reads no files", hint);
}

function inFile(text: Uint8Array, name: string): FoundSchema {
  const values = readValues(text, formatOf(name));
  const locate = (offset: number): ReturnType<typeof lineAndColumn> => lineAndColumn(values.text, offset);
  return rootIn(values, { position: { text: name, isFile: true }, locate });
}

/** A schema in the settings has no line and column: messages give the path of keys. */
function inConfig(schema: unknown, field: string): FoundSchema {
  const text = schema instanceof Uint8Array ? schema : Buffer.from(JSON.stringify(schema), "utf8");
  const position = { text: `function config ${field}.schema` };
  return rootIn(readValues(text, "json"), { position, field: `${field}.schema` });
}

type SchemaOrigin = NonNullable<SchemaRule["from"]>;

function inList(from: SchemaOrigin, field: string, items: readonly Item[], context: Context): FoundSchema {
  const found = itemsNamed(from, items);
  const [item, second] = found;
  if (item === undefined || second !== undefined) return notOneNamed(from, field, found);
  const key = from.key ?? keyOf(item, context);
  const layer: Layer = { item, priority: 0, key, reference: undefined, format: formatOf(key ?? "") };
  const { layers } = context;
  const name = key === undefined ? objectText(item) : `${objectText(item)} ${key}`;
  const source: SchemaText = {
    position: { ...placeOf(item), text: name },
    item: refOf(item),
    locate: (offset) => layers.locate(layer, offset),
  };
  const wrongKey = layers.keyFault(layer);
  if (wrongKey !== undefined)
    return { ...wrongKey, code: "invalid-schema", at: source.position, hint: keyHint(item, field, context) };
  if (layers.isSealed(layer) || layers.isOpened(layer)) return unreadable("it is encrypted", source);
  return rootIn(layers.valuesOf(layer), source);
}

function keyHint(item: LayerItem, field: string, { holdings }: Context): string {
  const keys = holdings.keysOf(item).map((key) => `\`${key}\``);
  if (keys.length === 0) return "put the schema under `data`, as text";
  return `its keys are ${keys.join(", ")}: name one in \`${field}.from.key\``;
}

/** A name matches with and without kustomize's hash. */
function itemsNamed({ name, namespace }: SchemaOrigin, items: readonly Item[]): LayerItem[] {
  const possible = items.filter(
    (item): item is LayerItem =>
      isLayerItem(item) &&
      item.kind === "ConfigMap" &&
      (namespace === undefined || namespace === item.namespace),
  );
  const named = possible.filter((item) => hasName(item, name));
  return named.length > 0 ? named : possible.filter((item) => hashless(item.name) === name);
}

/** The only key, else the name that charts use for their schema. */
function keyOf(item: LayerItem, { holdings }: Context): string | undefined {
  const keys = holdings.keysOf(item);
  return keys.length === 1 ? keys[0] : keys.find((key) => key === "values.schema.json");
}

function formatOf(key: string): "json" | "yaml" {
  return key.endsWith(".json") ? "json" : "yaml";
}

function rootIn({ root: own, isMapping, faults, text }: Values, source: SchemaText): FoundSchema {
  const [fault] = faults;
  if (fault?.code === "not-a-mapping") {
    const root = scalarIn(text);
    return root === undefined ? unreadable("expected a mapping, or true or false", source) : { source, root };
  }
  // An empty mapping is a schema, too: it requires nothing.
  const root = own ?? (isMapping ? emptyMapping : undefined);
  if (fault === undefined && root !== undefined) return { source, root };
  const at = fault?.offset === undefined || text.length === 0 ? undefined : source.locate?.(fault.offset);
  const why = fault?.message ?? "expected a schema, got nothing";
  return unreadable(why, source, at);
}

function unreadable(why: string, source: SchemaText, at: Partial<Position> = {}): Diagnostic {
  const { position, item, field } = source;
  return {
    code: "invalid-schema",
    severity: "error",
    message: `the schema cannot be read: ${why}`,
    ...(item === undefined ? {} : { item }),
    at: { ...position, ...at },
    hint: "correct it: it is JSON, or YAML",
    ...(field === undefined ? {} : { field }),
  };
}

/** `true` and `false` are schemas, too. */
function scalarIn(text: Uint8Array): Node | undefined {
  const doc = readDocument(text);
  const root = isFault(doc) ? undefined : new Node(doc);
  return root === undefined || truthOf(root) === undefined ? undefined : root;
}

/** What is wrong with a rule's own words. */
function ruleFault(field: string, wrong: string, hint: string): Diagnostic {
  return { code: "invalid-schema", severity: "error", message: `\`${field}\`${wrong}`, field, hint };
}

function notOneNamed(origin: SchemaOrigin, field: string, found: readonly Item[]): Diagnostic {
  if (found.length > 0) {
    const names = found.map((item) => `\`${objectText(item)}\``).join(", ");
    return ruleFault(`${field}.from`, ` fits several items: ${names}`, "name the namespace, too");
  }
  const named = objectText(origin);
  const hint = "add it; once a build has dropped it, name the schema's file with `--schema`";
  return ruleFault(`${field}.from`, ` names \`${named}\`, which is not in the list`, hint);
}
