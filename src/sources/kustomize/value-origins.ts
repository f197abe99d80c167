// Values as kustomize built them, and the same with marks → the document that set each value. Without a mark, or with that of
// another value, a value is set by the build: no document is named for it.
import type { Node } from "../../yaml/index.ts";
import type { Place, Variable } from "../../explanation.ts";
import {
  areEqual,
  emptyKey,
  isSameValue,
  type MarkedValue,
  type Marks,
  memberOf,
  membersOf,
  type SourceDocument,
  startsWith,
} from "./marks.ts";
import { isBelow, isCopying, isNullValue, type Removal, type PatchSource, saidAt } from "./sayings.ts";

/** A value of the result, and the source that set it: undefined for the build itself. */
export interface SourcedValue {
  readonly path: readonly string[];
  readonly value: Node;
  readonly source: SourceDocument | undefined;
  readonly at: Place | undefined;
  /** What was filled in where it is written. */
  readonly variables?: readonly Variable[];
}

export interface Collecting {
  readonly marks: Marks;
  /** The path of the field that holds the values. */
  readonly field: readonly string[];
  readonly sources: readonly PatchSource[];
  readonly found: SourcedValue[];
}

type FoundValue = Pick<MarkedValue, "document" | "at" | "variables">;

export function collect(path: readonly string[], node: Node, mark: Node, all: Collecting): void {
  const value = node.value;
  if (value.isMapping && value.entries().size > 0) {
    const others = mark.value.isMapping ? mark.value.entries() : undefined;
    for (const [key, entry] of value.entries())
      collect([...path, key], entry, others?.get(key) ?? entry, all);
    return;
  }
  all.found.push(
    value.isSequence ? originOfList(path, value, mark, all) : originOfLeaf(path, value, mark, all),
  );
}

function originOfLeaf(
  path: readonly string[],
  value: Node,
  mark: Node,
  { marks, field, sources }: Collecting,
): SourcedValue {
  const own = value.isMapping ? emptyIn(mark.value) : mark;
  const found = own === undefined || !own.value.isScalar ? undefined : marks.at(own.value.text);
  if (found !== undefined && isSameValue(found, value)) return sourced(path, value, found);
  const secret = own && secretIn(own, marks);
  if (secret !== undefined) return sourced(path, value, secret);
  if (value.isScalar && value.isNull) {
    const nulls = sources.flatMap(({ document, says }) => {
      const said = saidAt({ says }, path);
      return said !== undefined && isNullValue(said.node) ? [{ document, at: said.at }] : [];
    });
    const [only, second] = nulls;
    const isMoved = sources.some(({ document: { operations = [] } }) =>
      operations.some(({ op, path: to }) => isCopying(op) && startsWith([...field, ...path], to)),
    );
    return sourced(path, value, second !== undefined || isMoved ? undefined : only);
  }
  return sourced(path, value, value.isMapping ? emptied(path, sources) : undefined);
}

/** The mark of an empty mapping. */
function emptyIn(mark: Node): Node | undefined {
  return mark.isMapping ? mark.entries().get(emptyKey) : undefined;
}

/** A mapping is empty because of the highest document that takes away what is in it, or as kustomize drops its nulls. */
function emptied(path: readonly string[], all: readonly PatchSource[]): FoundValue | undefined {
  // A document may remove the whole mapping: then only the documents above it can set it again.
  const last = all.findLastIndex(({ removes }) => removes.some((each) => startsWith(path, each.path)));
  const sources = all.slice(Math.max(last, 0));
  const below = sources.flatMap(({ document, says }) =>
    says.filter((each) => isBelow(each, path)).map(({ at }) => ({ document, at })),
  );
  const isOfOne = below.every(({ document }) => document === below[0]?.document);
  const [first] = sources.flatMap(({ document, removes }) =>
    removes.filter((each) => isBelow(each, path)).map(({ at }) => ({ document, at })),
  );
  return editsBelow(path, sources).at(-1) ?? (isOfOne ? (below[0] ?? first) : undefined);
}

/** What takes something away below a path that a document below it says. */
function editsBelow(
  path: readonly string[],
  sources: readonly PatchSource[],
  lower: readonly PatchSource[] = [],
): readonly FoundValue[] {
  return sources.flatMap(({ document, removes }, index) => {
    const below = [...lower, ...sources.slice(0, index + 1)];
    const isThere = (own: Removal): boolean =>
      below.some(({ says }) =>
        says.some((each) => startsWith(each.path, own.path) || startsWith(own.path, each.path)),
      );
    return removes.filter((each) => isBelow(each, path) && isThere(each)).map(({ at }) => ({ document, at }));
  });
}

