// The text of one layer → its document, or what is wrong with it. Reading is lenient where every
// consumer is (line ends, a missing last newline) and strict where one of them refuses or guesses.
import { isUtf8 } from "node:buffer";
import { readJson } from "../merge/index.ts";
import type { Format } from "./model.ts";
import {
  checkDocument,
  cureOfScalar,
  type ReadFault,
  bufferOf,
  isFault,
  readDocument,
  textOf,
  contentIndent,
  lastBlockScalar,
  type Document,
  Node,
  findBadCharacter,
  findForeignBreak,
  normalizeText,
} from "../yaml/index.ts";

export interface Values {
  /** The root mapping; undefined for an empty, `null` or comment-only document, and for a mapping of nothing. */
  readonly root: Node | undefined;
  /** True for a mapping, of nothing too. */
  readonly isMapping: boolean;
  /** The text as read: offsets in faults and notes count in it. */
  readonly text: Uint8Array;
  readonly faults: readonly ReadFault[];
  /** Findings that are not errors: duplicate keys, a second document. */
  readonly notes: readonly ReadFault[];
  /** True if the text holds `${`, so that it may read differently after Flux' substitution. */
  readonly variable: boolean;
  /** True if Flux' substitution changes the text: it fills in `${…}`, and makes `$` of `$$`. */
  readonly substituted: boolean;
}

/** Values as they are read in one format: the same text may be Helm values to one target, and a file to the next. */
export interface ReadValues {
  readonly format: Format | undefined;
  readonly values: Values;
}

/**
 * Reads the text of a layer. Never throws; a fault leaves `root` undefined.
 * @param format that of a data key; without one the text is read as Helm values
 */
export function readValues(bytes: Uint8Array, format?: Format): Values {
  const text = format === "text" ? bytes : normalizeText(bytes);
  const variable = bufferOf(text).includes("${");
  const substituted = variable || bufferOf(text).includes("$$");
  const none = { root: undefined, isMapping: false, text, faults: [], notes: [], variable, substituted };
  if (format === "text") return none;
  const outcome = format === "json" ? readJsonText(text) : readSound(text);
  if (isFault(outcome)) return { ...none, faults: [outcome] };
  const doc = format === undefined ? outcome : { spelledKeys: true, ...outcome };
  const { faults, notes } = checkDocument(doc);
  const more = doc.followed ? [followedNote(doc.end, format)] : [];
  const rootFault = faultOfRoot(new Node(doc));
  // Who reads a file in a ConfigMap may read all of its documents.
  const lost = format === undefined ? [] : more;
  const all = rootFault === undefined ? [...faults, ...lost] : [rootFault];
  const root = all.length > 0 ? undefined : rootOf(new Node(doc));
  return {
    root,
    isMapping: new Node(doc).isMapping,
    text: doc.bytes,
    faults: all,
    notes: lost.length > 0 ? notes : [...notes, ...more],
    variable,
    substituted,
  };
}

/** The text of a document, if it may begin with the marker of its end. */
function startOf({ bytes, plain }: Document): string {
  return plain === undefined && bytes.includes("...") ? bytes.toString("latin1") : "";
}

function readJsonText(text: Uint8Array): Document | ReadFault {
  // JSON itself knows which control characters it takes.
  return isUtf8(text) ? readJson(text) : (findBadCharacter(text) ?? readJson(text));
}

/** A document that a Go reader takes as well; the text has line feeds only. */
export function readSound(text: Uint8Array): Document | ReadFault {
  const doc = readDocument(text);
  // The fast reader takes no control character; any other is reported before what a reader makes of it.
  const isAscii = !isFault(doc) && doc.plain?.nonAscii === false;
  const bad = isAscii ? undefined : findBadCharacter(text);
  if (bad !== undefined) return bad;
  if (isFault(doc)) return doc;
  const [ending] = /^(?:[ \t]*(?:#.*)?\n)*\.\.\.(?=\s|$)/.exec(startOf(doc)) ?? [];
  if (ending !== undefined)
    return {
      code: "syntax",
      message: "the end of a document where Go expects its start",
      offset: ending.length - 3,
    };
  const isTidy = isAscii && !doc.plain.tabs && doc.markers.length === 0;
  return (isTidy ? undefined : (foreignDirective(doc) ?? findForeignBreak(doc))) ?? readEnded(doc);
}

/**
 * A block scalar that ends its document without a newline has none in its value; it becomes `|-`,
 * so that a newline after it does not count. Spaces up to its column after the last newline have no meaning.
 */
function readEnded(doc: Document): Document | ReadFault {
  const { bytes } = doc;
  const root = new Node(doc);
  const block = lastBlockScalar(root);
  if (block === undefined || bytes[bytes.length - 1] === 0x0a || doc.end < bytes.length) return doc;
  const text = textOf(doc);
  // A comment ends a block scalar: what follows the comment is not its text.
  if (/[^ \n]/.test(text.slice(block.end))) return doc;
  const { body } = block;
  const lastLine = text.slice(text.lastIndexOf("\n") + 1);
  const blankTail = /^ *$/.test(lastLine) && lastLine.length <= contentIndent(root.deepest, text.slice(body));
  if (blankTail) return readDocument(bytes.subarray(0, bytes.length - lastLine.length));
  const header = /^[|>][-+0-9]*/.exec(text.slice(body))?.[0] ?? "";
  if (header.includes("-")) return readDocument(Buffer.from(`${text}\n`, "latin1"));
  const ended = `${text.slice(0, body)}${header.replace("+", "")}-${text.slice(body + header.length)}\n`;
  return readDocument(Buffer.from(ended, "latin1"));
}

/** Directives that a Go reader refuses, or that would have to stay for the text to mean the same. */
function foreignDirective({ bytes, markers }: Document): ReadFault | undefined {
  const directives = markers
    .map(([start, end]) => ({ start, text: bytes.toString("latin1", start, end) }))
    .filter(({ text }) => text.startsWith("%"));
  const found = directives.find(({ text }, index) => index > 0 || !/^%YAML +1\.1\b/.test(text));
  if (found === undefined) return undefined;
  return { code: "syntax", message: "a directive other than one `%YAML 1.1`", offset: found.start };
}

function rootOf(node: Node): Node | undefined {
  const first = node.first;
  return node.isMapping && first !== undefined ? node : undefined;
}

function faultOfRoot(node: Node): ReadFault | undefined {
  if (node.isMapping || (node.isScalar && node.isNull)) return undefined;
  const got = node.isSequence ? "a sequence" : "a scalar";
  const hint = node.isScalar ? cureOfScalar(node.text) : undefined;
  return {
    code: "not-a-mapping",
    message: `expected a mapping at the top of the values, got ${got}`,
    offset: node.start,
    ...(hint !== undefined && { hint }),
  };
}

function followedNote(offset: number, format: Format | undefined): ReadFault {
  return {
    code: "several-documents",
    message:
      format === undefined
        ? "a second YAML document, which every consumer ignores"
        : "several YAML documents cannot be merged",
    offset,
  };
}
