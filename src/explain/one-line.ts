// A value on one line, as YAML: scalars as they are spelled, lists and mappings in brackets. For people and programs to
// read, never for the output.
import { bracketed, doubleQuote, Kind, type Node, quote } from "../yaml/index.ts";

export function oneLine(node: Node): string {
  const value = node.value;
  return value.isScalar ? scalarLine(value, false) : bracketed(value, betweenBrackets);
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
  const text = isSpelled ? source.replace(/[ \t\r]+$/, "") : doubleQuote(node.text);
  return tag === undefined ? text : `${tag} ${text}`;
}
