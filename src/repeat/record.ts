// What stays on clones so that a later run knows them. Where the output is the next input (kpt), a clone records who made
// it and what it was, and an item the elements cloned in its lists; elsewhere a clone says only where it comes from.
import { type Item, Mark, type Named } from "../core/index.ts";

/** Where a clone comes from. */
export interface CloneOrigin {
  /** Name of the Repeat. */
  readonly repeat: string;
  /** `Kind/name`, as the Repeat spells it. */
  readonly template: string;
  readonly instance: string;
  /** Of those under `each`. */
  readonly item?: string;
  /** Of a clone's own top layer: `values`. */
  readonly part?: "values";
}

/** The same, with digests of the clone as it was made: all of it, and what only a user changes in it. */
export interface CloneRecord extends CloneOrigin {
  readonly made: string;
  readonly own: string;
  /** Digests of the references that it had where the fold writes some. */
  readonly slots?: readonly string[];
}

/** On an item in whose lists elements are cloned. */
export interface ListRecord {
  readonly repeat: string;
  /** As the Repeat spells it. */
  readonly path: string;
  /** Of the template, in the list as it was. */
  readonly index: number;
  /** The template's text: lines at column 0, or what stood between brackets. */
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
