// What a patch made → merged values again. A mapping that it worked on keeps its place, its comments and the text of what
// it did not touch; what it set is written from the text of the patch, if that text means the same there.
import {
  checkDocument,
  type Document,
  doubleQuote,
  extentOf,
  Field,
  field,
  headOfTree,
  isEntangled,
  isFault,
  isFlow,
  isMapping,
  isSequence,
  keyOfEntry,
  Kind,
  kindOf,
  leadOf,
  leafOf,
  Members,
  type Node,
  parentOf,
  quote,
  readDocument,
  resolveScalar,
  scalarSource,
  scalarText,
  shiftLead,
  shiftRest,
  stepOf,
  textOf,
  type Tree,
  valueOf,
} from "../core/index.ts";
import { canonical, nodeOf, opened, type OpenMapping, type Value } from "./patch-value.ts";

/** Called for each document that is written. */
export type OnWritten = (doc: Document, value: Value) => void;

/** @param onWritten called for what is in no file as it is */
export function treeOf(value: Value, onWritten: OnWritten): Tree | undefined {
  if (value.type === "tree") return written(value, onWritten);
  if (value.type === "mapping" && isInPlace(value)) return branchOf(value, onWritten);
  return written(value, onWritten);
}

/** A document of its own; undefined for null. */
function written(value: Value, onWritten: OnWritten): Tree | undefined {
  const { tree } = value as { readonly tree?: Tree };
  if (tree !== undefined && headOfTree(tree).row === 0) return tree;
  const open = opened(value);
  if (open?.type !== "mapping") return undefined;
  const lines = [...open.members].flatMap(([key, inner]) => linesOf(`${latin(quote(key))}:`, inner));
  const doc = read(lines.length === 0 ? "{}\n" : `${lines.join("\n")}\n`);
  onWritten(doc, value);
  return leafOf({ doc, row: 0 });
}

/** A root: only there a row is the first. */
function isInPlace({ from }: OpenMapping): boolean {
  return headOfTree(from).row === 0;
}

function branchOf({ members, before, from }: OpenMapping, onWritten: OnWritten): Tree {
  const trees = [...members].map(([key, value]) => memberOf(key, value, before.get(key), onWritten));
  const head = headOfTree(from);
  const step = from.type === "leaf" ? (stepOf(from.node) ?? 2) : from.step;
  return { type: "branch", home: from.home, head, step, members: new Members(trees) };
}

function memberOf(key: string, value: Value, own: Tree | undefined, onWritten: OnWritten): Tree {
  if (own !== undefined && value.type === "tree" && value.tree === own) return own;
  if (own !== undefined && value.type === "mapping" && value.from === own) return branchOf(value, onWritten);
  const head = own === undefined ? undefined : headOfTree(own);
  const name = head === undefined ? latin(quote(key)) : keyOfEntry(head, 0);
  const lead = head === undefined ? "" : shiftLead(leadOf(head), -field(head, Field.column), 0);
  const doc = entryDocument(name, value, lead);
  onWritten(doc, value);
  return { type: "leaf", home: own?.home, node: { doc, row: 1 } };
}

/** A document of one entry, with the text of the patch if that means the same there. */
function entryDocument(name: string, value: Value, lead: string): Document {
  const source = copiedSource(`${name}:`, value);
  if (source !== undefined) {
    const doc = readIfSound(lead + source);
    if (doc !== undefined && says(doc, value)) return doc;
  }
  return read(`${lead}${linesOf(`${name}:`, value).join("\n")}\n`);
}

function says(doc: Document, value: Value): boolean {
  const root = { doc, row: 0 };
  if (!isMapping(root) || field({ doc, row: 1 }, Field.next) !== field(root, Field.next)) return false;
  return canonical({ type: "tree", tree: leafOf({ doc, row: 1 }) }) === canonical(value);
}

