// JSON files in data keys: checked to be JSON and then read as YAML; written with the base's indentation. Scalars
// keep their spelling; what only the base holds is copied whole.
import {
  textOf,
  type ReadFault,
  isFault,
  readDocument,
  type Document,
  fieldCount,
  Kind,
  Node,
} from "../yaml/index.ts";
import { headOfTree, type Members, membersOfNode, type Tree } from "./tree.ts";

/** Reads JSON text; blank text is an empty document. */
export function readJson(text: Uint8Array): Document | ReadFault {
  const source = Buffer.from(text.buffer, text.byteOffset, text.length).toString("utf8");
  const doc = readDocument(text);
  if (source.trim() === "" || isJson(source)) return doc;
  // The engine's own message quotes the text, and not every version reports a position.
  const place = isFault(doc) ? doc.offset : foreignTo(doc);
  return { code: "syntax", message: "not valid JSON", ...(place === undefined ? {} : { offset: place }) };
}

function isJson(source: string): boolean {
  try {
    JSON.parse(source);
    return true;
  } catch {
    return false;
  }
}

/** The first thing in YAML text that is not JSON. */
function foreignTo(doc: Document): number | undefined {
  const text = textOf(doc);
  for (let row = 0; row < doc.rows.length / fieldCount; row++) {
    const node = new Node(doc, row);
    const [kind, keyKind] = [node.kind, node.keyKind];
    if (node.keyStart >= 0 && keyKind !== Kind.double) return node.keyStart;
    const source = text.slice(node.start, node.end);
    const isWord = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?)$/.test(source);
    const known = kind === Kind.flowMapping || kind === Kind.flowSequence || kind === Kind.double;
    if (!known && !(kind === Kind.plain && isWord)) return node.start;
  }
  return commentOrComma(text);
}

/** A comment, or a comma followed by a closing bracket. */
function commentOrComma(text: string): number | undefined {
  for (const match of text.matchAll(/"(?:[^"\\]|\\.)*"|#|,(?=\s*[}\]])/g))
    if (!match[0].startsWith('"')) return match.index;
  return undefined;
}

/** How a document is laid out. */
interface Style {
  readonly doc: Document;
  /** Indentation of one level; undefined for JSON on one line. */
  readonly step: string | undefined;
  readonly colon: string;
  readonly comma: string;
  readonly end: string;
}

/** Text of merged JSON (UTF-8 bytes), laid out as its base is: the lowest layer that holds anything. */
export function writeJson(tree: Tree | undefined): Uint8Array {
  if (tree === undefined) return Buffer.from("{}\n");
  const style = styleOf(headOfTree(tree));
  return Buffer.from(writeTree(tree, style, "") + style.end, "latin1");
}

function styleOf(root: Node): Style {
  const { doc } = root;
  const text = textOf(doc);
  const [first, second] = root.children();
  const gap = first === undefined ? "" : text.slice(root.body + 1, first.entryStart);
  const step = gap.includes("\n") ? gap.slice(gap.lastIndexOf("\n") + 1) : undefined;
  const colon = first === undefined ? ":" : text.slice(first.keyEnd, first.start);
  const comma = first === undefined || second === undefined ? "," : text.slice(first.end, second.entryStart);
  return {
    doc,
    step,
    colon: /^:[ \t]*$/.test(colon) ? colon : ": ",
    comma: step === undefined && /^,[ \t]+$/.test(comma) ? ", " : ",",
    end: text.slice(root.end + text.slice(root.end).trimEnd().length).includes("\n") ? "\n" : "",
  };
}

function writeTree(tree: Tree, style: Style, indent: string): string {
  switch (tree.type) {
    case "leaf":
      return writeNode(tree.node, style, indent);
    case "branch":
      return writeMapping(tree.members, style, indent);
    case "list": {
      const items = tree.elements.values();
      const inner = deeper(indent, style);
      return between(
        "[",
        items.map((item) => writeTree(item, style, inner)),
        "]",
        style,
        indent,
      );
    }
  }
}

function writeNode(node: Node, style: Style, indent: string): string {
  const source = textOf(node.doc).slice(node.start, node.end);
  const isWhole = node.doc === style.doc || (style.step !== undefined && !source.includes("\n"));
  if (node.isScalar || (isWhole && !node.isEntangled)) return source;
  if (node.isMapping) return writeMapping(membersOfNode(node), style, indent);
  const items = node.isSequence ? node.children() : [];
  return between(
    "[",
    items.map((item) => writeNode(item, style, deeper(indent, style))),
    "]",
    style,
    indent,
  );
}

function writeMapping(members: Members, style: Style, indent: string): string {
  const entries = members
    .values()
    .map(
      (tree) =>
        `${keySource(headOfTree(tree))}${style.colon}${writeTree(tree, style, deeper(indent, style))}`,
    );
  return between("{", entries, "}", style, indent);
}

function keySource(entry: Node): string {
  return textOf(entry.doc).slice(entry.keyStart, entry.keyEnd);
}

function deeper(indent: string, { step }: Style): string {
  return indent + (step ?? "");
}

function between(
  open: string,
  parts: readonly string[],
  close: string,
  style: Style,
  indent: string,
): string {
  if (parts.length === 0) return open + close;
  if (style.step === undefined) return open + parts.join(style.comma) + close;
  const pad = deeper(indent, style);
  return `${open}\n${parts.map((part) => pad + part).join(",\n")}\n${indent}${close}`;
}
