// Findings → diagnostics: whose value it is, which item, line and column of the schema say so, and what may still change
// it. Never the value; of what a Secret holds only keys that the schema names itself.
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
import type { Merged, MergedValues, Unknown } from "./merged.ts";
import type { SchemaFault } from "./reader.ts";
import type { Resource } from "./schema.ts";

/** Where a schema's document is: its place, and who holds it. */
export interface SchemaPlace {
  readonly position: Position;
  /** Absent for a file, and for a schema in the settings. */
  readonly item?: ItemRef;
  /** In the settings, of a schema that stands there. */
  readonly field?: string;
}

export type PlaceOf = (resource: Resource) => SchemaPlace;

export function diagnosticsOf(
  { all, more }: Findings,
  target: Target,
  merged: MergedValues,
  placeOfSchema: PlaceOf,
): Diagnostic[] {
  const told = new Map<string, Diagnostic>();
  for (const finding of all) {
    const diagnostic = diagnosticOf(finding, target, merged, placeOfSchema);
    const { message, at } = diagnostic;
    const key = JSON.stringify([message, at?.text, at?.line, at?.column]);
    if (!told.has(key)) told.set(key, diagnostic);
  }
  const distinct = [...told.values()];
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
  const path = pathOf(instance, origin?.merged.isSecret === true, missing);
  const unsure = merged.unknowns.filter((each) => mayChange(each, finding, merged));
  const entry = keyword === "" ? schema.node : (entryUnder(valueOf(schema.node), keyword) ?? schema.node);
  const steps = keyword === "" ? schema.path : [...schema.path, keyword];
  return {
    code: "schema",
    // What nobody names is there for every App, and seldom changes anything.
    severity: unsure.some(({ name }) => name !== undefined) ? "warning" : "error",
    message: `${path === "" ? "the values" : `\`${path}\``}: ${says}${unsureText(unsure)}`,
    item: origin?.merged.item ?? refOf(target),
    at: origin?.merged.positionOf(origin.entry) ?? placeOf(target),
    also: [schemaPlace(schema.resource, entry, steps, placeOfSchema)],
    hint: hintFor(finding, origin?.merged.isSecret === true, target, unsure),
  };
}

function hintFor(
  { missing, known, instance }: Finding,
  isSecret: boolean,
  target: Target,
  unsure: readonly Unknown[],
): string {
  if (missing !== undefined) return missingHint(instance, target);
  const near = known === undefined || isSecret ? undefined : nearestKey(String(instance.key), known);
  if (near !== undefined) return `did you mean \`${near}\`?`;
  if (unsure.some(({ name }) => name === undefined))
    return "correct it, or say `app.unseen: []` if the platform binds nothing there";
  return known === undefined ? "correct the value, or the schema" : "take it out, or add it to the schema";
}

/** Letters to compare; in more no suggestion is looked for, as time counts. */
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
    : `${set}; if its chart has it, say \`values: partial\``;
}

function isInList(instance: Instance): boolean {
  for (let at: Instance | undefined = instance; at !== undefined; at = at.above)
    if (typeof at.key === "number") return true;
  return false;
}

function unsureText(unsure: readonly Unknown[]): string {
  if (unsure.length === 0) return "";
  const names = [...new Set(unsure.flatMap(({ name }) => name ?? []))].map((name) => `\`${name}\``);
  const nameless = unsure.some(({ name }) => name === undefined)
    ? ["what the platform binds (`app.unseen`)"]
    : [];
  const all = [...names, ...nameless];
  return `, unless ${all.join(" or ")} changes it, which lies above and cannot be looked into`;
}

/** The entry that a value's place is told of. */
interface Origin {
  readonly merged: Merged;
  readonly entry: Node;
}

function entryOf({ value }: Instance): Node {
  return "type" in value ? headOfTree(value) : value;
}

/** The values as a whole have no entry: they stand in their layer. */
function originOf(instance: Instance, { byDocument }: MergedValues): Origin | undefined {
  const entry = entryOf(instance);
  const merged = byDocument.get(entry.doc);
  return merged === undefined ? undefined : { merged, entry };
}

/** The path as users type it; of a Secret's own keys and lists only that they are there. */
function pathOf(instance: Instance, isSecret: boolean, missing: string | undefined): string {
  let text = missing === undefined ? "" : step(missing);
  for (let at: Instance | undefined = instance; at?.key !== undefined; at = at.above) {
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

/** A layer above that nobody can look into may change what a finding rests on. */
function mayChange({ rank, steps }: Unknown, finding: Finding, merged: MergedValues): boolean {
  const grounds = finding.within ?? finding.instance;
  if (lowestRank(grounds, merged) > rank) return false;
  if (steps === undefined) return true;
  const keys: (string | number)[] = [];
  for (let at: Instance | undefined = grounds; at?.key !== undefined; at = at.above) keys.unshift(at.key);
  const path = keys.map((key) => (typeof key === "number" ? `[${key}]` : key));
  const elements = keys.flatMap((key, depth) => (typeof key === "number" ? depth : []));
  return compare(path, steps, elements) !== undefined;
}

/** The lowest layer that a value is made of. */
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
    // The result of a function has no other room for a place in the settings.
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
  // A schema in a function config is found by its path.
  if (locate === undefined) return { ...place, text: place.text + path.map(step).join("") };
  const entry = field(node, Field.entry);
  return { ...place, ...locate(entry < 0 ? field(node, Field.start) : entry) };
}
