// The inline values of an object, as kustomize built them with values and with marks → the documents that set them, lowest
// first, and what a higher document takes away.
import type { Node } from "../../yaml/index.ts";
import { type Chain, type ChainDocument, type ChainValue, oneLine } from "../../explain/index.ts";
import type { Place, RemovedValue } from "../../explanation.ts";
import { MadeValues } from "./made-values.ts";
import { isPatch, type Marks, scalarsIn, type SourceDocument, startsWith } from "./marks.ts";
import { isAt, leavesOf, type Saying, type PatchSource, saidAt, sourceOf, withCopies } from "./sayings.ts";
import type { SubstitutedStream } from "./overlay.ts";
import { collect, sourced, type SourcedValue } from "./value-origins.ts";
import { distinct } from "../../grouped.ts";
import { remembered } from "../../remembered.ts";

/** What a field was before variables were replaced, and what replaced them. */
interface SubstitutedField {
  readonly built: Node;
  readonly variablesIn: SubstitutedStream["variablesIn"];
}

interface KnownChain {
  readonly marks?: Marks;
  /** The documents that reached the object, in their order. */
  readonly reached?: readonly SourceDocument[];
  /** The path of the field that holds the values. */
  readonly field: readonly string[];
  /** The kustomization that was built. */
  readonly build: Place;
  /** That of values that are others once variables are replaced. */
  readonly directory: Place;
  readonly substituted?: SubstitutedField | undefined;
  /** True where a value of which no document is proven may be that of a Secret. */
  readonly mayTakeSecrets: boolean;
}

/**
 * @param values what the object holds
 * @param marked what kustomize built with marks; undefined where no marks could be built
 */
export function chainOf(
  values: Node,
  marked: Node | undefined,
  { marks, reached = [], field, build, directory, substituted, mayTakeSecrets }: KnownChain,
): Chain {
  const isTrue = marks !== undefined && marked !== undefined;
  if (!isTrue) return chained(unknownIn([], values), [], { build, mayTakeSecrets });
  const sources = withCopies(reached.map((each) => sourceOf(each, field)));
  const found: SourcedValue[] = [];
  const { built = values, variablesIn } = substituted ?? {};
  const made = substituted && new MadeValues(built, values);
  collect([], built, marked, { marks, field, sources, found });
  const others = made?.others ?? [];
  const known = found.filter(({ path }) => !others.some((each) => startsWith(path, each.path)));
  const filled = others.flatMap(({ path, node }) => unknownIn(path, node));
  const all = [...known, ...filled.map((each) => ({ ...each, at: directory }))];
  return chained(all, sources, { build, variablesIn, made, mayTakeSecrets });
}

function unknownIn(path: readonly string[], values: Node): readonly SourcedValue[] {
  return leavesOf(path, values).map((each) => sourced(each.path, each.node));
}

/** Those that the value is made with. */
function variablesOf(
  { source, value, variables: filled = [] }: SourcedValue,
  variablesIn: ChainFacts["variablesIn"],
): Pick<ChainValue, "variables"> {
  if (source === undefined) return {};
  const own = variablesIn === undefined ? [] : scalarsIn(value).flatMap(({ text }) => variablesIn(text));
  const variables = distinct([...filled, ...own], ({ name }) => name);
  return variables.length === 0 ? {} : { variables };
}

/** A value to show, at its path before variables are replaced. */
type ShownValue = Saying & Pick<ChainValue, "variables">;

interface ChainFacts extends Pick<KnownChain, "build" | "mayTakeSecrets"> {
  readonly variablesIn?: SubstitutedStream["variablesIn"] | undefined;
  readonly made?: MadeValues | undefined;
}

/** The documents that have something to show, lowest first, and what is gone. */
function chained(
  origins: readonly SourcedValue[],
  sources: readonly PatchSource[],
  { build, variablesIn, made, mayTakeSecrets }: ChainFacts,
): Chain {
  const order = orderOf(origins, sources);
  const ranks = new Map(origins.map((each) => [each, rankIn(order, each, sources)]));
  const rankOf = (origin: SourcedValue): number => ranks.get(origin) ?? order.length - 1;
  const values = order.map((): ShownValue[] => []);
  for (const origin of origins) {
    const { path, value, at = build } = origin;
    values[rankOf(origin)]?.push({
      path,
      node: made?.valueAt(path, value) ?? value,
      at,
      ...variablesOf(origin, variablesIn),
    });
  }
  const index = new PathIndex(origins);
  const gone = new Map<string, Gone>();
  for (const [rank, { says }] of sources.entries())
    for (const saying of says) {
      const above = index.near(saying.path).filter((origin) => isOver(origin, saying.path));
      if (above.length === 0)
        gone.set(JSON.stringify(saying.path), { saying, higher: sources.slice(rank + 1) });
      else if (above.every((each) => rankOf(each) > rank)) values[rank]?.push(saying);
    }
  const documents = order.map((source, rank): ChainDocument => ({
    at: source?.at ?? build,
    values: inOrder(values[rank] ?? [], index).flatMap((each) => valuesOf(each, made)),
    ...natureOf(source, rank >= sources.length, mayTakeSecrets),
  }));
  const removed = [...gone.values()]
    .flatMap(removedBy)
    .map((each) => ({ ...each, path: made?.pathOf(each.path) ?? each.path }));
  return { documents: documents.filter((each) => each.values.length > 0), removed };
}

