// Marks replace values in a copy of a kustomization. kustomize carries them to what it builds: a mark there proves which
// document set the value, whatever patches, components and replacements did. No rule of kustomize is written here.
import { identityOf, leafOf } from "../../merge/index.ts";
import { Node, normalizeText, withoutEnd } from "../../yaml/index.ts";
import type { Place, Variable } from "../../explanation.ts";
import { remembered } from "../../remembered.ts";

/** A text that documents are read from: a file, or a part of one. */
export interface SourceText {
  readonly bytes: Uint8Array;
  /** Without a line where lines of the text are no lines of the file. */
  readonly placeAt: (offset: number) => Place;
  /** What was filled in there. */
  readonly variablesAt?: (offset: number) => readonly Variable[];
}

/** One operation of a JSON patch. */
interface Operation {
  readonly op: string;
  readonly path: readonly string[];
  /** Of one that copies or moves. */
  readonly from: readonly string[];
  readonly value: Node | undefined;
  readonly node: Node;
}

/** What a build applies as one: a resource, a generator, a patch, or the operations of a JSON patch. */
export interface SourceDocument {
  readonly number: number;
  readonly role: "resource" | "generator" | "patch" | "operations";
  readonly kind: string;
  readonly name: string;
  readonly at: Place;
  readonly placeAt: SourceText["placeAt"];
  readonly variablesAt?: SourceText["variablesAt"];
  /** Of a resource or a patch. */
  readonly root?: Node;
  readonly operations?: readonly Operation[];
}

/** A value that a mark replaces. */
export interface MarkedValue {
  readonly document: SourceDocument;
  readonly at: Place;
  /** The value; a text if it is a file. */
  readonly value: Node | Uint8Array;
  /** What was filled in there. */
  readonly variables?: readonly Variable[];
}

/** A mark for an empty mapping is a key in it: a mapping must stay one. */
export const emptyKey = "vfm-empty";
const documentKey = "mark.valuefold.dev/";
/** In place of an empty key: kustomize merges nothing into an object that has one. */
const noKey = "vfm-no-key";

export class Marks {
  private readonly documents: SourceDocument[] = [];
  private readonly values: MarkedValue[] = [];
  /** Where documents are in the order of the build. */
  private readonly places = new Map<number, readonly number[]>();
  private readonly fieldsOf: ((kind: string | undefined) => readonly (readonly string[])[]) | undefined;
  private readonly isKept: (document: SourceDocument, node: Node) => boolean;

  /** @param fieldsOf undefined where only documents are marked: some functions read values @param isKept for what has no mark */
  constructor(fieldsOf: Marks["fieldsOf"], isKept: Marks["isKept"] = () => false) {
    this.fieldsOf = fieldsOf;
    this.isKept = isKept;
  }

  /** Adds a document: its number is its order in the build. */
  document(about: Omit<SourceDocument, "number">): SourceDocument {
    const document = { number: this.documents.length, ...about };
    this.documents.push(document);
    return document;
  }

  /** The first resource that an object is of: its number. */
  resourceOf(annotations: ReadonlyMap<string, string>): number | undefined {
    const numbers = [...annotations.keys()].map((key) => Number(key.split(documentKey)[1]));
    return numbers.find((number) => this.documents[number]?.role === "resource");
  }

  /** The annotation that shows which objects a document reached. */
  annotationOf({ number }: SourceDocument): Readonly<Record<string, string>> {
    return { [`${documentKey}${number}`]: "" };
  }

  /** @param order the numbers of documents, as the build applies them */
  setOrder(order: readonly number[]): void {
    for (const [place, number] of order.entries())
      this.places.set(number, [...(this.places.get(number) ?? []), place]);
  }

  /** The documents that reached an object, in their order. */
  documentsOf(annotations: ReadonlyMap<string, string>): readonly SourceDocument[] {
    const numbers = [...annotations.keys()].flatMap((key) =>
      key.startsWith(documentKey) ? Number(key.slice(documentKey.length)) : [],
    );
    const first = numbers.find((number) => this.documents[number]?.role === "resource");
    const starts = (first === undefined ? undefined : this.places.get(first)) ?? [0];
    const after = (number: number, start: number): number =>
      this.places.get(number)?.find((place) => place >= start) ?? Number.POSITIVE_INFINITY;
    // Of several uses of the resource it is one after which all others come.
    const start =
      starts.findLast((each) => numbers.every((number) => Number.isFinite(after(number, each)))) ?? 0;
    const ranks = new Map(numbers.map((number) => [number, after(number, start)]));
    const sorted = numbers.toSorted((a, b) => (ranks.get(a) ?? 0) - (ranks.get(b) ?? 0) || a - b);
    return sorted.flatMap((number) => this.documents[number] ?? []);
  }

