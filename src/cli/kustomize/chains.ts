// The inline values of an object, as kustomize built them with values and with marks → the documents that set them, lowest
// first. Without a mark, or with that of another value, a value is set by the build: no file is named for it.
import {
  childOf,
  entriesOf,
  isMapping,
  isNull,
  isScalar,
  isSequence,
  type Node,
  scalarText,
  startOf,
  textAt,
  valueOf,
} from "../../core/index.ts";
import type { Chain, ChainDocument, ChainValue } from "../../explain/index.ts";
import { oneLine } from "../../explain/index.ts";
import type { Place, RemovedValue } from "../../explanation.ts";
import type { Substitution } from "./substitution.ts";
import {
  areEqual,
  emptyKey,
  isSameValue,
  keysIn,
  type Marks,
  membersOf,
  type SourceDocument,
  startsWith,
} from "./marks.ts";

const field = ["spec", "values"];

/** What a document says at a path. */
interface Saying {
  readonly path: readonly string[];
  readonly node: Node;
  readonly at: Place;
}

/** Where a document takes away what is at a path; it may set something else there. */
interface Removal {
  readonly path: readonly string[];
  readonly at: Place;
}

interface Source {
  readonly document: SourceDocument;
  readonly says: readonly Saying[];
  readonly removes: readonly Removal[];
}

/** A value of the result, and the source that set it: undefined for the build itself. */
interface Origin {
  readonly path: readonly string[];
  readonly value: Node;
  readonly source: SourceDocument | undefined;
  readonly at: Place | undefined;
}

interface Known {
  readonly marks?: Marks;
  /** The documents that reached the object, in their order. */
  readonly reached?: readonly SourceDocument[];
  /** The kustomization that was built. */
  readonly build: Place;
  readonly substitution?: Substitution | undefined;
}

/**
 * @param values what kustomize built
 * @param marked the same with marks; undefined where no marks could be built
 */
export function chainOf(
  values: Node,
  marked: Node | undefined,
  { marks, reached = [], build, substitution }: Known,
): Chain {
  const isTrue = marks !== undefined && marked !== undefined;
  const sources = isTrue ? reached.map(sourceOf) : [];
  const origins: Origin[] = [];
  if (isTrue) collect([], values, marked, { marks, sources, found: origins, substitution });
  else origins.push(...leavesOf([], values).map(({ path, node }) => unknown(path, node)));
  return chained(origins, sources, build, substitution);
}

interface Collecting {
  readonly marks: Marks;
  readonly sources: readonly Source[];
  readonly found: Origin[];
  readonly substitution: Substitution | undefined;
}

function collect(path: readonly string[], node: Node, mark: Node, all: Collecting): void {
  const value = valueOf(node);
  if (isMapping(value) && entriesOf(value).size > 0) {
    const others = isMapping(valueOf(mark)) ? entriesOf(valueOf(mark)) : undefined;
    for (const [key, entry] of entriesOf(value))
      collect([...path, key], entry, others?.get(key) ?? entry, all);
    return;
  }
  all.found.push(
    isSequence(value) ? originOfList(path, value, mark, all) : originOfLeaf(path, value, mark, all),
  );
}

function originOfLeaf(
  path: readonly string[],
  value: Node,
  mark: Node,
  { marks, sources, substitution }: Collecting,
): Origin {
  const own = isMapping(value) ? emptyIn(valueOf(mark)) : mark;
  const found = own === undefined || !isScalar(valueOf(own)) ? undefined : marks.at(scalarText(valueOf(own)));
  if (found !== undefined && isSameValue(found, value, substitution))
    return { path, value, source: found.document, at: found.at };
  if (isScalar(value) && isNull(value)) {
    const nulls = sources.flatMap(({ document, says }) =>
      says.filter((each) => isAt(each, path) && isNullValue(each.node)).map(({ at }) => ({ document, at })),
    );
    const [only, second] = nulls;
    const isMoved = sources.some(({ document: { operations = [] } }) =>
      operations.some(({ op, path: to }) => isMove(op) && startsWith([...field, ...path], to)),
    );
    return only === undefined || second !== undefined || isMoved
      ? unknown(path, value)
      : { path, value, source: only.document, at: only.at };
  }
  return isMapping(value) ? emptied(path, value, sources) : unknown(path, value);
}

function isMove(op: string): boolean {
  return op === "move" || op === "copy";
}

/** The mark of an empty mapping. */
function emptyIn(mark: Node): Node | undefined {
  return isMapping(mark) ? entriesOf(mark).get(emptyKey) : undefined;
}

