// Keys that are twice in one mapping. A reader would silently drop one of the two settings, whatever the kind of document.
import type { Diagnostic, Position } from "../diagnostic.ts";
import { pathText } from "../merge/index.ts";
import { lineAndColumn, type Node } from "../yaml/index.ts";

/** A key, and its first place; offsets count in the document's bytes. */
interface Twice {
  /** Its path from the root: `spec.targets[0].kind`. */
  readonly field: string;
  readonly offset: number;
  readonly before: number;
}

/** The message about each. */
export const saidTwice = {
  message: "it is written twice in one mapping",
  hint: "keep one of the two",
} as const;

/** All such keys at and below a node, in the order of the text; a node with several aliases counts once. */
export function writtenTwice(root: Node): readonly Twice[] {
  const found: Twice[] = [];
  const visited = new Set<number>();
  const visit = (node: Node, path: readonly string[]): void => {
    const value = node.value;
    if (value.isScalar || visited.has(value.row)) return;
    visited.add(value.row);
    const seen = new Map<string, number>();
    for (const [index, child] of value.children().entries()) {
      const key = value.isMapping ? child.keyText : undefined;
      const own = [...path, key ?? `[${index}]`];
      const before = key === undefined ? undefined : seen.get(key);
      const offset = child.entryStart;
      if (key !== undefined) seen.set(key, offset);
      if (before !== undefined) found.push({ field: pathText(own), offset, before });
      visit(child, own);
    }
  };
  visit(root, []);
  return found;
}

/** The same as faults. @param text what is read, for messages */
export function twiceFaults(
  root: Node,
  text: string,
  code: "invalid-setting" | "invalid-schema",
): Diagnostic[] {
  const place = (offset: number): Position => ({ text, ...lineAndColumn(root.doc.bytes, offset) });
  return writtenTwice(root).map(({ field: path, offset, before }) => ({
    code,
    severity: "error",
    message: `\`${path}\`: ${saidTwice.message}`,
    field: path,
    at: place(offset),
    also: [place(before)],
    hint: saidTwice.hint,
  }));
}
