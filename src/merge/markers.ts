// Directives in lists that a rule merges: `- $patch: replace` discards the lower list, `{name: x, $patch: delete}` removes
// an element. Everywhere else `$patch` is a plain key.
import type { Document, Node } from "../yaml/index.ts";

/** Elements of a list as a layer writes it. */
export interface Written {
  /** True if the list replaces the lower one. */
  readonly isReset: boolean;
  readonly elements: readonly Node[];
}

/** The elements of a list, without its reset. */
export function writtenIn(sequence: Node): Written {
  const items = sequence.children();
  const [first] = items;
  const isReset = first !== undefined && isResetMarker(first);
  return { isReset, elements: isReset ? items.slice(1) : items };
}

export function isResetMarker(item: Node): boolean {
  const value = item.value;
  return patchOf(item) === "replace" && value.members().length === 1;
}

/** Documents, and whether they may contain a directive. */
const known = new WeakMap<Document, boolean>();

/** False for nearly every document. Only keys that are not words may spell `$patch` in another way. */
function mayDirect(doc: Document): boolean {
  let may = known.get(doc);
  if (may === undefined) {
    may = doc.hasWordKeys !== true || doc.bytes.includes("$patch");
    known.set(doc, may);
  }
  return may;
}

/** The text of an element's `$patch`; undefined where it has none. */
export function patchOf(item: Node): string | undefined {
  if (!mayDirect(item.doc)) return undefined;
  const value = item.value;
  const entry = value.isMapping ? value.entry("$patch") : undefined;
  if (entry === undefined) return undefined;
  const patch = entry.value;
  return patch.isScalar ? patch.text : "";
}

/** The value that a directive in a set removes. */
export function deletedValue(item: Node): Node | undefined {
  const value = item.value;
  return patchOf(item) === "delete" && value.isMapping ? value.entry("$value") : undefined;
}

/** True if a list holds directives. */
export function hasMarkers(sequence: Node): boolean {
  return (
    mayDirect(sequence.doc) &&
    sequence.isSequence &&
    sequence.children().some((item) => patchOf(item) !== undefined)
  );
}
