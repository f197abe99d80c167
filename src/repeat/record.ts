// What a clone remembers of itself, and an item of the elements cloned in its lists: annotations of JSON.
import { Mark } from "../wire/annotation-names.ts";
import type { Item } from "../wire/item.ts";

/** On a clone of a whole item. */
export interface CloneRecord {
  /** Name of the Repeat. */
  readonly repeat: string;
  /** `Kind/name`, as the Repeat spells it. */
  readonly template: string;
  readonly instance: string;
  /** Of those under `each`. */
  readonly item?: string;
  /** Of a clone's own top layer: `values`. */
  readonly part?: "values";
  /** Digests: of the clone as it was made, of what nobody but a user changes in it, and of its template's body. */
  readonly made: string;
  readonly own: string;
  readonly from: string;
  /** In kustomize: what was set in it, digests by path. */
  readonly set?: Readonly<Record<string, string>>;
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
}

export function readCloneRecord(item: Pick<Item, "annotations">): CloneRecord | undefined {
  const found = parsed(item.annotations.get(Mark.repeatedFrom));
  return isTexts(found, ["repeat", "template", "instance", "made", "own", "from"])
    ? (found as unknown as CloneRecord)
    : undefined;
}

/** Those of an item; undefined where somebody made something else of them. */
export function readListRecords(item: Item): readonly ListRecord[] | undefined {
  const text = item.annotations.get(Mark.repeatedLists);
  if (text === undefined) return [];
  const found = parsed(text);
  return Array.isArray(found) && found.every(isListRecord) ? found : undefined;
}

/** What kustomize's overlays may have changed in a template is told by what it was: digests by path. */
export interface TemplateRecord {
  readonly repeat: string;
  readonly leaves?: Readonly<Record<string, string>>;
  /** True for a template that was local-config before it was one. */
  readonly local?: boolean;
}

export function readTemplateRecord({ annotations }: Pick<Item, "annotations">): TemplateRecord | undefined {
  const found = parsed(annotations.get(Mark.templateOf));
  return isTexts(found, ["repeat"]) ? (found as unknown as TemplateRecord) : undefined;
}

export function wasLocal(item: Item): boolean {
  return readTemplateRecord(item)?.local === true;
}

export function readTemplateLeaves(item: Item): ReadonlyMap<string, string> {
  const leaves = readTemplateRecord(item)?.leaves;
  return new Map(typeof leaves === "object" && leaves !== null ? Object.entries(leaves) : []);
}

export function writeRecord(record: CloneRecord | TemplateRecord | readonly ListRecord[]): string {
  return JSON.stringify(record);
}

export function parsed(text: string | undefined): unknown {
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
