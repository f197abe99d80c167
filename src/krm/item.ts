// One item: its bytes in the input, the fields that a peek finds, and its document, read on first use.
import { Mark } from "./annotation-names.ts";
import type { ItemRef } from "../diagnostic.ts";
import {
  type ReadFault,
  isFault,
  readDocument,
  markWordKeys,
  type Region,
  Node,
  findForeignEncoding,
  findForeignGap,
  cureOfScalar,
} from "../yaml/index.ts";
import { type ItemHead, peek } from "./peek.ts";
import type { Scratch, TextEdit } from "./splice.ts";

/** A kind and a name: of an item, or of something that items only name. */
export interface Named {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace: string | undefined;
  readonly annotations: ReadonlyMap<string, string>;
}

export interface Item extends Named {
  /** Position in the list. */
  readonly index: number;
  readonly bytes: Buffer;
  /** Where its text begins (its dash, or its first line) and ends. */
  readonly start: number;
  readonly end: number;
  /** Column of its keys. */
  readonly column: number;
  /** True if it has labels. */
  readonly labelled: boolean;
  /** Its mapping, or why it cannot be read. Read once, until it is released. */
  read(): Node | ReadFault;
  /** False if edits inside of it, in order, leave text that cannot be read. */
  isReadableWith(edits: readonly TextEdit[], scratch: Scratch): boolean;
  /** Releases its document: the next read parses it again. */
  release(): void;
}

export interface ItemSource {
  readonly index: number;
  readonly bytes: Buffer;
  readonly region: Required<Region>;
  /** Where the item starts, if its region starts before it. */
  readonly start?: number;
  readonly column: number;
  /** The result of an earlier peek. */
  readonly head?: ItemHead | undefined;
  /** The node, where the whole list was read as one document. */
  readonly node?: Node;
}

export function isNode(outcome: Node | ReadFault): outcome is Node {
  return "doc" in outcome;
}

/** Makes an item: by a peek at its lines where they are plain, else by reading it. */
export function makeItem(source: ItemSource): Item {
  const { bytes, region, node, column } = source;
  if (node !== undefined) return new ListedItem(source, identify(node), encodingFault(bytes, region) ?? node);
  const head = source.head ?? peek(bytes, region, column)?.head;
  if (head !== undefined) return new ListedItem(source, head, undefined);
  const outcome = readItem(bytes, region);
  return new ListedItem(source, identify(outcome), outcome);
}

class ListedItem implements Item {
  readonly index: number;
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
  readonly column: number;
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace: string | undefined;
  readonly annotations: ReadonlyMap<string, string>;
  readonly labelled: boolean;
  private readonly from: number;
  private readonly blank: number;
  private known: Node | ReadFault | undefined;
  /** True if it was read as a part of the whole list, and cannot be read alone. */
  private readonly isPart: boolean;

  constructor(
    { index, bytes, region, start, column, node }: ItemSource,
    head: ItemHead,
    known: Node | ReadFault | undefined,
  ) {
    this.index = index;
    this.bytes = bytes;
    this.start = start ?? region.start;
    this.end = region.end;
    this.column = column;
    this.apiVersion = head.apiVersion;
    this.kind = head.kind;
    this.name = head.name;
    this.namespace = head.namespace;
    this.annotations = head.annotations;
    this.labelled = head.labelled;
    this.from = region.start;
    this.blank = region.blank;
    this.known = known;
    this.isPart = node !== undefined;
  }

  release(): void {
    if (!this.isPart) this.known = undefined;
  }

  read(): Node | ReadFault {
    return (this.known ??= readItem(this.bytes, { start: this.from, end: this.end, blank: this.blank }));
  }

  isReadableWith(edits: readonly TextEdit[], scratch: Scratch): boolean {
    // A part of a list that was read as a whole cannot be read alone.
    if (this.isPart) return true;
    const text = scratch.spliced(this.bytes, edits, { start: this.from, end: this.end });
    if (isNode(readItem(text, { start: 0, end: text.length, blank: this.blank }))) return true;
    // What could not be read before is as it was.
    return !isNode(this.read());
  }
}

function readItem(bytes: Buffer, region: Region): Node | ReadFault {
  const doc = readDocument(bytes, region);
  if (isFault(doc)) return doc;
  const fault = doc.plain?.nonAscii === false ? undefined : encodingFault(bytes, region);
  if (fault !== undefined) return fault;
  const tab = findForeignGap(doc);
  if (tab !== undefined) return tab;
  if (doc.plain !== undefined) markWordKeys(doc);
  const root = new Node(doc);
  if (!root.isMapping) return noMapping(root, region);
  return joined(root) ?? root;
}

function noMapping(root: Node, { start }: Region): ReadFault {
  const hint = root.isScalar ? cureOfScalar(root.text) : undefined;
  return {
    code: "not-a-mapping",
    message: "expected a mapping",
    offset: start,
    ...(hint !== undefined && { hint }),
  };
}

function encodingFault(bytes: Buffer, { start, end }: Region): ReadFault | undefined {
  const fault = findForeignEncoding(bytes.subarray(start, end));
  return fault && { ...fault, offset: start + (fault.offset ?? 0) };
}

/** Two objects in one document: files joined without a separator. Only one of them would be seen. */
function joined(root: Node): ReadFault | undefined {
  const [, second] = root.all("kind");
  if (second === undefined) return undefined;
  const message = "`kind` is in one document twice: is a `---` missing before it?";
  return { code: "syntax", message, offset: second.entryStart };
}

/** The fields of a peek, taken from the document. An unreadable item has no kind, so no stage uses it. */
function identify(root: Node | ReadFault): ItemHead {
  const metadata = isNode(root) ? root.get("metadata") : undefined;
  const annotations = new Map<string, string>();
  for (const [key, value] of entries(metadata?.get("annotations")))
    if (value.isScalar) annotations.set(key, value.text);
  return {
    apiVersion: isNode(root) ? (root.textAt("apiVersion") ?? "") : "",
    kind: isNode(root) ? (root.textAt("kind") ?? "") : "",
    name: metadata?.textAt("name") ?? "",
    namespace: metadata?.textAt("namespace") || undefined,
    annotations,
    labelled: metadata?.get("labels") !== undefined,
  };
}

function* entries(node: Node | undefined): Generator<[string, Node]> {
  if (node?.value.isMapping !== true) return;
  for (const [key, entry] of node.value.entries()) yield [key, entry.value];
}

export function refOf(item: Named): ItemRef {
  const { apiVersion, kind, name, namespace, annotations } = item;
  const file = annotations.get(Mark.path) ?? annotations.get(Mark.legacyPath);
  const fromKpt = annotations.has(Mark.id) && !annotations.has(Mark.kustomizeId);
  // Made for all annotated items. Spread, each would have a shape of its own, and take ten times as long.
  const ref: { -readonly [Field in keyof ItemRef]: ItemRef[Field] } =
    apiVersion === "" ? { kind, name } : { apiVersion, kind, name };
  if (namespace !== undefined) ref.namespace = namespace;
  if (file !== undefined && fromKpt) ref.file = file;
  return ref;
}
