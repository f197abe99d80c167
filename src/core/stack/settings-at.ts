// The values of a document at a path, below it, or in place of a mapping above it.
import { compare, type Step } from "../../merge/index.ts";
import type { Document, Node } from "../../yaml/index.ts";

/** One value, or an empty mapping. */
export interface Setting {
  readonly path: readonly string[];
  readonly node: Node;
  /** True if it is not a mapping, and is at a prefix of the path. */
  readonly isAbove: boolean;
}

/** @param path of the mapping */
export function settingsAt(mapping: Node, steps: readonly Step[], path: readonly string[] = []): Setting[] {
  if (!mapping.isMapping) return [];
  return mapping.members().flatMap((node): Setting[] => {
    const at = [...path, node.key];
    const value = node.value;
    switch (compare(at, steps)) {
      case "inside":
        return leaves(node, at);
      case "above":
        return value.isMapping ? settingsAt(value, steps, at) : [{ path: at, node, isAbove: true }];
      case undefined:
        return [];
    }
  });
}

/** The mappings above a path. */
export function mappingsAbove(
  mapping: Node,
  steps: readonly Step[],
  path: readonly string[] = [],
): Setting[] {
  return mapping.members().flatMap((node): Setting[] => {
    const at = [...path, node.key];
    const value = node.value;
    if (!value.isMapping || compare(at, steps) !== "above") return [];
    return [{ path: at, node, isAbove: true }, ...mappingsAbove(value, steps, at)];
  });
}

function leaves(node: Node, path: readonly string[]): Setting[] {
  const value = node.value;
  const entries = value.isMapping ? value.members() : [];
  if (entries.length === 0) return [{ path, node, isAbove: false }];
  return entries.flatMap((entry) => leaves(entry, [...path, entry.key]));
}

const few = 12;

/** Members of large mappings by key: most callers look up many. */
const members = new WeakMap<Document, Map<number, ReadonlyMap<string, Node>>>();

function memberOf(mapping: Node, key: string): Node | undefined {
  const { doc, row } = mapping;
  const known = members.get(doc)?.get(row);
  if (known !== undefined) return known.get(key);
  const entries = mapping.members();
  if (entries.length <= few) return entries.find((entry) => entry.key === key);
  const byKey = new Map(entries.map((entry) => [entry.key, entry]));
  const ofDocument = members.get(doc) ?? new Map<number, ReadonlyMap<string, Node>>();
  members.set(doc, ofDocument.set(row, byKey));
  return byKey.get(key);
}

/** The entry at a path; `other` if a value above it is not a mapping. */
export function entryAt(root: Node, path: readonly string[]): Node | "other" | undefined {
  let at: Node | undefined = root;
  for (const key of path) {
    const value: Node = at.value;
    if (!value.isMapping) return "other";
    at = memberOf(value, key);
    if (at === undefined) return undefined;
  }
  return at;
}
