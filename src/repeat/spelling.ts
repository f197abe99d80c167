// A value of one document as it may stand in another: scalars keep their spelling where its surroundings allow it, and
// what has entries is written in brackets on one line.
import { bracketed } from "../yaml/bracketed.ts";
import { doubleQuote } from "../yaml/quote.ts";
import { resolveScalar } from "../yaml/resolve.ts";
import { keyText, scalarText } from "../yaml/scalar.ts";
import { Field, field, isScalar, Kind, kindOf, type Node, valueOf } from "../yaml/tape.ts";

/** Where a value is to stand: in a block, between YAML's brackets, or in JSON. */
export type Setting = "block" | "brackets" | "json";

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/;
const plainInBrackets = /^(?=.*[A-Za-z0-9])[A-Za-z0-9_+.\-/]+$/;

export function spelled(node: Node, setting: Setting): string {
  const value = valueOf(node);
  if (isScalar(value)) return spelledScalar(value, setting);
  const inner = setting === "block" ? "brackets" : setting;
  return bracketed(value, {
    key: (entry) => spelledKey(entry, inner),
    scalar: (scalar) => spelledScalar(scalar, inner),
  });
}

function spelledKey(entry: Node, setting: Setting): string {
  const source = entry.doc.bytes.toString("utf8", field(entry, Field.keyStart), field(entry, Field.keyEnd));
  const isVerbatim = field(entry, Field.keyKind) === Kind.plain && plainInBrackets.test(source);
  return isVerbatim && setting !== "json" ? source : doubleQuote(keyText(entry));
}

function spelledScalar(value: Node, setting: Setting): string {
  const source = value.doc.bytes.toString("utf8", field(value, Field.body), field(value, Field.end));
  const isTagged = field(value, Field.start) < field(value, Field.body);
  const kind = kindOf(value);
  const isOneLine = !source.includes("\n") && !isTagged;
  const { type, text } = resolveScalar(value);
  if (kind === Kind.double && isOneLine) return source;
  if (type === "string" || type === "merge")
    return kind === Kind.single && isOneLine && setting !== "json" ? source : textAs(value, source, setting);
  if (type === "null") return "null";
  if (type === "bool") return setting === "json" || !isOneLine ? text : source;
  if (setting !== "json" && isOneLine && plainInBrackets.test(source)) return source;
  return jsonNumber.test(source) ? source : jsonNumber.test(text) ? text : jsonText(text);
}

/** Plain text stays plain in a block. */
function textAs(value: Node, source: string, setting: Setting): string {
  const isPlain = kindOf(value) === Kind.plain && setting === "block" && !source.includes("\n");
  return isPlain && field(value, Field.start) === field(value, Field.body)
    ? source
    : doubleQuote(scalarText(value));
}

function jsonText(text: string): string {
  const number = Number(text);
  return Number.isFinite(number) ? String(number) : doubleQuote(text);
}
