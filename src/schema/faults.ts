// Findings → diagnostics: the layer of the wrong value, the place in the schema that rejects it, and unread layers that
// may still change it. Never contains a value. In a Secret, contains only keys that the schema names itself.
import { type Diagnostic, formatItem, type ItemRef, nearest, type Position } from "../diagnostic.ts";
import {
  compare,
  entryUnder,
  Field,
  field,
  headOfTree,
  isLayerItem,
  type Node,
  pathText,
  placeOf,
  refOf,
  type Target,
  valueOf,
} from "../core/index.ts";
import type { Finding, Findings } from "./findings.ts";
import { Instance } from "./instance.ts";
import type { MergedLayer, MergedValues, UnknownLayer } from "./merged.ts";
import type { SchemaFault } from "./reader.ts";
import type { Resource } from "./schema.ts";

/** Where a schema's document is: its position, and the item that contains it. */
export interface SchemaPlace {
  readonly position: Position;
  /** Absent for a file, and for a schema in the settings. */
  readonly item?: ItemRef;
  /** For a schema in the settings: its path there. */
  readonly field?: string;
}

export type PlaceOf = (resource: Resource) => SchemaPlace;

export function diagnosticsOf(
  { all, more }: Findings,
  target: Target,
  merged: MergedValues,
  placeOfSchema: PlaceOf,
): Diagnostic[] {
  const byText = new Map<string, Diagnostic>();
  for (const finding of all) {
    const diagnostic = diagnosticOf(finding, target, merged, placeOfSchema);
    const { message, at } = diagnostic;
    const key = JSON.stringify([message, at?.text, at?.line, at?.column]);
    if (!byText.has(key)) byText.set(key, diagnostic);
  }
  const distinct = [...byText.values()];
  const last = distinct.at(-1);
  if (more === 0 || last === undefined) return distinct;
  return [...distinct.slice(0, -1), { ...last, message: `${last.message}; ${more} more in this target` }];
}

function diagnosticOf(
  finding: Finding,
  target: Target,
  merged: MergedValues,
  placeOfSchema: PlaceOf,
): Diagnostic {
  const { instance, schema, keyword, says, missing } = finding;
  const origin = originOf(instance, merged);
  const path = pathOf(instance, origin?.layer.isSecret === true, missing);
  const unknowns = merged.unknowns.filter((each) => mayChange(each, finding, merged));
  const entry = keyword === "" ? schema.node : (entryUnder(valueOf(schema.node), keyword) ?? schema.node);
  const steps = keyword === "" ? schema.path : [...schema.path, keyword];
  return {
    code: "schema",
    // Every App may have layers that the input does not name. They seldom change anything, so the fault stays an error.
    severity: unknowns.some(({ name }) => name !== undefined) ? "warning" : "error",
    message: `${path === "" ? "the values" : `\`${path}\``}: ${says}${unknownText(unknowns)}`,
    item: origin?.layer.item ?? refOf(target),
    at: origin?.layer.positionOf(origin.entry) ?? placeOf(target),
    also: [schemaPlace(schema.resource, entry, steps, placeOfSchema)],
    hint: hintFor(finding, origin?.layer.isSecret === true, target, unknowns),
  };
}

function hintFor(
  { missing, known, instance }: Finding,
  isSecret: boolean,
  target: Target,
  unknowns: readonly UnknownLayer[],
): string {
  if (missing !== undefined) return missingHint(instance, target);
  const near = known === undefined || isSecret ? undefined : nearestKey(String(instance.key), known);
  if (near !== undefined) return `did you mean \`${near}\`?`;
  if (unknowns.some(({ name }) => name === undefined))
    return "correct it, or write `app.unseen: []` if the platform binds nothing there";
  return known === undefined ? "correct the value, or the schema" : "take it out, or add it to the schema";
}

/** With more letters to compare there is no suggestion: finding one would take too long. */
const mostLetters = 20_000;

function nearestKey(key: string, known: ReadonlyMap<string, unknown>): string | undefined {
  const isTooShort = key.length < 3;
  return isTooShort || known.size * key.length > mostLetters ? undefined : nearest(key, known.keys());
}

function missingHint(instance: Instance, target: Target): string {
  if (isInList(instance)) return "add it here: a list is replaced whole, so nothing else brings it";
  const set = `set it in a layer of \`${formatItem(target)}\``;
  return "read" in target && isLayerItem(target)
    ? `${set}, or in itself`
    : `${set}; if its chart has it, write \`values: partial\``;
}

function isInList(instance: Instance): boolean {
  for (let at: Instance | undefined = instance; at !== undefined; at = at.parent)
    if (typeof at.key === "number") return true;
  return false;
}

