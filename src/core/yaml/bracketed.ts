// A value as its consumer sees it, in brackets on one line: aliases are followed, and the last of duplicate keys wins.
import { childrenOf, isMapping, isSequence, type Node, valueOf } from "./tape.ts";
import { entriesOf } from "./view.ts";

/** How keys and scalars between brackets are spelled. */
export interface Spelling {
  readonly key: (entry: Node) => string;
  readonly scalar: (value: Node) => string;
}

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