/** A mapping is empty because of the highest document that takes away what is in it, or as kustomize drops its nulls. */
function emptied(path: readonly string[], value: Node, sources: readonly Source[]): Origin {
  const below = sources.flatMap(({ document, says }) =>
    says.filter((each) => isBelow(each, path)).map(({ at }) => ({ document, at })),
  );
  const isOfOne = below.every(({ document }) => document === below[0]?.document);
  const [first] = sources.flatMap(({ document, removes }) =>
    removes.filter((each) => isBelow(each, path)).map(({ at }) => ({ document, at })),
  );
  const top = editsBelow(path, sources).at(-1) ?? (isOfOne ? (below[0] ?? first) : undefined);
  return top === undefined ? unknown(path, value) : { path, value, source: top.document, at: top.at };
}

/** What takes something away below a path that a document below it says. */
function editsBelow(
  path: readonly string[],
  sources: readonly Source[],
  lower: readonly Source[] = [],
): readonly Found[] {
  return sources.flatMap(({ document, removes }, index) => {
    const says = [...lower, ...sources.slice(0, index + 1)].flatMap((each) => each.says);
    const isThere = (own: Removal): boolean =>
      says.some((each) => startsWith(each.path, own.path) || startsWith(own.path, each.path));
    return removes.filter((each) => isBelow(each, path) && isThere(each)).map(({ at }) => ({ document, at }));
  });
}

/** A list is from the highest document that has a part of it, or takes one away. */
function originOfList(path: readonly string[], value: Node, mark: Node, all: Collecting): Origin {
  const found = marksIn(value, valueOf(mark), all);
  if (found === undefined) return unknown(path, value);
  const { sources, substitution } = all;
  if (found.length === 0) return originWithoutMarks(path, value, sources);
  const rankOf = (document: SourceDocument): number => {
    const rank = sources.findIndex((each) => each.document === document);
    return rank < 0 ? sources.length : rank;
  };
  const [top] = found.toSorted((a, b) => rankOf(b.document) - rankOf(a.document));
  const rank = top === undefined ? -1 : rankOf(top.document);
  const whole = sources[rank]?.says.findLast((each) => isAt(each, path));
  const isWhole = whole !== undefined && areEqual(whole.node, value, substitution);
  const edits = editsBelow(path, sources.slice(rank + 1), sources.slice(0, rank + 1));
  const edit = isWhole ? undefined : edits.at(-1);
  if (edit !== undefined) return { path, value, source: edit.document, at: edit.at };
  const isEdited = sources[rank]?.removes.some((each) => isBelow(each, path)) === true;
  const isMixed = found.some(({ document }) => document !== top?.document);
  if (top === undefined || !(isWhole || isEdited || isMixed)) return unknown(path, value);
  return { path, value, source: top.document, at: whole?.at ?? top.at };
}

/** A list that is empty, or holds nothing but nulls. */
function originWithoutMarks(path: readonly string[], value: Node, sources: readonly Source[]): Origin {
  const rank = sources.findLastIndex(({ says }) =>
    says.some((each) => isAt(each, path) && areEqual(each.node, value)),
  );
  const edit = editsBelow(path, sources.slice(rank + 1), sources.slice(0, rank + 1)).at(-1);
  const whole = sources[rank]?.says.findLast((each) => isAt(each, path));
  if (edit !== undefined)
    return membersOf(value).size === 0
      ? { path, value, source: edit.document, at: edit.at }
      : unknown(path, value);
  const { document } = sources[rank] ?? {};
  return document === undefined || whole === undefined
    ? unknown(path, value)
    : { path, value, source: document, at: whole.at };
}

function isBelow(each: Saying | Removal, path: readonly string[]): boolean {
  return each.path.length > path.length && startsWith(each.path, path);
}

interface Found {
  readonly document: SourceDocument;
  readonly at: Place;
}

/** Undefined where a part of the list has no mark, or that of another value. */
function marksIn(node: Node, mark: Node, all: Collecting): readonly Found[] | undefined {
  const { marks, substitution } = all;
  const [value, own] = [valueOf(node), valueOf(mark)];
  if (isScalar(value)) {
    if (isNull(value)) return [];
    const found = isScalar(own) ? marks.at(scalarText(own)) : undefined;
    return found !== undefined && isSameValue(found, value, substitution) ? [found] : undefined;
  }
  if (isScalar(own) || isMapping(own) !== isMapping(value)) return undefined;
  const members = markedMembers(value, own, marks);
  if (membersOf(value).size === 0) {
    const [first] = [...membersOf(own).values()];
    // An operation took away what was in it.
    if (first === undefined) return [];
    const found = first && isScalar(valueOf(first)) ? marks.at(scalarText(valueOf(first))) : undefined;
    return found !== undefined && isSameValue(found, value, substitution) ? [found] : undefined;
  }
  if (members.length !== membersOf(value).size) return undefined;
  const parts = members.map(([key, each]) => {
    const there = membersOf(value).get(key);
    return there === undefined ? undefined : marksIn(there, each, all);
  });
  return parts.some((each) => each === undefined) ? undefined : parts.flatMap((each) => each ?? []);
}

