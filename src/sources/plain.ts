// Values as JavaScript has them, whatever they are.
import { isFault, Node, readDocument } from "../yaml/index.ts";

/** A mapping as programs take it. */
export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Empty for what is no mapping. */
export function asFields(value: unknown): Fields {
  return isFields(value) ? { ...value } : {};
}

export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Empty for what is neither a text nor a number. */
export function asText(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

/** Undefined for a text that is no YAML. */
export function plainOfText(text: Uint8Array): unknown {
  return rootOfText(text)?.plain(null);
}

/** Undefined for a text that is no YAML. */
export function rootOfText(text: Uint8Array): Node | undefined {
  const doc = readDocument(text);
  return isFault(doc) ? undefined : new Node(doc);
}
