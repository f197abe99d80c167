// What stays on clones so that a later run knows them. Where the output is the next input (kpt), a clone records who made
// it and what it was, and an item the elements cloned in its lists; elsewhere a clone records its origin only. What an item
// was is a digest of its content, whatever its spelling, the order of its keys and the notes of orchestrators on it: so a
// clone that a user edited differs from one that a tool wrote again.
import { hash } from "node:crypto";
import {
  childrenOf,
  entriesOf,
  isMapping,
  isNull,
  isScalar,
  isSequence,
  type Item,
  Mark,
  type Named,
  type Node,
  referenceFieldsOf,
  resolveScalar,
  scalarText,
  valueOf,
} from "../core/index.ts";

/** Where a clone comes from. */
export interface CloneOrigin {
  /** Name of the Repeat. */
  readonly repeat: string;
  /** `Kind/name`, as the Repeat spells it. */
  readonly template: string;
  readonly instance: string;
  /** Name of the entry under `each`. */
  readonly item?: string;
  /** `values` for a clone's own top layer. */
  readonly part?: "values";
}

/** The same, with digests of the clone as it was made: all of it, and what only a user changes in it. */
export interface CloneRecord extends CloneOrigin {
  readonly made: string;
  readonly own: string;
  /** Digests of the references that it had where the fold writes some. */
  readonly slots?: readonly string[];
}

/** On an item with cloned elements in its lists. */
export interface ListRecord {
  readonly repeat: string;
  /** As the Repeat spells it. */
  readonly path: string;
  /** Index of the template in the list as it was. */
  readonly index: number;
  /** The template's text: lines at column 0, or what was between brackets. */
  readonly template: string;
  /** In their order: the instance (and the item), and a digest. */
  readonly clones: readonly (readonly [scope: string, digest: string])[];
  /** Without clones: a digest of the element that they would follow; null at the start of the list. */
  readonly follows?: string | null;
}

/** On a template. */
interface TemplateRecord {
  readonly repeat: string;
  /** True for a template that was local-config before it was one. */
  readonly local?: boolean;
}

export function readCloneOrigin(item: Pick<Item, "annotations">): CloneOrigin | undefined {
  const found = parsed(item.annotations.get(Mark.repeatedFrom));
  return isTexts(found, ["repeat", "template", "instance"]) ? (found as unknown as CloneOrigin) : undefined;
}

/** Undefined for an item that no later run remakes. */
export function readCloneRecord(item: Pick<Item, "annotations">): CloneRecord | undefined {
  const found = readCloneOrigin(item);
  if (!isTexts(found, ["made", "own"])) return undefined;
  const record = found as unknown as CloneRecord;
  return record.slots === undefined || Array.isArray(record.slots) ? record : undefined;
}

/** Those of an item; undefined where a user changed the annotation itself. */
export function readListRecords(item: Item): readonly ListRecord[] | undefined {
  const text = item.annotations.get(Mark.repeatedLists);
  if (text === undefined) return [];
  const found = parsed(text);
  return Array.isArray(found) && found.every(isListRecord) ? found : undefined;
}

export function readTemplateRecord({ annotations }: Pick<Item, "annotations">): TemplateRecord | undefined {
  const found = parsed(annotations.get(Mark.templateOf));
  return isTexts(found, ["repeat"]) ? (found as unknown as TemplateRecord) : undefined;
}

export function writeRecord(
  record: CloneOrigin | CloneRecord | TemplateRecord | readonly ListRecord[],
): string {
  return JSON.stringify(record);
}

/** The Repeat that a record names; of several of one name the one in the item's namespace. */
export function repeatOf(
  { namespace }: Pick<Named, "namespace">,
  { repeat: name }: { readonly repeat: string },
  repeats: readonly Item[],
): Item | undefined {
  const named = repeats.filter((repeat) => repeat.name === name);
  return named.find((repeat) => (repeat.namespace ?? namespace) === namespace) ?? named[0];
}

function parsed(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? "");
  } catch {
    return undefined;
  }
}

function isTexts(found: unknown, keys: readonly string[]): found is Readonly<Record<string, string>> {
  return (
    typeof found === "object" &&
    found !== null &&
    keys.every((key) => typeof (found as Record<string, unknown>)[key] === "string")
  );
}

function isListRecord(found: unknown): found is ListRecord {
  if (!isTexts(found, ["repeat", "path", "template"])) return false;
  const { index, clones } = found as unknown as Partial<ListRecord>;
  return (
    Number.isInteger(index) &&
    Array.isArray(clones) &&
    clones.every(
      (each: unknown) => Array.isArray(each) && typeof each[0] === "string" && typeof each[1] === "string",
    )
  );
}

