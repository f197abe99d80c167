// How a value is spelled where it is copied to. Scalars keep their spelling where their surroundings allow it, and what has
// entries is written in brackets on one line.
import {
  bracketed,
  doubleQuote,
  Field,
  field,
  isScalar,
  keyText,
  Kind,
  kindOf,
  type Node,
  resolveScalar,
  scalarText,
  valueOf,
} from "../core/index.ts";

/** Where a value is written: in a block, between YAML's brackets, or in JSON. */
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
  const { type, text } = resolveScalar(value);
  if (type === "null") return "null";
  if (!isTagged && !source.includes("\n") && isSpelledAlike(value, type, source, setting)) return source;
  if (type === "string" || type === "merge") return doubleQuote(scalarText(value));
  if (type === "bool" || jsonNumber.test(text)) return text;
  return Number.isFinite(Number(text)) ? String(Number(text)) : doubleQuote(text);
}

/** True for the text of a scalar on one line that means the same in its new place. */
function isSpelledAlike(value: Node, type: string, source: string, setting: Setting): boolean {
  const isText = type === "string" || type === "merge";
  if (kindOf(value) === Kind.double) return true;
  if (setting === "json") return !isText && type !== "bool" && jsonNumber.test(source);
  if (kindOf(value) === Kind.single) return true;
  if (isText) return setting === "block" && kindOf(value) === Kind.plain;
  return type === "bool" || plainInBrackets.test(source);
}
