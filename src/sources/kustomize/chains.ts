// The inline values of an object, as kustomize built them with values and with marks → the documents that set them, lowest
// first, and what a higher document takes away.
import type { Node } from "../../yaml/index.ts";
import { type Chain, type ChainDocument, type ChainValue, oneLine } from "../../explain/index.ts";
import type { Place, RemovedValue } from "../../explanation.ts";
import { areEqual, isPatch, type Marks, membersOf, type SourceDocument, startsWith } from "./marks.ts";
import { isAt, leavesOf, type Saying, type PatchSource, sourceOf } from "./sayings.ts";
import type { Substitution } from "./substitution.ts";
import { collect, type SourcedValue, unknown } from "./value-origins.ts";

interface KnownChain {
  readonly marks?: Marks;
  /** The documents that reached the object, in their order. */
  readonly reached?: readonly SourceDocument[];
  /** The path of the field that holds the values. */
  readonly field: readonly string[];
  /** The kustomization that was built. */
  readonly build: Place;
  readonly substitution?: Substitution | undefined;
  /** True where a value of which no document is proven may be that of a Secret. */
  readonly mayTakeSecrets: boolean;
}

/**
 * @param values what kustomize built
 * @param marked the same with marks; undefined where no marks could be built
 */
export function chainOf(
  values: Node,
  marked: Node | undefined,
  { marks, reached = [], field, build, substitution, mayTakeSecrets }: KnownChain,
): Chain {
  const isTrue = marks !== undefined && marked !== undefined;
  const sources = isTrue ? reached.map((each) => sourceOf(each, field)) : [];
  const origins: SourcedValue[] = [];
  if (isTrue) collect([], values, marked, { marks, field, sources, found: origins, substitution });
  else origins.push(...leavesOf([], values).map(({ path, node }) => unknown(path, node)));
  return chained(origins, sources, { build, substitution, mayTakeSecrets });
}

/** Those that the value is made with. */
function variablesOf(
  { path, source, value }: SourcedValue,
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
  const value = node.value;
  if (value.isScalar) return [value.text];
  return [...membersOf(value).values()].flatMap(scalarsIn);
}

/** The documents that have something to show, lowest first, and what is gone. */
function chained(
  origins: readonly SourcedValue[],
  sources: readonly PatchSource[],
  { build, substitution, mayTakeSecrets }: Pick<KnownChain, "build" | "substitution" | "mayTakeSecrets">,
): Chain {
  const own = sources.map(({ document }) => document);
  // A replacement takes a value from an object of its own, and applies last.
  const others = origins.flatMap(({ source }) =>
    source === undefined || own.includes(source) ? [] : source,
  );
  const order = [...own, ...new Set(others), undefined];
  const rankOf = ({ source }: SourcedValue): number => order.indexOf(source);
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
  const documents = order.map((source, rank): ChainDocument => ({
    at: source?.at ?? build,
    values: inOrder(values[rank] ?? [], index),
    ...natureOf(source, rank >= sources.length, mayTakeSecrets),
  }));
  const removed = [...gone.values()].flatMap(removedBy);
  return { documents: documents.filter((each) => each.values.length > 0), removed };
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
function inOrder(values: readonly ChainValue[], index: PathIndex): readonly ChainValue[] {
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
        const known = this.byStart.get(start);
        if (known === undefined) this.byStart.set(start, [origin]);
        else known.push(origin);
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
  return removal === undefined ? [] : [{ path, at: removal.at, text: oneLine(node), was }];
}
