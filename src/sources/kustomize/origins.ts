// What a build with marks says about the items of the same build with values: which documents set their values, which file
// their texts are from, and what they were named.
import type { Item } from "../../krm/index.ts";
import { decodeBase64 } from "../../layers/index.ts";
import { firstTextInLiteral, Kind, type Node, scalarBytes } from "../../yaml/index.ts";
import { grouped } from "../../grouped.ts";
import type { Chain, TextPlace } from "../../explain/index.ts";
import type { Place } from "../../explanation.ts";
import type { ObjectPlaces } from "../object-places.ts";
import type { PlacedPart } from "../placed.ts";
import { chainOf } from "./chains.ts";
import { hasKey, partOf } from "./documents.ts";
import { membersMade } from "./made-values.ts";
import {
  isPatch,
  isSameText,
  isSameValue,
  type MarkedValue,
  type Marks,
  memberOf,
  type NodeAt,
  membersOf,
  type SourceDocument,
  type SourceText,
  startsWith,
} from "./marks.ts";
import { markedFields } from "../read-kinds.ts";
import type { SubstitutedStream } from "./overlay.ts";
import { hashless, objectKey } from "../../object-id.ts";
import { itemsIn, linesOf, rootOf } from "../items.ts";
import { filledText, isSameUpTo, variablesInText } from "./variables-in-text.ts";

export interface MarkedBuild {
  readonly marks: Marks;
  /** What kustomize built of the copy. */
  readonly bytes: Uint8Array;
}

/** An item of the build, and the same with marks. */
interface MarkedItem {
  /** Before variables are replaced. */
  readonly built: Item;
  readonly marked: Item;
  /** Lowest first. */
  readonly documents: readonly SourceDocument[];
}

interface KnownBuild {
  /** The same items, as they are before variables are replaced. */
  readonly built: readonly Item[];
  /** The kustomization that is named where no document is known. */
  readonly build: string;
  /** Named where variables changed what a document says. */
  readonly directory: string;
  /** Absent where no variables are replaced. */
  readonly variablesIn: SubstitutedStream["variablesIn"] | undefined;
  /** True where it may bring values of Secrets into other objects. */
  readonly takesFromSecrets: boolean;
}

export class BuildOrigins implements ObjectPlaces {
  private readonly pairs: ReadonlyMap<string, MarkedItem>;
  private readonly marks: Marks | undefined;
  private readonly build: Place;
  private readonly directory: Place;
  private readonly variablesIn: KnownBuild["variablesIn"];
  /** True where a value of which no mark proves the document may be that of a Secret. */
  private readonly mayTakeSecrets: boolean;

  constructor(
    items: readonly Item[],
    marked: MarkedBuild | undefined,
    { built, build, directory, variablesIn, takesFromSecrets }: KnownBuild,
  ) {
    this.marks = marked?.marks;
    const secrets = [...items, ...(marked?.marks.documentsOfKind("Secret") ?? [])];
    this.mayTakeSecrets = takesFromSecrets && secrets.some(({ kind }) => kind === "Secret");
    this.variablesIn = variablesIn;
    this.build = { of: "file", file: build };
    this.directory = { of: "file", file: directory };
    this.pairs = marked === undefined ? new Map() : namedAs(items, built, pairsOf(built, marked));
  }

  /** The resource or the generator that an item is from. */
  documentOf(item: Item): SourceDocument | undefined {
    return this.pairs
      .get(nameOf(item))
      ?.documents.find(({ role }) => role === "resource" || role === "generator");
  }

  findItem(item: Item): Place | undefined {
    return this.documentOf(item)?.at;
  }

  findText(item: Item, key: string, text: Uint8Array): TextPlace {
    const found = this.textOf(item, key);
    const filled = this.builtText(item, key);
    const built = filled ?? text;
    const variables = filled && this.variablesInText(filled);
    if (found === undefined || !textsOf(found.value).some((each) => isSameText(each, built)))
      return { file: this.build.file ?? "", ...variables };
    const documents = this.pairs.get(nameOf(item))?.documents ?? [];
    const below = documents.filter(({ number }) => number < found.document.number);
    const over = below.flatMap((each) => placeOfKey(each, key) ?? []).toReversed();
    const { file, ...line } = textPlace(found);
    const isSame = filled && isSameUpTo(filled, text);
    return {
      file,
      ...(isSame?.(1, 1) !== undefined || filled === undefined ? line : {}),
      ...(isSame && { hasColumn: (at: number, column: number): boolean => isSame(at, column) !== false }),
      ...variables,
      ...(over.length === 0 ? {} : { over }),
    };
  }

  /** @param text before variables are replaced */
  private variablesInText(text: Uint8Array): Pick<TextPlace, "variablesOf"> {
    const asked = this.variablesIn?.(Buffer.from(text).toString("utf8")) ?? [];
    return asked.length === 0 ? {} : { variablesOf: variablesInText(text, asked) };
  }

