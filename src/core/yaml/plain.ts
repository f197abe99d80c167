// A node as plain JavaScript values: for settings, and for the SOPS metadata of a sealed item.
import { resolveScalar } from "./resolve.ts";
import { keyText, scalarText } from "./scalar.ts";
import { childrenOf, isMapping, isSequence, type Node, valueOf } from "./tape.ts";

/** @param nothing what a null becomes: undefined where it means "not set" */
export function toPlain(node: Node, nothing: null | undefined): unknown {
  const value = valueOf(node);
  if (isMapping(value))
    return Object.fromEntries(childrenOf(value).map((child) => [keyText(child), toPlain(child, nothing)]));
  if (isSequence(value)) return childrenOf(value).map((child) => toPlain(child, nothing));
  const { type, text } = resolveScalar(value);
  if (type === "null") return nothing;
  if (type === "bool") return text === "true";
  return type === "int" || type === "float" ? Number(text) : scalarText(value);
}
