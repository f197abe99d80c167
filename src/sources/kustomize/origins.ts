// What a build with marks says about the items of the same build with values: which documents set their values, which file
// their texts are from, and what they were named.
import {
  annotate,
  decodeStream,
  type TextEdit,
  encode,
  isNode,
  type Item,
  Mark,
  metadataOf,
  replaceText,
} from "../../krm/index.ts";
import { decodeBase64 } from "../../layers/index.ts";
import { firstTextInLiteral, Kind, type Node, scalarBytes } from "../../yaml/index.ts";
import { grouped } from "../../grouped.ts";
import { hashSuffix } from "../../core/index.ts";
import type { Chain, TextPlace } from "../../explain/index.ts";
import type { Place } from "../../explanation.ts";
import type { BuildPlaces } from "../joined-places.ts";
import { chainOf } from "./chains.ts";
import { hasKey, partOf } from "./documents.ts";
import {
  isMarkedField,
  isPatch,
  isSameText,
  isSameValue,
  type MarkedValue,
  type Marks,
  membersOf,
  type SourceDocument,
  type SourceText,
} from "./marks.ts";
import type { Substitution } from "./substitution.ts";

export interface MarkedBuild {
  readonly marks: Marks;
  /** What kustomize built of the copy. */
  readonly bytes: Uint8Array;
}

/** An item of the build, and the same with marks. */
interface MarkedItem {
  readonly marked: Item;
  /** Lowest first. */
  readonly documents: readonly SourceDocument[];
}

interface KnownBuild {
  /** The kustomization that is named where no document is known. */
  readonly build: string;
  readonly substitution?: Substitution | undefined;
  /** True where it may bring values of Secrets into other objects. */
  readonly takesFromSecrets: boolean;
}

export class BuildOrigins implements BuildPlaces {
  private readonly pairs: ReadonlyMap<string, MarkedItem>;
  private readonly marks: Marks | undefined;
  private readonly build: Place;
  private readonly substitution: Substitution | undefined;
  /** True where a value of which no mark proves the document may be that of a Secret. */
  private readonly mayTakeSecrets: boolean;

  constructor(
    items: readonly Item[],
    marked: MarkedBuild | undefined,
    { build, substitution, takesFromSecrets }: KnownBuild,
  ) {
    this.marks = marked?.marks;
    const secrets = [...items, ...(marked?.marks.documentsOfKind("Secret") ?? [])];
    this.mayTakeSecrets = takesFromSecrets && secrets.some(({ kind }) => kind === "Secret");
    this.substitution = substitution;
    this.build = { of: "file", file: build };
    this.pairs = marked === undefined ? new Map() : pairsOf(items, marked);
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
    if (found === undefined || !textsOf(found.value).some((each) => this.isSame(each, text)))
      return { file: this.build.file ?? "" };
    const documents = this.pairs.get(nameOf(item))?.documents ?? [];
    const below = documents.filter(({ number }) => number < found.document.number);
    const over = below.flatMap((each) => placeOfKey(each, key) ?? []).toReversed();
    return { ...textPlace(found), ...(over.length === 0 ? {} : { over }) };
  }

  /** What a text in an item is read from, if the build changed nothing of it. */
  sourceOf(item: Item, path: readonly string[], own: Node): SourceText | undefined {
    const node = this.markedAt(item, path);
    const found = node && node.value.isScalar ? this.marks?.at(node.value.text) : undefined;
    if (found === undefined || found.value instanceof Uint8Array) return undefined;
    if (!own.value.isScalar || !isSameValue(found, own)) return undefined;
    return partOf(found.value, found.document.placeAt);
  }

  isSecretAt(item: Item, path: readonly string[], own: Node): boolean {
    const value = this.markedAt(item, path)?.value;
    const text = value?.isScalar === true ? value.text : "";
    if (this.marks?.secretIn(text) !== undefined) return true;
    if (!this.mayTakeSecrets || !isMarkedField(item.kind, path) || value?.isNull === true) return false;
    const { documents = [] } = this.pairs.get(nameOf(item)) ?? {};
    const found = this.marks?.at(text);
    if (found === undefined || !isSameValue(found, own, this.substitution)) return true;
    return !documents.includes(found.document) && isPatch(found.document);
  }

  /** The data keys of a ConfigMap with values that the build took from a Secret, or may have taken. */
  takenKeys(item: Item): readonly string[] {
    const root = item.kind === "ConfigMap" ? item.read() : undefined;
    const data = root !== undefined && isNode(root) ? root.get("data") : undefined;
    return [...(data?.entries() ?? [])].flatMap(([key, own]) => (this.isTaken(item, key, own) ? key : []));
  }

  private isTaken(item: Item, key: string, own: Node): boolean {
    const mark = this.markedAt(item, ["data", key]);
    if (mark?.value.isScalar === true && this.marks?.secretIn(mark.value.text) !== undefined) return true;
    if (!this.mayTakeSecrets || !own.value.isScalar) return false;
    const found = this.textOf(item, key);
    const { documents = [] } = this.pairs.get(nameOf(item)) ?? {};
    const isProven =
      found !== undefined && textsOf(found.value).some((each) => this.isSame(each, scalarBytes(own.value)));
    return !isProven || (!documents.includes(found.document) && isPatch(found.document));
  }

