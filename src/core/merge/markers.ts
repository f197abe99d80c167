// Directives in lists that a rule merges: `- $patch: replace` discards the lower list, `{name: x, $patch: delete}` removes
// an element. Everywhere else `$patch` is a plain key.
import { scalarText } from "../yaml/scalar.ts";
import {
  childrenOf,
  type Document,
  isMapping,
  isScalar,
  isSequence,
  type Node,
  valueOf,
} from "../yaml/tape.ts";
import { entryNodes, entryUnder } from "../yaml/view.ts";

/** Elements of a list as a layer writes it. */
export interface Written {
  /** True if the list replaces the lower one. */
  readonly isReset: boolean;
  readonly elements: readonly Node[];
}

/** The elements of a list, without its reset. */
export function writtenIn(sequence: Node): Written {
  const items = childrenOf(sequence);
  const [first] = items;
  const isReset = first !== undefined && isResetMarker(first);
  return { isReset, elements: isReset ? items.slice(1) : items };
}

export function isResetMarker(item: Node): boolean {
  const value = valueOf(item);
  return patchOf(item) === "replace" && entryNodes(value).length === 1;
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
  const value = valueOf(item);
  const entry = isMapping(value) ? entryUnder(value, "$patch") : undefined;
  if (entry === undefined) return undefined;
  const patch = valueOf(entry);
  return isScalar(patch) ? scalarText(patch) : "";
}

/** The value that a directive in a set removes. */
export function deletedValue(item: Node): Node | undefined {
  const value = valueOf(item);
  return patchOf(item) === "delete" && isMapping(value) ? entryUnder(value, "$value") : undefined;
}

/** True if a list holds directives. */
export function hasMarkers(sequence: Node): boolean {
  return (
    mayDirect(sequence.doc) &&
    isSequence(sequence) &&
    childrenOf(sequence).some((item) => patchOf(item) !== undefined)
  );
}