/** Annotations by which other tools find an item again, or in which the fold records something. */
const notes: readonly string[] = [
  Mark.repeatedFrom,
  Mark.repeatedLists,
  Mark.templateOf,
  Mark.foldedKeys,
  Mark.kept,
  Mark.localConfig,
  Mark.legacyPath,
  Mark.origin,
  Mark.kustomizeId,
  "config.kubernetes.io/index",
  "config.k8s.io/id",
  "alpha.config.kubernetes.io/transformations",
];

/** True for what an orchestrator or valuefold writes on an item, and takes off again. */
export function isNote(annotation: string): boolean {
  return notes.includes(annotation) || annotation.startsWith("internal.config.kubernetes.io/");
}

/** The content of lists before elements were cloned in them, by their row. */
type Collapsed = ReadonlyMap<number, readonly string[]>;

export interface ContentDigests {
  /** All of it. */
  readonly whole: string;
  /** Without what the fold itself writes in it: references. */
  readonly own: string;
}

/** The content of an item, as digests. */
export function contentOf(root: Node, kind: string, collapsed: Collapsed = new Map()): ContentDigests {
  const parts = new Map<string, string>();
  for (const [key, entry] of entriesOf(root)) {
    const value = valueOf(entry);
    if (key === "metadata" && isMapping(value)) parts.set(key, metadataText(value));
    else if (key !== "status") parts.set(key, textOf(value, collapsed));
  }
  const own = new Map(parts);
  const spec = entriesOf(root).get("spec");
  const names = referenceFieldsOf(kind);
  if (names.length > 0 && spec !== undefined && isMapping(valueOf(spec)))
    own.set(
      "spec",
      mappingText(valueOf(spec), collapsed, (key) => !names.includes(key)),
    );
  const annotated = isEditedInPlace(root);
  if (annotated) for (const key of ["data", "stringData", "binaryData"]) own.delete(key);
  return { whole: digest(joined(parts)), own: digest(joined(own)) };
}

/** The content of an element of a list, as a digest. */
export function elementContent(element: Node): string {
  return digest(textOf(valueOf(element), new Map()));
}

function digest(text: string): string {
  return hash("sha256", text, "hex").slice(0, 20);
}

function isEditedInPlace(root: Node): boolean {
  const metadata = entriesOf(root).get("metadata");
  const annotations =
    metadata === undefined || !isMapping(valueOf(metadata))
      ? undefined
      : entriesOf(valueOf(metadata)).get("annotations");
  return (
    annotations !== undefined &&
    isMapping(valueOf(annotations)) &&
    entriesOf(valueOf(annotations)).has(Mark.foldedKeys)
  );
}

function metadataText(metadata: Node): string {
  const parts = new Map<string, string>();
  for (const [key, entry] of entriesOf(metadata)) {
    const value = valueOf(entry);
    // Empty annotations count as missing: later runs write their own into them.
    if (key === "annotations" && isScalar(value) && isNull(value)) continue;
    if (key !== "annotations" || !isMapping(value)) parts.set(key, textOf(value, new Map()));
    else {
      const text = mappingText(value, new Map(), (name) => !isNote(name));
      if (text !== "{}") parts.set(key, text);
    }
  }
  return joined(parts);
}

function textOf(value: Node, collapsed: Collapsed): string {
  if (isMapping(value)) return mappingText(value, collapsed);
  if (isSequence(value)) {
    const instead = collapsed.get(value.row);
    return `[${(instead ?? childrenOf(value).map((child) => elementText(child, collapsed))).join(",")}]`;
  }
  const { type, text } = resolveScalar(value);
  if (type === "float") return `float ${Number(scalarText(value))}`;
  return type === "string" || type === "merge" ? JSON.stringify(scalarText(value)) : `${type} ${text}`;
}

/** The content of an element. */
export function elementText(element: Node, collapsed: Collapsed): string {
  return textOf(valueOf(element), collapsed);
}

function mappingText(
  value: Node,
  collapsed: Collapsed,
  counts: (key: string) => boolean = () => true,
): string {
  const parts = new Map<string, string>();
  for (const [key, entry] of entriesOf(value))
    if (counts(key)) parts.set(key, textOf(valueOf(entry), collapsed));
  return joined(parts);
}

function joined(parts: ReadonlyMap<string, string>): string {
  const lines = [...parts].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${lines.map(([key, text]) => `${JSON.stringify(key)}:${text}`).join(",")}}`;
}
