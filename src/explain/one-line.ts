// A value on one line, as YAML: scalars as they are spelled, lists and mappings in brackets. For people and programs to
// read, never for the output.
import { textOfKey } from "../yaml/key.ts";
import { doubleQuote, quote } from "../yaml/quote.ts";
import { scalarText } from "../yaml/scalar.ts";
import { tagOf } from "../yaml/resolve.ts";
import {
  childrenOf,
  Field,
  field,
  isMapping,
  isSequence,
  Kind,
  kindOf,
  type Node,
  valueOf,
} from "../yaml/tape.ts";
import { entryNodes } from "../yaml/view.ts";

export function oneLine(node: Node): string {
  return lineOf(node, false);
}

function lineOf(node: Node, isInBrackets: boolean): string {
  const value = valueOf(node);
  if (isMapping(value)) {
    const entries = entryNodes(value).map((entry) => `${quote(textOfKey(entry))}: ${lineOf(entry, true)}`);
    return entries.length === 0 ? "{}" : `{${entries.join(", ")}}`;
  }
  if (isSequence(value)) {
    return `[${childrenOf(value)
      .map((child) => lineOf(child, true))
      .join(", ")}]`;
  }
  return scalarLine(value, isInBrackets);
}

/** What brackets would end, or a colon begin. */
const unsafeInBrackets = /[,[\]{}]|^[?:-]|:$/;

function scalarLine(node: Node, isInBrackets: boolean): string {
  const kind = kindOf(node);
  const tag = tagOf(node);
  const source = node.doc.bytes.toString("utf8", field(node, Field.body), field(node, Field.end));
  const isBlock = kind === Kind.literal || kind === Kind.folded;
  const isUnsafe = kind === Kind.plain && isInBrackets && unsafeInBrackets.test(source);
  const isSpelled = !isBlock && !source.includes("\n") && !isUnsafe && kind !== Kind.empty;
  if (kind === Kind.empty) return tag === undefined ? "null" : `${tag} ""`;
  const text = isSpelled ? source.trimEnd() : doubleQuote(scalarText(node));
  return tag === undefined ? text : `${tag} ${text}`;
}