  private isSame(own: Uint8Array, text: Uint8Array): boolean {
    if (isSameText(own, text) || this.substitution === undefined) return isSameText(own, text);
    const { text: made } = this.substitution.inText(Buffer.from(own).toString("utf8"));
    return isSameText(Buffer.from(made, "utf8"), text);
  }

  chainOf(item: Item, values: Node): Chain {
    return this.chainAt(item, ["spec", "values"], values);
  }

  chainAt(item: Item, field: readonly string[], values: Node): Chain {
    const { marks, substitution, build, mayTakeSecrets } = this;
    const pair = this.pairs.get(nameOf(item));
    if (marks === undefined || pair === undefined)
      return chainOf(values, undefined, { field, build, mayTakeSecrets });
    const { documents: reached } = pair;
    return chainOf(values, this.markedAt(item, field), {
      marks,
      reached,
      field,
      build,
      substitution,
      mayTakeSecrets,
    });
  }

  private markedAt(item: Item, path: readonly string[]): Node | undefined {
    const root = this.pairs.get(nameOf(item))?.marked.read();
    if (root === undefined || !isNode(root)) return undefined;
    return path.reduce<Node | undefined>((at, key) => at && memberOf(at, key), root);
  }

  /** What the mark under a data key is a mark of. */
  private textOf(item: Item, key: string): MarkedValue | undefined {
    const root = this.pairs.get(nameOf(item))?.marked.read();
    if (root === undefined || !isNode(root)) return undefined;
    const texts = ["stringData", "data"].flatMap((part) => {
      const data = root.get(part);
      return (data && data.textAt(key)) ?? [];
    });
    const [text] = texts;
    return text === undefined ? undefined : (this.marks?.at(text) ?? this.marks?.at(decodedText(text)));
  }
}

function memberOf(node: Node, key: string): Node | undefined {
  return membersOf(node.value).get(key);
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

function nameOf({ apiVersion, kind, namespace = "", name }: Item): string {
  return `${apiVersion} ${kind}/${namespace}/${name}`;
}

/** Texts of generated items differ in the two builds, and so do the hashes in their names. */
function pairsOf(items: readonly Item[], { marks, bytes }: MarkedBuild): ReadonlyMap<string, MarkedItem> {
  const envelope = decodeStream(bytes);
  const others = grouped("items" in envelope ? envelope.items : [], withoutHash);
  const pairs = new Map<string, MarkedItem>();
  for (const [name, own] of grouped(items, withoutHash)) {
    const there = others.get(name) ?? [];
    if (there.length !== own.length) continue;
    for (const [index, item] of own.entries()) {
      const marked = there[index];
      if (marked === undefined || pairs.has(nameOf(item))) continue;
      pairs.set(nameOf(item), { marked, documents: marks.documentsOf(marked.annotations) });
    }
  }
  return pairs;
}

function withoutHash({ apiVersion, kind, namespace = "", name }: Item): string {
  return `${apiVersion} ${kind}/${namespace}/${name.replace(hashSuffix, "")}`;
}

/**
 * What kustomize built, with annotations: origins are paths from `from` and not from the folder where it was built; if it is
 * asked for, an item that kustomize renamed has its former name, as a function in the build sees it; and a ConfigMap names
 * the keys that hold values of Secrets.
 */
export function withSources(
  bytes: Uint8Array,
  items: readonly Item[],
  {
    shownOrigin,
    origins,
    hasFormerNames,
  }: {
    readonly shownOrigin: (path: string) => string;
    readonly origins: BuildOrigins;
    readonly hasFormerNames: boolean;
  },
): Uint8Array {
  const envelope = decodeStream(bytes);
  if (!("items" in envelope)) return bytes;
  const edits = items.flatMap((item): TextEdit[] => {
    const metadata = metadataOf(item);
    const annotations = metadata && metadata.get("annotations");
    const node = annotations && annotations.get(Mark.origin);
    const own =
      node === undefined || !node.isScalar ? [] : [replaceText(node, originFrom(node.text, shownOrigin))];
    const former = hasFormerNames && node !== undefined ? origins.documentOf(item)?.name : undefined;
    const taken = origins.takenKeys(item);
    const more = {
      ...(former === undefined ? {} : marksOf(item, former)),
      ...(taken.length === 0 ? {} : { [Mark.fromSecret]: JSON.stringify(taken) }),
    };
    const all = Object.keys(more).length === 0 ? own : [...own, ...annotate(item, more)];
    item.release();
    return all;
  });
  return Buffer.concat(encode({ ...envelope, items }, edits, []));
}

/** A path that does not leave the wrapper is one in a remote repository, and stays as it is. */
function originFrom(origin: string, shown: (path: string) => string): string {
  return origin.replace(
    /^(path|configuredIn): (\.\.\/.+)$/m,
    (_, field: string, path: string) => `${field}: ${shown(path)}`,
  );
}

/** What kustomize annotates for functions, and removes from its output. It only adds to names. */
function marksOf(item: Item, former: string): Readonly<Record<string, string>> {
  const { name, namespace = "default" } = item;
  const at = name.indexOf(former);
  if (former === "" || former === name || at < 0) return {};
  return {
    [Mark.previousNames]: former,
    [Mark.previousNamespaces]: namespace,
    [Mark.prefixes]: name.slice(0, at),
    [Mark.suffixes]: name.slice(at + former.length).replace(hashSuffix, ""),
    [Mark.kustomizeId]: "1",
  };
}
