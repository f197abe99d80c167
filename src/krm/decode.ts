// Bytes → envelope. The plain form is split by a scan and its items are read only when asked for;
// any other form (JSON, brackets, anchors, CRLF) is read as a whole by the library.
import { type ReadFault, bufferOf, isFault, readDocument, findForeignGap, Node } from "../yaml/index.ts";
import type { Envelope, Embedding, WireFault } from "./envelope.ts";
import { isNode, type Item, makeItem } from "./item.ts";
import { type ListScan, scanList, type Span, splitStream } from "./scan.ts";

const apiVersions = [
  "config.kubernetes.io/v1",
  "config.kubernetes.io/v1beta1",
  "config.kubernetes.io/v1alpha1",
];

/** Splits a ResourceList. */
export function decodeResourceList(input: Uint8Array): Envelope | WireFault {
  const bytes = bufferOf(input);
  const all = { start: 0, end: bytes.length };
  // A document marker cannot be a line of a plain list, so no separate search for one is needed.
  const plain = scanList(bytes, all);
  if (plain !== undefined && plain.entries.length > 0) return checked(fromScan(bytes, all, plain));
  const [first, second] = splitStream(bytes);
  if (first === undefined) return notAList("the input is empty", 0);
  if (second !== undefined) return notAList("expected one document, got several", second.start);
  const scan = first.inline ? undefined : scanList(bytes, first);
  return checked(scan === undefined ? readWhole(bytes, first) : fromScan(bytes, first, scan));
}

function checked(envelope: Envelope | WireFault): Envelope | WireFault {
  return "items" in envelope ? (unreadableItem(envelope) ?? envelope) : envelope;
}

/** Splits a plain multi-document stream; `kind: List` is read as its items. */
export function decodeStream(input: Uint8Array): Envelope | WireFault {
  const bytes = bufferOf(input);
  const embeddings = new Map<Item, Embedding>();
  let hasLists = false;
  for (const span of splitStream(bytes)) {
    const region = { start: span.start, end: span.end, blank: 0 };
    const item = makeItem({ index: embeddings.size, bytes, region, column: span.column });
    const list = item.kind === "" || item.kind.endsWith("List") ? listIn(bytes, span) : undefined;
    hasLists ||= list !== undefined;
    if (list === undefined)
      embeddings.set(item, { type: "document", inline: span.inline, separator: span.separator });
    else for (const [inner, embedding] of list(embeddings.size)) embeddings.set(inner, embedding);
  }
  const envelope: Envelope = {
    form: "stream",
    bytes,
    items: [...embeddings.keys()],
    embeddings,
    functionConfig: undefined,
    results: { start: bytes.length, end: bytes.length, flow: false },
  };
  if (embeddings.size === 0 && !hasLists) return notAList("the input is empty", 0);
  return unreadableItem(envelope) ?? envelope;
}

type Items = ReadonlyMap<Item, Embedding>;

/** Items of a `kind: List` document; undefined for other documents. */
function listIn(
  bytes: Buffer,
  span: Span & { readonly inline: boolean },
): ((index: number) => Items) | undefined {
  const scan = span.inline ? undefined : scanList(bytes, span);
  if (scan?.entries.some(({ key }) => key === "items")) return (index) => itemsOfScan(bytes, scan, index);
  const doc = readDocument(bytes, { ...span, blank: 0 });
  const items = isFault(doc) ? undefined : new Node(doc).get("items");
  return items !== undefined && items.isSequence ? (index) => itemsOfNode(bytes, items, index) : undefined;
}

function fromScan(bytes: Buffer, span: Span, scan: ListScan): Envelope | WireFault {
  const texts = new Map(scan.entries.map(({ key, value, end }) => [key, { start: value, end }]));
  const wrong = checkHeader((key) => scalarIn(bytes, texts.get(key)), span.start);
  if (wrong !== undefined) return wrong;
  const config = texts.get("functionConfig");
  const configDoc = config === undefined ? undefined : readDocument(bytes, { ...config, blank: 0 });
  if (configDoc !== undefined && isFault(configDoc)) return { kind: "input-unreadable", fault: configDoc };
  const embeddings = itemsOfScan(bytes, scan, 0);
  const results = scan.entries.find(({ key }) => key === "results");
  return {
    form: "resource-list",
    bytes,
    items: [...embeddings.keys()],
    embeddings,
    functionConfig: configDoc === undefined ? undefined : new Node(configDoc),
    results: {
      ...(results ?? endOf(bytes, span, scan.entries.find(({ key }) => key === "items")?.start)),
      flow: false,
    },
  };
}