  fieldAt(item: Item, path: readonly string[], own: Node): Place | undefined {
    const { documents = [] } = this.pairs.get(nameOf(item)) ?? {};
    const places = documents.flatMap(({ root, placeAt }) => {
      const node = path.reduce<Node | undefined>((at, key) => at && memberOf(at.value, key), root);
      return node !== undefined && isSamePlain(node, own) ? placeAt(node.entryStart) : [];
    });
    return places.at(-1);
  }

  partAt(item: Item, path: readonly string[], own: Node): PlacedPart {
    return { source: this.sourceOf(item, path, own), isSecret: this.isSecretAt(item, path, own) };
  }

  /** What a text in an item is read from, if the build changed nothing of it but variables. */
  private sourceOf(item: Item, path: readonly string[], own: Node): SourceText | undefined {
    const { mark: node, built = own } = this.partsAt(item, path);
    const found = node && node.value.isScalar ? this.marks?.at(node.value.text) : undefined;
    if (found === undefined || found.value instanceof Uint8Array) return undefined;
    if (!own.value.isScalar || !isSameValue(found, built)) return undefined;
    const source = partOf(found.value, found.document.placeAt);
    if (isSameValue(found, own)) return source;
    return filledText(source, scalarBytes(own.value), this.variablesIn?.(built.value.text) ?? []);
  }

  private isSecretAt(item: Item, path: readonly string[], own: Node): boolean {
    const { mark, built = own } = this.partsAt(item, path);
    const value = mark?.value;
    const text = value?.isScalar === true ? value.text : "";
    if (this.hasSecretIn(text)) return true;
    if (!this.mayTakeSecrets || value?.isNull === true) return false;
    if (!markedFields(item.kind).some((field) => startsWith(path, field))) return false;
    const { documents = [] } = this.pairs.get(nameOf(item)) ?? {};
    const found = this.marks?.at(text);
    if (found === undefined || !isSameValue(found, built)) return true;
    return !documents.includes(found.document) && isPatch(found.document);
  }

  /** The data keys of a ConfigMap with values that the build took from a Secret, or may have taken. */
  takenKeys(item: Item): readonly string[] {
    const data = item.kind === "ConfigMap" ? rootOf(item)?.get("data") : undefined;
    return [...(data?.entries() ?? [])].flatMap(([key, own]) => (this.isTaken(item, key, own) ? key : []));
  }

  private isTaken(item: Item, key: string, own: Node): boolean {
    const { mark, built = own } = this.partsAt(item, ["data", key]);
    if (mark?.value.isScalar === true && this.hasSecretIn(mark.value.text)) return true;
    if (!this.mayTakeSecrets || !own.value.isScalar) return false;
    const found = this.textOf(item, key);
    const { documents = [] } = this.pairs.get(nameOf(item)) ?? {};
    const isProven =
      found !== undefined && textsOf(found.value).some((each) => isSameText(each, scalarBytes(built.value)));
    return !isProven || (!documents.includes(found.document) && isPatch(found.document));
  }

  /** Scalars that hold something of a Secret where no reader expects it: in all but values, and the name of the object. */
  hiddenIn(item: Item): readonly Node[] {
    const { marked } = this.pairs.get(nameOf(item)) ?? {};
    const root = item.kind === "Secret" || !this.mayTakeSecrets ? undefined : rootOf(item);
    const text = marked && linesOf(marked).toString("latin1");
    if (root === undefined || text === undefined || !this.hasSecretIn(text)) return [];
    const guarded = [...markedFields(item.kind), ...identity];
    return scalarsOutside(guarded, root).flatMap(({ path, node }) => {
      const mark = this.partsAt(item, path).mark?.value;
      return mark?.isScalar === true && this.hasSecretIn(mark.text) ? node : [];
    });
  }

  private hasSecretIn(text: string): boolean {
    return this.marks?.secretIn(text) !== undefined;
  }

  chainAt(item: Item, field: readonly string[], values: Node): Chain {
    const { marks, variablesIn, build, directory, mayTakeSecrets } = this;
    const pair = this.pairs.get(nameOf(item));
    if (marks === undefined || pair === undefined)
      return chainOf(values, undefined, { field, build: directory, directory, mayTakeSecrets });
    const { documents: reached } = pair;
    const { built, mark } = this.partsAt(item, field);
    const substituted = variablesIn && built && { built, variablesIn };
    return chainOf(values, mark, { marks, reached, field, build, directory, substituted, mayTakeSecrets });
  }

  /** What an item has at a path, before variables are replaced and with marks. */
  private partsAt(item: Item, path: readonly string[]): MarkedPart {
    const { built, marked } = this.pairs.get(nameOf(item)) ?? {};
    const isSubstituted = this.variablesIn !== undefined;
    const [mark, own, made] = [
      marked,
      isSubstituted ? built : undefined,
      isSubstituted ? item : undefined,
    ].map(rootOf);
    return path.reduce<MarkedPart>(partIn, { mark, built: own, made });
  }

  /** The text under a data key before variables are replaced, if it has some. */
  private builtText(item: Item, key: string): Uint8Array | undefined {
    const all = ["stringData", "data"].flatMap((part) => this.partsAt(item, [part, key]).built?.value ?? []);
    const [text] = all.filter((each) => each.isScalar && each.text.includes("$"));
    return text && scalarBytes(text);
  }