/** Those that the value is made with. */
function variablesOf(
  { path, source, value }: Origin,
  says: readonly Saying[],
  substitution: Substitution | undefined,
): Pick<ChainValue, "variables"> {
  if (substitution === undefined || source === undefined) return {};
  const [own] = says.filter((each) => isAt(each, path));
  if (own === undefined || areEqual(own.node, value) || !areEqual(own.node, value, substitution)) return {};
  const variables = scalarsIn(own.node).flatMap((text) => substitution.inText(text).variables);
  return variables.length === 0
    ? {}
    : { variables: [...new Map(variables.map((each) => [each.name, each])).values()] };
}

function scalarsIn(node: Node): readonly string[] {
  const value = valueOf(node);
  if (isScalar(value)) return [scalarText(value)];
  return [...membersOf(value).values()].flatMap(scalarsIn);
}

/** Without marks of what was empty, and is not any more. */
function markedMembers(value: Node, own: Node, marks: Marks): readonly (readonly [string, Node])[] {
  const all = [...membersOf(own)];
  if (isMapping(own)) return all.filter(([key]) => key !== emptyKey || membersOf(value).has(key));
  if (all.length === membersOf(value).size) return all;
  const isOfEmptyList = (node: Node): boolean => {
    const found = isScalar(valueOf(node)) ? marks.at(scalarText(valueOf(node)))?.value : undefined;
    return found !== undefined && !(found instanceof Uint8Array) && isSequence(found);
  };
  return all.filter(([, node]) => !isOfEmptyList(node)).map(([, node], index) => [String(index), node]);
}

function unknown(path: readonly string[], value: Node): Origin {
  return { path, value, source: undefined, at: undefined };
}

function isAt({ path }: { readonly path: readonly string[] }, other: readonly string[]): boolean {
  return path.length === other.length && startsWith(path, other);
}

function isNullValue(node: Node): boolean {
  const value = valueOf(node);
  return isScalar(value) && isNull(value);
}

/** What a document says below the field, and what it takes away there. */
function sourceOf(document: SourceDocument): Source {
  const { root, operations, placeAt, role } = document;
  const says: Saying[] = [];
  const removes: Removal[] = [];
  const say = (path: readonly string[], node: Node): void => {
    for (const each of leavesOf(path, node)) {
      const at = placeAt(startOf(each.node));
      if (role === "patch" && isNullValue(each.node)) removes.push({ path: each.path, at });
      else says.push({ ...each, at });
    }
  };
  const own =
    root === undefined
      ? undefined
      : field.reduce<Node | undefined>((node, key) => node && childOf(node, key), root);
  if (own !== undefined) {
    say([], own);
    removes.push(...directivesIn([], own, placeAt));
  }
  for (const { op, path, value, node } of operations ?? []) {
    if (!startsWith(path, field) || !["add", "replace", "remove"].includes(op)) continue;
    const steps = path.slice(field.length);
    removes.push({ path: steps, at: placeAt(startOf(node)) });
    if (value !== undefined && op !== "remove") say(steps, value);
  }
  return { document, says, removes };
}

/** `$patch: delete` and `$patch: replace`, where they are. */
function directivesIn(
  path: readonly string[],
  node: Node,
  placeAt: SourceDocument["placeAt"],
): readonly Removal[] {
  const value = valueOf(node);
  if (!isMapping(value)) return [];
  const directive = textAt(value, "$patch");
  const at = placeAt(startOf(childOf(value, "$patch") ?? value));
  const own = directive === undefined ? [] : [{ path, at }];
  return [...own, ...keysIn(value).flatMap(([key, entry]) => directivesIn([...path, key], entry, placeAt))];
}

/** Scalars, lists and empty mappings; directives of patches are no values. */
function leavesOf(path: readonly string[], node: Node): readonly { path: readonly string[]; node: Node }[] {
  const value = valueOf(node);
  if (!isMapping(value)) return [{ path, node: value }];
  const entries = keysIn(value);
  const values = entries.filter(([key]) => !key.startsWith("$"));
  if (entries.length === 0) return [{ path, node: value }];
  return values.flatMap(([key, entry]) => leavesOf([...path, key], entry));
}

