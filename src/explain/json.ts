// Merged values as JSON. Whole numbers keep all their digits: JSON has no bound for them, and JavaScript has.
import {
  childrenOf,
  entryNodes,
  isFault,
  isMapping,
  isSequence,
  type Node,
  readDocument,
  resolveScalar,
  scalarText,
  tagOf,
  textOfKey,
  valueOf,
} from "../core/index.ts";

/** @param text values as this program writes them */
export function jsonOf(text: Uint8Array): string {
  const doc = readDocument(text);
  if (isFault(doc)) throw new Error(`merged values cannot be read: ${doc.message}`);
  return `${valueText({ doc, row: 0 }, "")}\n`;
}

function valueText(node: Node, indent: string): string {
  const value = valueOf(node);
  const inner = `${indent}  `;
  if (isMapping(value)) {
    const entries = entryNodes(value);
    const lines = entries.map((entry) => `${JSON.stringify(textOfKey(entry))}: ${valueText(entry, inner)}`);
    return bracketed(["{", "}"], lines, indent);
  }
  if (isSequence(value)) {
    const lines = childrenOf(value).map((child) => valueText(child, inner));
    return bracketed(["[", "]"], lines, indent);
  }
  return scalarJson(value);
}

function bracketed(
  [open, close]: readonly [string, string],
  lines: readonly string[],
  indent: string,
): string {
  if (lines.length === 0) return `${open}${close}`;
  return `${open}\n${lines.map((line) => `${indent}  ${line}`).join(",\n")}\n${indent}${close}`;
}

function scalarJson(value: Node): string {
  const { type, text } = resolveScalar(value);
  if (type === "null") return "null";
  if (type === "bool" || type === "int" || type === "big") return text;
  // Go reads binary values as the text that they hold.
  if (tagOf(value)?.endsWith("binary") === true)
    return JSON.stringify(Buffer.from(scalarText(value), "base64").toString("utf8"));
  const number = type === "float" ? Number(scalarText(value).replaceAll("_", "")) : Number.NaN;
  return Number.isFinite(number) ? String(number) : JSON.stringify(scalarText(value));
}