/** A list is from the highest document that has a part of it, or takes one away. */
function originOfList(path: readonly string[], value: Node, mark: Node, all: Collecting): SourcedValue {
  const secret = secretIn(mark, all.marks);
  // A replacement took an element from it: the whole list is hidden.
  if (secret !== undefined) return sourced(path, value, secret);
  const found = marksIn(value, mark.value, all);
  if (found === undefined) return sourced(path, value);
  const { sources } = all;
  if (found.length === 0) return originWithoutMarks(path, value, sources);
  const rankOf = (document: SourceDocument): number => {
    const rank = sources.findIndex((each) => each.document === document);
    return rank < 0 ? sources.length : rank;
  };
  const [top] = found.toSorted((a, b) => rankOf(b.document) - rankOf(a.document));
  const rank = top === undefined ? -1 : rankOf(top.document);
  const whole = saidAt(sources[rank], path);
  const isWhole = whole !== undefined && areEqual(whole.node, value);
  const edits = editsBelow(path, sources.slice(rank + 1), sources.slice(0, rank + 1));
  const edit = isWhole ? undefined : edits.at(-1);
  if (edit !== undefined) return sourced(path, value, edit);
  const copy = isWhole ? undefined : copiedList(path, value, sources.slice(rank + 1));
  if (copy !== undefined) return sourced(path, value, copy);
  const isEdited = sources[rank]?.removes.some((each) => isBelow(each, path)) === true;
  const isMixed = found.some(({ document }) => document !== top?.document);
  const isKnown = top !== undefined && (isWhole || isEdited || isMixed);
  const variables = found.flatMap((each) => (each.document === top?.document ? (each.variables ?? []) : []));
  return sourced(path, value, isKnown ? { ...top, at: whole?.at ?? top.at, variables } : undefined);
}

/** A list that an operation copied as a whole: it is of the operation, at the place of the copied one. */
function copiedList(
  path: readonly string[],
  value: Node,
  higher: readonly PatchSource[],
): FoundValue | undefined {
  const source = higher.findLast(({ copies, says }) => copies.length > 0 && saidAt({ says }, path));
  const said = source && saidAt(source, path);
  return source && said && areEqual(said.node, value)
    ? { document: source.document, at: said.at }
    : undefined;
}

/** A value of a Secret in a value, or in a part of it. */
function secretIn(mark: Node, marks: Marks): FoundValue | undefined {
  const value = mark.value;
  if (value.isScalar) return marks.secretIn(value.text);
  return [...membersOf(value).values()].flatMap((each) => secretIn(each, marks) ?? [])[0];
}

/** A list that is empty, or holds nothing but nulls. */
function originWithoutMarks(
  path: readonly string[],
  value: Node,
  sources: readonly PatchSource[],
): SourcedValue {
  const rank = sources.findLastIndex(({ says }) => {
    const said = saidAt({ says }, path);
    return said !== undefined && areEqual(said.node, value);
  });
  const edit = editsBelow(path, sources.slice(rank + 1), sources.slice(0, rank + 1)).at(-1);
  const whole = saidAt(sources[rank], path);
  if (edit !== undefined) return sourced(path, value, membersOf(value).size === 0 ? edit : undefined);
  const { document } = sources[rank] ?? {};
  return sourced(path, value, document && whole && { document, at: whole.at });
}

/** Undefined where a part of the list has no mark, or that of another value. */
function marksIn(node: Node, mark: Node, all: Collecting): readonly FoundValue[] | undefined {
  const { marks } = all;
  const [value, own] = [node.value, mark.value];
  if (value.isScalar) {
    if (value.isNull) return [];
    const found = own.isScalar ? marks.at(own.text) : undefined;
    return found !== undefined && isSameValue(found, value) ? [found] : undefined;
  }
  if (own.isScalar || own.isMapping !== value.isMapping) return undefined;
  const members = markedMembers(value, own, marks);
  if (membersOf(value).size === 0) {
    const [first] = [...membersOf(own).values()];
    // An operation took away what was in it.
    if (first === undefined) return [];
    const found = first && first.value.isScalar ? marks.at(first.value.text) : undefined;
    return found !== undefined && isSameValue(found, value) ? [found] : undefined;
  }
  if (members.length !== membersOf(value).size) return undefined;
  const parts = members.map(([key, each]) => {
    const there = memberOf(value, key);
    return there === undefined ? undefined : marksIn(there, each, all);
  });
  return parts.some((each) => each === undefined) ? undefined : parts.flatMap((each) => each ?? []);
}

/** Without marks of what was empty, and is not any more. */
function markedMembers(value: Node, own: Node, marks: Marks): readonly (readonly [string, Node])[] {
  const all = [...membersOf(own)];
  if (own.isMapping) return all.filter(([key]) => key !== emptyKey || membersOf(value).has(key));
  if (all.length === membersOf(value).size) return all;
  const isOfEmptyList = (node: Node): boolean => {
    const found = node.value.isScalar ? marks.at(node.value.text)?.value : undefined;
    return found !== undefined && !(found instanceof Uint8Array) && found.isSequence;
  };
  return all.filter(([, node]) => !isOfEmptyList(node)).map(([, node], index) => [String(index), node]);
}

export function sourced(path: readonly string[], value: Node, found?: FoundValue): SourcedValue {
  const { document: source, at, variables } = found ?? {};
  return { path, value, source, at, ...(variables && { variables }) };
}