/** Lines of an entry or item, at the first column. @param head `key:` or `-` */
function linesOf(head: string, value: Value): string[] {
  const open = opened(value);
  if (open === undefined) return [`${head} ${value.type === "tree" ? spelled(nodeOf(value.tree)) : "null"}`];
  if (open.type === "list") {
    if (open.items.length === 0) return [`${head} []`];
    return [head, ...open.items.flatMap(itemLines).map(indented)];
  }
  if (open.members.size === 0) return [`${head} {}`];
  const entries = [...open.members].flatMap(([key, inner]) => linesOf(`${latin(quote(key))}:`, inner));
  const [first = "", ...rest] = entries;
  return head === "-" ? [`- ${first}`, ...rest.map(indented)] : [head, ...entries.map(indented)];
}

function itemLines(item: Value): string[] {
  const copied = copiedSource("-", item);
  if (copied === undefined) return linesOf("-", item);
  const source = leadIn(item) + copied;
  const doc = readIfSound(source);
  const isSame =
    doc !== undefined &&
    isSequence({ doc, row: 0 }) &&
    field({ doc, row: 1 }, Field.next) === field({ doc, row: 0 }, Field.next) &&
    canonical({ type: "tree", tree: leafOf({ doc, row: 1 }) }) === canonical(item);
  return isSame ? source.replace(/\n$/, "").split("\n") : linesOf("-", item);
}

/** The comments of an item that was in a list before. */
function leadIn(item: Value): string {
  const node = item.type === "tree" ? headOfTree(item.tree) : undefined;
  const parent = node === undefined ? undefined : parentOf(node);
  if (node === undefined || parent === undefined || !isSequence(parent)) return "";
  return shiftLead(leadOf(node), -field(node, Field.column), 0);
}

function indented(line: string): string {
  return line === "" ? "" : `  ${line}`;
}

/** A scalar on one line. */
function spelled(node: Node): string {
  const source = scalarSource(node);
  const isOneLine = !source.includes("\n") && kindOf(node) !== Kind.literal && kindOf(node) !== Kind.folded;
  if (isOneLine && source !== "") return source;
  const { type } = resolveScalar(node);
  return type === "null" ? "null" : latin(doubleQuote(scalarText(node)));
}

/** The text of a value for another key or dash; undefined if it cannot be copied. */
function copiedSource(head: string, value: Value): string | undefined {
  const node = value.type === "tree" && value.tree.type === "leaf" ? value.tree.node : undefined;
  const parent = node === undefined ? undefined : parentOf(node);
  if (node === undefined || parent === undefined || !isCopyable(node, parent, head === "-")) return undefined;
  const text = textOf(node.doc);
  const from = isSequence(parent)
    ? field(node, Field.entry) + 1
    : text.indexOf(":", field(node, Field.keyEnd)) + 1;
  const moved = shiftRest(`${head}${text.slice(from, extentOf(node).end)}`, -field(node, Field.column), 0);
  const ended = moved.endsWith("\n") ? moved : `${moved}\n`;
  return head === "-" ? ended.replace(/^-[ \t]*\n {2}(?=[^\s#])/, "- ") : ended;
}

/** In lines of its own, and such that a key may replace a dash, or a dash a key. */
function isCopyable(node: Node, parent: Node, toItem: boolean): boolean {
  if (isFlow(parent) || isEntangled(node) || valueOf(node).row !== node.row) return false;
  if (!isSequence(parent))
    return field(node, Field.entry) === field(node, Field.keyStart) && !(toItem && isSequence(node));
  return toItem || isFlow(node) || !(isMapping(node) || isSequence(node));
}

function readIfSound(text: string): Document | undefined {
  const doc = readDocument(Buffer.from(text, "latin1"));
  if (isFault(doc) || checkDocument(doc).faults.length > 0) return undefined;
  return doc;
}

function read(text: string): Document {
  const doc = readIfSound(text);
  if (doc === undefined) throw new Error("a patch was written that does not read");
  return doc;
}

function latin(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}