/** Lowest first; undefined for the build itself. */
function orderOf(
  origins: readonly SourcedValue[],
  sources: readonly PatchSource[],
): readonly (SourceDocument | undefined)[] {
  const own = sources.map(({ document }) => document);
  // A replacement takes a value from an object of its own, and applies last.
  const others = origins.flatMap(({ source }) =>
    source === undefined || own.includes(source) ? [] : source,
  );
  return [...own, ...new Set(others), undefined];
}

/** One by one, where a variable is a mapping. */
function valuesOf(
  { path, node, at, variables }: ShownValue,
  made: MadeValues | undefined,
): readonly ChainValue[] {
  return leavesOf(made?.pathOf(path) ?? path, node).map((leaf) => ({
    path: leaf.path,
    text: asBuilt(leaf.node),
    at,
    ...(variables && { variables }),
  }));
}

/** A value that something copied over another one of its document is over that document. */
function rankIn(
  order: readonly (SourceDocument | undefined)[],
  { path, value, source, at }: SourcedValue,
  sources: readonly PatchSource[],
): number {
  const rank = order.indexOf(source);
  const isOf = (each: Saying): boolean => isAt(each, path) && isSamePlace(each.at, at);
  const said = saidAt(sources[rank], path);
  if (said === undefined || !value.isScalar || isSamePlace(said.at, at)) return rank;
  const copying = sources.findIndex(({ says }, index) => index > rank && says.some(isOf));
  return copying < 0 ? order.length - 1 : copying;
}

function isSamePlace(a: Place, b: Place | undefined): boolean {
  return a.file === b?.file && a.line === b?.line && a.column === b?.column;
}

/** @param isOther true for a document of another object: a patch of it may be one of a Secret */
function natureOf(
  source: SourceDocument | undefined,
  isOther: boolean,
  mayTakeSecrets: boolean,
): Pick<ChainDocument, "isPatch" | "isSecret"> {
  const isOfPatch = source !== undefined && isPatch(source);
  const isUnproven = source === undefined || (isOther && isOfPatch);
  const isSecret = source?.kind === "Secret" || (mayTakeSecrets && isUnproven);
  return { isPatch: isOther || isOfPatch, isSecret };
}

/** True for a value of the result that overrides a lower one: an empty mapping would unite with it. */
function isOver({ path, value }: SourcedValue, lower: readonly string[]): boolean {
  const isInside = lower.length > path.length;
  return startsWith(path, lower) || (startsWith(lower, path) && !(isInside && value.isMapping));
}

/** A value of a document that the result does not have, and the documents above that. */
interface Gone {
  readonly saying: Saying;
  readonly higher: readonly PatchSource[];
}

/** As the result has them. */
function inOrder(values: readonly ShownValue[], index: PathIndex): readonly ShownValue[] {
  const ranks = new Map(values.map((each) => [each, index.rankOf(each.path)]));
  return values.toSorted((a, b) => (ranks.get(a) ?? 0) - (ranks.get(b) ?? 0));
}

/** Origins by their paths and by all that their paths begin with. */
class PathIndex {
  private readonly byStart = new Map<string, SourcedValue[]>();
  private readonly byPath = new Map<string, SourcedValue>();
  private readonly ranks: ReadonlyMap<SourcedValue, number>;

  constructor(origins: readonly SourcedValue[]) {
    this.ranks = new Map(origins.map((origin, rank) => [origin, rank]));
    for (const origin of origins) {
      this.byPath.set(JSON.stringify(origin.path), origin);
      for (let length = 0; length <= origin.path.length; length++) {
        const start = JSON.stringify(origin.path.slice(0, length));
        remembered(this.byStart, start, () => []).push(origin);
      }
    }
  }

  /** The origins at a path, above it and below it. */
  near(path: readonly string[]): readonly SourcedValue[] {
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
  return removal === undefined ? [] : [{ path, at: removal.at, text: asBuilt(node), was }];
}

/** As kustomize would write it: to it, words such as `yes` are texts. */
function asBuilt(node: Node): string {
  const text = oneLine(node);
  if (node.value.isScalar) return /^(?:y|n|yes|no|on|off)$/i.test(text) ? `"${text}"` : text;
  if (/["']/.test(text)) return text;
  return text.replaceAll(/(?<=[[,] ?|: )(?:y|n|yes|no|on|off)(?=[\],}])/gi, (word) => `"${word}"`);
}
