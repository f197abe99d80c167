// Directives in lists that a rule merges: `- $patch: replace` starts a list anew, `{name: x, $patch: delete}` takes an
// element away. Nowhere else is `$patch` anything but a key.
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
  /** True if what lies below does not count. */
  readonly isReset: boolean;
  readonly elements: readonly Node[];
}

/** What is written in a list, its reset aside. */
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

/** Documents, and whether a directive may be in them. */
const known = new WeakMap<Document, boolean>();

/** False for nearly every document. Only keys that are no words may spell it otherwise. */
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

/** The value that an element of a set takes away. */
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