  /** True if a document may be a part of a Secret: a patch may have another kind than what it is for, or no kind. */
  mayBeOfSecrets(): boolean {
    return this.documents.some(
      ({ role, kind }) => kind === "Secret" || role === "operations" || role === "patch",
    );
  }

  documentsOfKind(kind: string): readonly SourceDocument[] {
    return this.documents.filter((each) => each.kind === kind);
  }

  /** The one patch that kustomize may mean where it gives up: by the object that it is for, or by the path of an operation. */
  patchIn(words: string): Place | undefined {
    const found = this.documents.flatMap(({ role, kind, name, at, operations = [], placeAt }): Place[] => {
      const operation = operations.filter(({ path }) => isPathIn(words, path.join("/")));
      const isNamed = role === "patch" && words.includes(`patch "${kind}.`) && words.includes(`/${name}.[`);
      return [...operation.map(({ node }) => placeAt(node.offset)), ...(isNamed ? [at] : [])];
    });
    return found.length === 1 ? found[0] : undefined;
  }

  mark(value: MarkedValue): string {
    this.values.push(value);
    return `vfm${this.values.length - 1}m`;
  }

  /** A value of a Secret that is a part of a text: a replacement put it there. */
  secretIn(text: string): MarkedValue | undefined {
    const all = text.match(/vfm\d+m/g) ?? [];
    return all.flatMap((each) => this.at(each) ?? []).find(({ document }) => document.kind === "Secret");
  }

  /** What a text is the mark of. */
  at(text: string): MarkedValue | undefined {
    const [, number] = /^vfm(\d+)m\s*$/.exec(text) ?? [];
    return number === undefined ? undefined : this.values[Number(number)];
  }

  /** A document's content with marks in place of its values. @param path where in an object it is */
  marked(document: SourceDocument, node: Node, path: readonly string[] = []): unknown {
    const kind = document.role === "resource" ? document.kind : undefined;
    return this.within(document, node, path, this.fieldsOf?.(kind) ?? []);
  }

  private within(
    document: SourceDocument,
    node: Node,
    path: readonly string[],
    wanted: readonly (readonly string[])[],
  ): unknown {
    if (wanted.some((each) => startsWith(path, each))) return this.instead(document, node);
    const value = node.value;
    if (!value.isMapping || !wanted.some((each) => startsWith(each, path))) return plainOf(node, scalarOf);
    return mapped(value, (entry, key) => this.within(document, entry, [...path, key], wanted));
  }

  /** Marks in place of all scalars. Nulls stay, and so do directives of patches: they are no values. */
  private instead(document: SourceDocument, node: Node): unknown {
    const value = node.value;
    const mark = (): string => {
      const variables = document.variablesAt?.(value.offset);
      const at = document.placeAt(value.offset);
      return this.mark({ document, at, value, ...(variables && { variables }) });
    };
    if (this.isKept(document, node)) return plainOf(node, scalarOf);
    if (value.isScalar) return value.isNull ? scalarOf(value) : mark();
    if (value.isSequence) {
      const elements = value.children().map((child) => this.instead(document, child));
      return elements.length === 0 ? [mark()] : elements;
    }
    if (value.entries().size === 0) return { [emptyKey]: mark() };
    return mapped(value, (entry, key) =>
      isDirective(key) ? plainOf(entry, scalarOf) : this.instead(document, entry),
    );
  }
}

/** A key of a patch that is no value; `${name}` and other keys are values. */
export function isDirective(key: string): boolean {
  return /^\$(?:patch$|retainKeys$|setElementOrder\/|deleteFromPrimitiveList\/)/.test(key);
}

export function isPatch({ role }: SourceDocument): boolean {
  return role === "patch" || role === "operations";
}

/** True for words with a JSON pointer as a whole. */
function isPathIn(words: string, path: string): boolean {
  const at = words.indexOf(`/${path}`);
  return at >= 0 && !/[\w/-]/.test(words[at + path.length + 1] ?? "");
}

/** True if a build made the value from the marked one, and changed nothing of it. */
export function isSameValue(marked: MarkedValue, value: Node): boolean {
  const own = marked.value;
  return !(own instanceof Uint8Array) && areEqual(own, value);
}

export function areEqual(a: Node, b: Node): boolean {
  const [one, other] = [a.value, b.value];
  if (one.isScalar || other.isScalar) return one.isScalar && other.isScalar && areSameScalars(one, other);
  if (one.isMapping !== other.isMapping) return false;
  const [own, others] = [membersOf(one), membersOf(other)];
  return (
    own.size === others.size &&
    [...own].every(([key, node]) => {
      const there = others.get(key);
      return there !== undefined && areEqual(node, there);
    })
  );
}

function areSameScalars(a: Node, b: Node): boolean {
  // The last line of a text may end with the text that it is a part of.
  const [text, other] = [a, b].map((each) => withoutEnd(each.text, "\n"));
  return text === other || identityOf(leafOf(a)) === identityOf(leafOf(b));
}

