// A node in other forms: as plain JavaScript values, for settings and for the SOPS metadata of a sealed item; and in
// brackets on one line.
import { resolveScalar } from "./resolve.ts";
import { keyText, scalarText } from "./scalar.ts";
import { childrenOf, isMapping, isSequence, type Node, valueOf } from "./tape.ts";
import { entriesOf } from "./view.ts";

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

/** How keys and scalars between brackets are spelled. */
interface Spelling {
  readonly key: (entry: Node) => string;
  readonly scalar: (value: Node) => string;
}

/** A value as its consumer sees it, on one line: aliases are followed, and the last of duplicate keys wins. */
export function bracketed(node: Node, spelling: Spelling): string {
  const value = valueOf(node);
  if (isMapping(value)) {
    const entries = [...entriesOf(value).values()].map(
      (entry) => `${spelling.key(entry)}: ${bracketed(entry, spelling)}`,
    );
    return `{${entries.join(", ")}}`;
  }
  if (!isSequence(value)) return spelling.scalar(value);
  const elements = childrenOf(value).map((child) => bracketed(child, spelling));
  return `[${elements.join(", ")}]`;
}