function unknownText(unknowns: readonly UnknownLayer[]): string {
  if (unknowns.length === 0) return "";
  const names = [...new Set(unknowns.flatMap(({ name }) => name ?? []))].map((name) => `\`${name}\``);
  const nameless = unknowns.some(({ name }) => name === undefined)
    ? ["what the platform binds (`app.unseen`)"]
    : [];
  const all = [...names, ...nameless];
  return `, unless ${all.join(" or ")} changes it, which is above it and cannot be read`;
}

/** The entry that gives a value's position, and its layer. */
interface Origin {
  readonly layer: MergedLayer;
  readonly entry: Node;
}

function entryOf({ value }: Instance): Node {
  return "type" in value ? headOfTree(value) : value;
}

/** Undefined for the values as a whole, which come from no single layer. */
function originOf(instance: Instance, { byDocument }: MergedValues): Origin | undefined {
  const entry = entryOf(instance);
  const layer = byDocument.get(entry.doc);
  return layer === undefined ? undefined : { layer, entry };
}

/** The path as users type it. In a Secret, `*` replaces indices and keys that the schema does not name. */
function pathOf(instance: Instance, isSecret: boolean, missing: string | undefined): string {
  let text = missing === undefined ? "" : step(missing);
  for (let at: Instance | undefined = instance; at?.key !== undefined; at = at.parent) {
    const isHidden = isSecret && !at.isNamed;
    if (typeof at.key === "number") text = `[${isHidden ? "*" : at.key}]${text}`;
    else text = (isHidden ? ".*" : step(at.key)) + text;
  }
  return text.replace(/^\./, "");
}

function step(key: string): string {
  const text = pathText([key]);
  return text.startsWith("[") ? text : `.${text}`;
}

/** True if an unread layer may override what the finding depends on. */
function mayChange({ rank, steps }: UnknownLayer, finding: Finding, merged: MergedValues): boolean {
  const grounds = finding.within ?? finding.instance;
  if (lowestRank(grounds, merged) > rank) return false;
  if (steps === undefined) return true;
  const keys: (string | number)[] = [];
  for (let at: Instance | undefined = grounds; at?.key !== undefined; at = at.parent) keys.unshift(at.key);
  const path = keys.map((key) => (typeof key === "number" ? `[${key}]` : key));
  const elements = keys.flatMap((key, depth) => (typeof key === "number" ? depth : []));
  return compare(path, steps, elements) !== undefined;
}

/** The rank of the lowest layer that contributes to a value. */
function lowestRank(instance: Instance, merged: MergedValues): number {
  const { value } = instance;
  const own = merged.byDocument.get(entryOf(instance).doc)?.rank ?? 0;
  if (!("type" in value)) return own;
  const parts = value.type === "list" ? instance.items() : instance.members();
  return parts.reduce((least, each) => Math.min(least, lowestRank(each, merged)), own);
}

/** What is wrong with a schema itself. */
export function faultOf(fault: SchemaFault, placeOfSchema: PlaceOf): Diagnostic {
  const { code, resource, node, path, message, isWithin = false, among = [] } = fault;
  const at = schemaPlace(resource, node, path, placeOfSchema);
  const also = among.map((each) => schemaPlace(each.resource, each.node, each.path, placeOfSchema));
  const hint =
    among.length > 0
      ? "give each of them an `$id` of its own, or only one of them"
      : code === "schema-reference" && !isWithin
        ? "give the schema that it means, too, under this `$id`: valuefold fetches nothing and reads no file"
        : "correct the schema at this place";
  const { item, field: own } = placeOfSchema(resource);
  const place = own === undefined ? undefined : own + path.map(step).join("");
  return {
    code,
    severity: "error",
    // The results of a KRM function have no field for a path in the settings.
    message: place === undefined ? message : `\`${place}\`: ${message}`,
    at,
    hint,
    ...(also.length === 0 ? {} : { also }),
    ...(item === undefined ? {} : { item }),
    ...(place === undefined ? {} : { field: place }),
  };
}

function schemaPlace(
  resource: Resource,
  node: Node,
  path: readonly string[],
  placeOfSchema: PlaceOf,
): Position {
  const { position: place } = placeOfSchema(resource);
  const { locate } = resource.source;
  // A schema in a function config has no lines: its path identifies the place.
  if (locate === undefined) return { ...place, text: place.text + path.map(step).join("") };
  const entry = field(node, Field.entry);
  return { ...place, ...locate(entry < 0 ? field(node, Field.start) : entry) };
}
