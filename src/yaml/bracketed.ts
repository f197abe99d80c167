// A node in brackets on one line.
import type { Node } from "./node.ts";

/** How keys and scalars between brackets are spelled. */
interface Spelling {
  readonly key: (entry: Node) => string;
  readonly scalar: (value: Node) => string;
}

/** A value as its consumer sees it, on one line: aliases are followed, and the last of duplicate keys wins. */
export function bracketed(node: Node, spelling: Spelling): string {
  const value = node.value;
  if (value.isMapping) {
    const entries = [...value.entries().values()].map(
      (entry) => `${spelling.key(entry)}: ${bracketed(entry, spelling)}`,
    );
    return `{${entries.join(", ")}}`;
  }
  if (!value.isSequence) return spelling.scalar(value);
  const elements = value.children().map((child) => bracketed(child, spelling));
  return `[${elements.join(", ")}]`;
}