  /** What the mark under a data key is a mark of. */
  private textOf(item: Item, key: string): MarkedValue | undefined {
    const texts = ["stringData", "data"].flatMap((part) => {
      const { mark } = this.partsAt(item, [part, key]);
      return mark?.value.isScalar === true && !mark.value.isNull ? mark.value.text : [];
    });
    const [text] = texts;
    return text === undefined ? undefined : (this.marks?.at(text) ?? this.marks?.at(decodedText(text)));
  }
}

/** A part of an item with marks; where variables are replaced, before and after that. */
interface MarkedPart {
  readonly mark: Node | undefined;
  readonly built: Node | undefined;
  readonly made: Node | undefined;
}

function partIn({ mark, built, made }: MarkedPart, key: string): MarkedPart {
  const own = made && built && membersMade(built, made).find(({ madeKey }) => madeKey === key);
  return { mark: mark && memberOf(mark.value, own?.key ?? key), built: own?.built, made: own?.made };
}

/** The items by the names that they have in the end. */
function namedAs(
  items: readonly Item[],
  built: readonly Item[],
  pairs: ReadonlyMap<string, MarkedItem>,
): ReadonlyMap<string, MarkedItem> {
  if (items === built) return pairs;
  // A variable may hold several objects.
  if (items.length !== built.length) return new Map();
  const all = built.flatMap((each, index): readonly (readonly [string, MarkedItem])[] => {
    const [item, pair] = [items[index], pairs.get(nameOf(each))];
    return item === undefined || pair === undefined ? [] : [[nameOf(item), pair]];
  });
  return new Map(all);
}

const identity = ["apiVersion", "kind", "metadata name", "metadata namespace"].map((each) => each.split(" "));

function scalarsOutside(
  fields: readonly (readonly string[])[],
  node: Node,
  path: readonly string[] = [],
): readonly NodeAt[] {
  if (fields.some((field) => startsWith(path, field))) return [];
  if (node.value.isScalar) return [{ path, node }];
  return [...membersOf(node.value)].flatMap(([key, each]) => scalarsOutside(fields, each, [...path, key]));
}

function isSamePlain(one: Node, other: Node): boolean {
  return JSON.stringify(one.plain(null)) === JSON.stringify(other.plain(null));
}

function decodedText(text: string): string {
  return Buffer.from(decodeBase64(text) ?? []).toString("utf8");
}

/** What a data key may hold of a value: a Secret has it in base64. */
function textsOf(value: MarkedValue["value"]): readonly Uint8Array[] {
  if (value instanceof Uint8Array) return [value];
  const decoded = value.isScalar ? decodeBase64(value.text) : undefined;
  return [scalarBytes(value), ...(decoded === undefined ? [] : [decoded])];
}

/** With a line only where lines of the text are lines of the file. */
function textPlace({ value, at, document }: MarkedValue): TextPlace {
  const { file = "" } = at;
  if (value instanceof Uint8Array)
    return at.line === 1 && at.column === 1 ? { file, line: 1, column: 1 } : { file };
  if (value.kind !== Kind.literal) return { file };
  const start = firstTextInLiteral(value);
  const { line, column = 1 } = document.placeAt(start.offset);
  return line === undefined ? { file } : { file, line: line - start.line + 1, column };
}

/** Where a document sets a data key. */
function placeOfKey(
  { root, operations = [], placeAt, role, at }: SourceDocument,
  key: string,
): Place | undefined {
  const [operation] = operations.filter(
    ({ path: [field = "", ...rest], value }) =>
      dataFields.includes(field) && rest.join("\n") === key && value !== undefined,
  );
  if (operation !== undefined) return placeAt(operation.node.offset);
  if (role === "generator") return root !== undefined && hasKey(root, key) ? at : undefined;
  const data = dataFields.flatMap((part) => (root && root.get(part)) ?? []);
  const [node] = data.flatMap((each) => each.get(key) ?? []);
  return node === undefined || node.value.isNull ? undefined : placeAt(node.offset);
}

const dataFields = ["data", "stringData"];

function nameOf({ apiVersion, kind, namespace, name: own }: Item, name = own): string {
  return `${apiVersion} ${objectKey({ kind, namespace, name })}`;
}

/** Texts of generated items differ in the two builds, and so do the hashes in their names. */
function pairsOf(items: readonly Item[], { marks, bytes }: MarkedBuild): ReadonlyMap<string, MarkedItem> {
  const plainName = (item: Item): string => nameOf(item, hashless(item.name));
  const others = grouped(itemsIn(bytes), plainName);
  const pairs = new Map<string, MarkedItem>();
  for (const [name, own] of grouped(items, plainName)) {
    const there = others.get(name) ?? [];
    if (there.length !== own.length) continue;
    for (const [index, item] of own.entries()) {
      const marked = there[index];
      if (marked === undefined || pairs.has(nameOf(item))) continue;
      pairs.set(nameOf(item), { built: item, marked, documents: marks.documentsOf(marked.annotations) });
    }
  }
  return pairs;
}