/** The documents that have something to show, lowest first, and what is gone. */
function chained(
  origins: readonly Origin[],
  sources: readonly Source[],
  build: Place,
  substitution: Substitution | undefined,
): Chain {
  const own = sources.map(({ document }) => document);
  // A replacement takes a value from an object of its own, and applies last.
  const others = origins.flatMap(({ source }) =>
    source === undefined || own.includes(source) ? [] : source,
  );
  const order = [...own, ...new Set(others), undefined];
  const rankOf = ({ source }: Origin): number => order.indexOf(source);
  const values = order.map((): ChainValue[] => []);
  const gone = new Map<string, Gone>();
  for (const origin of origins) {
    const { path, value, at = build } = origin;
    values[rankOf(origin)]?.push({
      path,
      text: oneLine(value),
      at,
      ...variablesOf(origin, sources[rankOf(origin)]?.says ?? [], substitution),
    });
  }
  const index = new PathIndex(origins);
  for (const [rank, { says }] of sources.entries())
    for (const saying of says) {
      const above = index.near(saying.path).filter((origin) => isOver(origin, saying.path));
      if (above.length === 0)
        gone.set(JSON.stringify(saying.path), { saying, higher: sources.slice(rank + 1) });
      else if (above.every((each) => rankOf(each) > rank))
        values[rank]?.push({ path: saying.path, text: oneLine(saying.node), at: saying.at });
    }
  const documents = order.map((source, rank): ChainDocument => {
    const inBuild = { at: source?.at ?? build, values: inOrder(values[rank] ?? [], index) };
    const isPatch = rank >= sources.length || source?.role === "patch" || source?.role === "operations";
    return { ...inBuild, isPatch, isSecret: source?.kind === "Secret" };
  });
  const removed = [...gone.values()].flatMap(removedBy);
  return { documents: documents.filter((each) => each.values.length > 0), removed };
}

/** True for a value of the result that overrides a lower one: an empty mapping would unite with it. */
function isOver({ path, value }: Origin, lower: readonly string[]): boolean {
  const isInside = lower.length > path.length;
  return startsWith(path, lower) || (startsWith(lower, path) && !(isInside && isMapping(value)));
}

/** A value of a document that the result does not have, and the documents above that. */
interface Gone {
  readonly saying: Saying;
  readonly higher: readonly Source[];
}

/** As the result has them. */
function inOrder(values: readonly ChainValue[], index: PathIndex): readonly ChainValue[] {
  const ranks = new Map(values.map((each) => [each, index.rankOf(each.path)]));
  return values.toSorted((a, b) => (ranks.get(a) ?? 0) - (ranks.get(b) ?? 0));
}

/** Origins by their paths and by all that their paths begin with. */
class PathIndex {
  private readonly byStart = new Map<string, Origin[]>();
  private readonly byPath = new Map<string, Origin>();
  private readonly ranks: ReadonlyMap<Origin, number>;

  constructor(origins: readonly Origin[]) {
    this.ranks = new Map(origins.map((origin, rank) => [origin, rank]));
    for (const origin of origins) {
      this.byPath.set(JSON.stringify(origin.path), origin);
      for (let length = 0; length <= origin.path.length; length++) {
        const start = JSON.stringify(origin.path.slice(0, length));
        const known = this.byStart.get(start);
        if (known === undefined) this.byStart.set(start, [origin]);
        else known.push(origin);
      }
    }
  }

  /** The origins at a path, above it and below it. */
  near(path: readonly string[]): readonly Origin[] {
    const below = this.byStart.get(JSON.stringify(path)) ?? [];
    if (below.length > 0) return below;
    const starts = path.map((_, length) => JSON.stringify(path.slice(0, length)));
    return starts.flatMap((start) => this.byPath.get(start) ?? []);
  }

  rankOf(path: readonly string[]): number {
    const [first] = this.near(path);
    return first === undefined ? -1 : (this.ranks.get(first) ?? -1);
  }
}

/** What a higher document takes away; what no document is known to take away is not said. */
function removedBy({ saying: { path, node, at: was }, higher }: Gone): readonly RemovedValue[] {
  const removal = higher.flatMap(({ removes }) => removes).find((each) => startsWith(path, each.path));
  return removal === undefined ? [] : [{ path, at: removal.at, text: oneLine(node), was }];
}