function itemsOfScan(bytes: Buffer, { items, column }: ListScan, from: number): Items {
  return new Map(
    items.map(({ start, end, column: own, head }, index) => {
      // Read from the start of the line, with the dash read as a space: so columns stay correct.
      const region = { start: start - column, end, blank: column + 1 };
      const source = { index: from + index, bytes, region, start, column: own, head };
      return [makeItem(source), { type: "block", column, list: from } satisfies Embedding];
    }),
  );
}

function readWhole(bytes: Buffer, span: Span): Envelope | WireFault {
  const doc = readDocument(bytes, { ...span, blank: 0 });
  if (isFault(doc)) return { kind: "input-unreadable", fault: doc };
  const tab = findForeignGap(doc);
  if (tab !== undefined) return { kind: "input-unreadable", fault: tab };
  const root = new Node(doc);
  const wrong = checkHeader((key) => root.textAt(key), span.start);
  if (wrong !== undefined) return wrong;
  const list = root.get("items");
  const isList = list === undefined || list.isSequence || (list.isScalar && list.isNull);
  if (!isList) return notAList("expected a list under `items`", list.start);
  const embeddings =
    list === undefined || list.isScalar ? new Map<Item, Embedding>() : itemsOfNode(bytes, list, 0);
  return {
    form: "resource-list",
    bytes,
    items: [...embeddings.keys()],
    embeddings,
    functionConfig: root.get("functionConfig"),
    results: resultsIn(root, span),
  };
}

function itemsOfNode(bytes: Buffer, list: Node, from: number): Items {
  const nodes = list.children();
  return new Map(
    nodes.map((node, index) => {
      const [start, end] = list.isFlow ? [node.start, node.end] : [node.entryStart, node.end];
      const region = { start, end, blank: list.isFlow ? 0 : 1 };
      const embedding: Embedding = list.isFlow
        ? { type: "flow", list: from }
        : { type: "block", column: node.column, list: from };
      return [makeItem({ index: from + index, bytes, region, column: node.column + 2, node }), embedding];
    }),
  );
}

function resultsIn(root: Node, span: Span): Envelope["results"] {
  const flow = root.isFlow;
  const old = root.children().find((child) => child.keyText === "results");
  if (old !== undefined) return { start: old.entryStart, end: old.end, flow };
  if (flow) return { start: root.end - 1, end: root.end - 1, flow };
  const items = root.children().find((child) => child.keyText === "items");
  return { ...endOf(root.doc.bytes, span, items && items.entryStart), flow };
}

/**
 * Results come last. Text without a final newline would get one from them, which may add to a block scalar:
 * in that case they come before the items.
 */
function endOf(bytes: Buffer, { end }: Span, items: number | undefined): Span {
  const at = bytes[end - 1] === 0x0a ? end : (items ?? end);
  return { start: at, end: at };
}

function checkHeader(text: (key: string) => string | undefined, offset: number): WireFault | undefined {
  if (text("kind") !== "ResourceList") return notAList("expected kind `ResourceList`", offset);
  if (apiVersions.includes(text("apiVersion") ?? "")) return undefined;
  return notAList("expected apiVersion `config.kubernetes.io/v1`", offset);
}

function scalarIn(bytes: Buffer, span: Span | undefined): string | undefined {
  if (span === undefined) return undefined;
  const doc = readDocument(bytes, { ...span, blank: 0 });
  return isFault(doc) ? undefined : textAtRoot(new Node(doc));
}

function textAtRoot(node: Node): string | undefined {
  return node.isScalar ? node.text : undefined;
}

/** An item that even the library cannot read makes the whole input unreadable; it must not pass unseen. */
function unreadableItem({ items }: Envelope): WireFault | undefined {
  const faults = items.filter(({ kind }) => kind === "").map((item) => item.read());
  const fault = faults.find((outcome): outcome is ReadFault => !isNode(outcome));
  return fault === undefined ? undefined : { kind: "input-unreadable", fault };
}

function notAList(message: string, offset: number): WireFault {
  return { kind: "not-a-resource-list", fault: { code: "syntax", message, offset } };
}
