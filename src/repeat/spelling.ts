// How a value is spelled where it is copied to. Scalars keep their spelling where their surroundings allow it, and what has
// entries is written in brackets on one line.
import { bracketed, doubleQuote, Kind, type Node } from "../yaml/index.ts";

/** Where a value is written: in a block, between YAML's brackets, or in JSON. */
export type FieldSetting = "block" | "brackets" | "json";

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/;
const plainInBrackets = /^(?=.*[A-Za-z0-9])[A-Za-z0-9_+.\-/]+$/;

export function spelled(node: Node, setting: FieldSetting): string {
  const value = node.value;
  if (value.isScalar) return spelledScalar(value, setting);
  const inner = setting === "block" ? "brackets" : setting;
  return bracketed(value, {
    key: (entry) => spelledKey(entry, inner),
    scalar: (scalar) => spelledScalar(scalar, inner),
  });
}

function spelledKey(entry: Node, setting: FieldSetting): string {
  const source = entry.doc.bytes.toString("utf8", entry.keyStart, entry.keyEnd);
  const isVerbatim = entry.keyKind === Kind.plain && plainInBrackets.test(source);
  return isVerbatim && setting !== "json" ? source : doubleQuote(entry.keyText);
}

function spelledScalar(value: Node, setting: FieldSetting): string {
  const source = value.doc.bytes.toString("utf8", value.body, value.end);
  const isTagged = value.start < value.body;
  const { type, text } = value.resolved();
  if (type === "null") return "null";
  if (!isTagged && !source.includes("\n") && isSpelledAlike(value, type, source, setting)) return source;
  if (type === "string" || type === "merge") return doubleQuote(value.text);
  if (type === "bool" || jsonNumber.test(text)) return text;
  return Number.isFinite(Number(text)) ? String(Number(text)) : doubleQuote(text);
}

/** True for the text of a scalar on one line that means the same in its new place. */
function isSpelledAlike(value: Node, type: string, source: string, setting: FieldSetting): boolean {
  const isText = type === "string" || type === "merge";
  if (value.kind === Kind.double) return true;
  if (setting === "json") return !isText && type !== "bool" && jsonNumber.test(source);
  if (value.kind === Kind.single) return true;
  if (isText) return setting === "block" && value.kind === Kind.plain;
  return type === "bool" || plainInBrackets.test(source);
}
