// A value on one line, as YAML: scalars as they are spelled, lists and mappings in brackets. For people and programs to
// read, never for the output.
import {
  bracketed,
  doubleQuote,
  isFault,
  Kind,
  Node,
  quote,
  readDocument,
  withoutEnd,
} from "../yaml/index.ts";
import { identityOf, leafOf } from "../merge/index.ts";

export function oneLine(node: Node): string {
  const value = node.value;
  return value.isScalar ? scalarLine(value, false) : bracketed(value, betweenBrackets);
}

/** What such a line says; undefined where it is cut. */
export function nodeOfLine(text: string): Node | undefined {
  const doc = readDocument(Buffer.from(`${text}\n`, "utf8"));
  return isFault(doc) ? undefined : new Node(doc);
}

/** What such a line says, however it is spelled: `yes`, `true` and `!!bool on` are one. */
export function lineIdentity(text: string): string {
  if (isPlainText.test(text)) return JSON.stringify(text);
  // What a variable brings is not known: in quotes it stays a text.
  if (text.includes("$")) return text;
  const node = nodeOfLine(text);
  return node === undefined ? text : identityOf(leafOf(node));
}

/** A word that no reader takes for anything but a text: most values are. */
const isPlainText = /^(?!(?:y|n|yes|no|on|off|true|false|null)$)[a-z/][\w./-]*$/i;

/** The same where brackets are around it: a plain scalar that they would end is quoted. */
export function inBrackets(node: Node): string {
  return bracketed(node, betweenBrackets);
}

/** A plain value as a new scalar, which reads back everywhere. A whole number that JavaScript cannot hold keeps its digits. */
export function newScalar(value: unknown): string {
  if (typeof value === "string") return doubleQuote(value);
  if (typeof value === "bigint") return String(value);
  if (typeof value !== "number" || Number.isFinite(value)) return JSON.stringify(value) ?? "null";
  return Number.isNaN(value) ? ".nan" : value < 0 ? "-.inf" : ".inf";
}

const betweenBrackets = {
  key: (entry: Node): string => quote(entry.key),
  scalar: (value: Node): string => scalarLine(value, true),
};

/** What brackets would end, a colon begin, or Go readers refuse there. No number, boolean or null is like that. */
const unsafeInBrackets = /[,[\]{}?]|^:|:$/;

function scalarLine(node: Node, isInBrackets: boolean): string {
  const kind = node.kind;
  const tag = node.tag;
  const source = node.doc.bytes.toString("utf8", node.body, node.end);
  const isBlock = kind === Kind.literal || kind === Kind.folded;
  const isUnsafe = kind === Kind.plain && isInBrackets && unsafeInBrackets.test(source);
  const isSpelled = !isBlock && !source.includes("\n") && !isUnsafe && kind !== Kind.empty;
  if (kind === Kind.empty) return tag === undefined ? "null" : `${tag} ""`;
  const text = isSpelled ? withoutEnd(source, " \t\r") : doubleQuote(node.text);
  return tag === undefined ? text : `${tag} ${text}`;
}
