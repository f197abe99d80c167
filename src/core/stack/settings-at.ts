// The values of a document at a path, below it, or in place of a mapping above it.
import { compare, type Step } from "../merge/path.ts";
import { textOfKey } from "../yaml/key.ts";
import { type Document, isMapping, type Node, valueOf } from "../yaml/tape.ts";
import { entryNodes } from "../yaml/view.ts";

/** One value, or an empty mapping. */
export interface Setting {
  readonly path: readonly string[];
  readonly node: Node;
  /** True if it is not a mapping, and is at a prefix of the path. */
  readonly isAbove: boolean;
}

/** @param path of the mapping */
export function settingsAt(mapping: Node, steps: readonly Step[], path: readonly string[] = []): Setting[] {
  if (!isMapping(mapping)) return [];
  return entryNodes(mapping).flatMap((node): Setting[] => {
    const at = [...path, textOfKey(node)];
    const value = valueOf(node);
    switch (compare(at, steps)) {
      case "inside":
        return leaves(node, at);
      case "above":
        return isMapping(value) ? settingsAt(value, steps, at) : [{ path: at, node, isAbove: true }];
      case undefined:
        return [];
    }
  });
}

/** The mappings above a path: over a null they bring back what it removed, a chart's default for one. */
export function mappingsAbove(
  mapping: Node,
  steps: readonly Step[],
  path: readonly string[] = [],
): Setting[] {
  return entryNodes(mapping).flatMap((node): Setting[] => {
    const at = [...path, textOfKey(node)];
    const value = valueOf(node);
    if (!isMapping(value) || compare(at, steps) !== "above") return [];
    return [{ path: at, node, isAbove: true }, ...mappingsAbove(value, steps, at)];
  });
}

function leaves(node: Node, path: readonly string[]): Setting[] {
  const value = valueOf(node);
  const entries = isMapping(value) ? entryNodes(value) : [];
  if (entries.length === 0) return [{ path, node, isAbove: false }];
  return entries.flatMap((entry) => leaves(entry, [...path, textOfKey(entry)]));
}

const few = 12;

/** Members of large mappings by key: most callers look up many. */
const members = new WeakMap<Document, Map<number, ReadonlyMap<string, Node>>>();

function memberOf(mapping: Node, key: string): Node | undefined {
  const { doc, row } = mapping;
  const known = members.get(doc)?.get(row);
  if (known !== undefined) return known.get(key);
  const entries = entryNodes(mapping);
  if (entries.length <= few) return entries.find((entry) => textOfKey(entry) === key);
  const byKey = new Map(entries.map((entry) => [textOfKey(entry), entry]));
  const ofDocument = members.get(doc) ?? new Map<number, ReadonlyMap<string, Node>>();
  members.set(doc, ofDocument.set(row, byKey));
  return byKey.get(key);
}

/** The entry at a path; `other` if a value above it is not a mapping. */
export function entryAt(root: Node, path: readonly string[]): Node | "other" | undefined {
  let at: Node | undefined = root;
  for (const key of path) {
    const value: Node = valueOf(at);
    if (!isMapping(value)) return "other";
    at = memberOf(value, key);
    if (at === undefined) return undefined;
  }
  return at;
}