/** The same text, line ends and white space at the end aside: a build may change these. */
export function isSameText(a: Uint8Array, b: Uint8Array): boolean {
  return a === b || trimmed(a) === trimmed(b);
}

function trimmed(bytes: Uint8Array): string {
  return Buffer.from(normalizeText(bytes)).toString("latin1").trimEnd();
}

/** What is in a collection, by key or by position. */
export function membersOf(collection: Node): ReadonlyMap<string, Node> {
  if (collection.isMapping) return collection.entries();
  return new Map(collection.children().map((child, index) => [String(index), child]));
}

export function scalarsIn(node: Node): readonly Node[] {
  const value = node.value;
  return value.isScalar ? [value] : [...membersOf(value).values()].flatMap(scalarsIn);
}

/** A list is asked for each of its elements: they are found once. */
const lists = new WeakMap<Node["doc"], Map<number, readonly Node[]>>();

export function memberOf(collection: Node, key: string): Node | undefined {
  if (!collection.isSequence) return membersOf(collection).get(key);
  const known = remembered(lists, collection.doc, () => new Map<number, readonly Node[]>());
  const children = remembered(known, collection.row, () => collection.children());
  return /^\d+$/.test(key) ? children[Number(key)] : undefined;
}

/** What is at a path. */
export interface NodeAt {
  readonly path: readonly string[];
  readonly node: Node;
}

export function isSamePath(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && startsWith(one, other);
}

export function startsWith(path: readonly string[], start: readonly string[]): boolean {
  return start.every((step, index) => path[index] === step);
}

/** A node as JavaScript values: aliases and `<<` are followed. */
export function plainOf(node: Node, scalar: (value: Node) => unknown): unknown {
  const value = node.value;
  if (value.isMapping) return mapped(value, (entry) => plainOf(entry, scalar));
  return value.isSequence ? value.children().map((child) => plainOf(child, scalar)) : scalar(value);
}

function mapped(mapping: Node, made: (entry: Node, key: string) => unknown): unknown {
  return Object.fromEntries(keysIn(mapping).map(([key, entry]) => [key, made(entry, key)]));
}

/** The entries of a mapping by their keys as kustomize reads them: `y` and `on` are texts there. */
export function keysIn(mapping: Node): readonly (readonly [string, Node])[] {
  const own = mapping.children().map(withSpelling);
  const isMerged = own.some(({ spelling }) => spelling === "<<");
  const all = isMerged ? [...mapping.entries().values()].map(withSpelling) : own;
  const isWord = (text: string): boolean => /^(?:y|n|yes|no|on|off)$/i.test(text);
  return [...new Map(all.map(({ spelling, entry }) => [isWord(spelling) ? spelling : entry.key, entry]))];
}

/** An entry with its key as it is written. */
function withSpelling(entry: Node): { readonly spelling: string; readonly entry: Node } {
  const { doc, keyStart, keyEnd } = new Node(entry.doc, entry.row);
  return { spelling: doc.bytes.toString("utf8", keyStart, keyEnd), entry };
}

/** kustomize treats a null that is written and one that is not each in its own way: both stay what they are. */
const nullMark = "\0";

/** The text of a document, in block style: in brackets Go reads a null that is not written as an empty text. */
export function written(content: unknown, indent = ""): string {
  if (typeof content === "string" && content.startsWith(nullMark)) return ` ${content.slice(1)}\n`;
  const isList = Array.isArray(content);
  const entries = typeof content === "object" && content !== null ? Object.entries(content) : [];
  if (entries.length === 0) return ` ${JSON.stringify(content)}\n`;
  const lines = entries.map(([key, value]: [string, unknown]) => {
    const head = isList ? "-" : `${JSON.stringify(key || noKey)}:`;
    return `${indent}${head}${written(value, `${indent}  `)}`;
  });
  return `\n${lines.join("")}`;
}

/** A JSON pointer to what is written. */
export function pointerTo(pointer: string): string {
  return pointer.replaceAll(/\/(?=\/|$)/g, `/${noKey}`);
}

/** What kustomize built of what is written, with its empty keys. */
export function builtOf(output: Uint8Array): Uint8Array {
  const text = Buffer.from(output).toString("utf8");
  return text.includes(noKey) ? Buffer.from(text.replaceAll(`${noKey}:`, '"":'), "utf8") : output;
}

export function scalarOf(value: Node): unknown {
  const { type, text } = value.resolved();
  if (type === "null") return nullMark + value.text;
  // Words such as `n` and `on` are texts to kustomize.
  if (type === "bool") return /^(?:true|false)$/i.test(value.text) ? text === "true" : value.text;
  const number = type === "int" || type === "float" ? Number(text) : Number.NaN;
  return Number.isFinite(number) ? number : value.text;
}
