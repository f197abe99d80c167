// Merged values as JSON. Whole numbers keep all their digits: JSON has no bound for them, and JavaScript has.
import { isFault, Node, readDocument } from "../yaml/index.ts";

/** @param text values as this program writes them */
export function jsonOf(text: Uint8Array): string {
  const doc = readDocument(text);
  if (isFault(doc)) throw new Error(`merged values cannot be read: ${doc.message}`);
  return `${valueText(new Node(doc), "")}\n`;
}

function valueText(node: Node, indent: string): string {
  const value = node.value;
  const inner = `${indent}  `;
  if (value.isMapping) {
    const entries = value.members();
    const lines = entries.map((entry) => `${JSON.stringify(entry.key)}: ${valueText(entry, inner)}`);
    return bracketed(["{", "}"], lines, indent);
  }
  if (value.isSequence) {
    const lines = value.children().map((child) => valueText(child, inner));
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
  const { type, text } = value.resolved();
  if (type === "null") return "null";
  if (type === "bool" || type === "int" || type === "big") return text;
  // Go reads binary values as the text that they hold.
  if (value.tag?.endsWith("binary") === true)
    return JSON.stringify(Buffer.from(value.text, "base64").toString("utf8"));
  const number = type === "float" ? Number(value.text.replaceAll("_", "")) : Number.NaN;
  return Number.isFinite(number) ? String(number) : JSON.stringify(value.text);
}
