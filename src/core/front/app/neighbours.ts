// Which entries of one kind and priority are next to each other in a list: only among these the order matters. An entry
// finds its place by them once a fold has replaced it.
import type { Neighbours, Reference } from "../../../layers/index.ts";
import { grouped } from "../../../grouped.ts";
import { entryName } from "../../refold/record.ts";

/** Facts about the entries of a list. */
interface ListFacts {
  /** Every name an entry has or had, the present one first. */
  readonly namesOf: (reference: Reference) => readonly string[];
  /** True for the entry of an earlier fold that stays. */
  readonly isFold: (reference: Reference) => boolean;
}

/** A list without folds. */
export const unfolded: ListFacts = { namesOf: (reference) => [entryName(reference)], isFold: () => false };

/**
 * Each entry with its neighbours of the same kind and priority, and of the other kind. A fold that stays is not among them.
 */
export function withNeighbours(list: readonly Reference[], facts: ListFacts): readonly Reference[] {
  if (list.length < 2) return list;
  const own = list.filter((each) => !facts.isFold(each));
  const likes = nearestIn(own, likeness, likeness);
  const isMixed = own.some(({ kind }) => kind !== own[0]?.kind);
  const others = isMixed ? othersIn(list, own, facts) : undefined;
  return list.map((reference, place) => {
    if (facts.isFold(reference)) return reference;
    const neighbours = neighboursOf(reference.neighbours, likes(reference), facts.namesOf);
    return { ...reference, neighbours, ...(others && { others: others(reference, place) }) };
  });
}

function likeness({ kind, priority }: Reference): string {
  return `${kind}/${priority}`;
}

const otherKind = { ConfigMap: "Secret", Secret: "ConfigMap" } as const;

/**
 * The recorded entry of the other kind, else the nearest one. The record applies as long as nothing contradicts it: the
 * entry is restored itself, or it is on the recorded side.
 */
function othersIn(
  list: readonly Reference[],
  own: readonly Reference[],
  { namesOf }: ListFacts,
): (reference: Reference, place: number) => Neighbours {
  const nearest = nearestIn(
    own,
    ({ kind }) => otherKind[kind],
    ({ kind }) => kind,
  );
  const named = list.flatMap((each, place) => namesOf(each).map((name) => ({ name, each, place })));
  const placesOf = grouped(named, ({ name }) => name);
  const isThere = (name: string | undefined, side: (place: number) => boolean): name is string =>
    name !== undefined &&
    placesOf.get(name)?.some(({ each, place }) => each.node === undefined || side(place)) === true;
  return (reference, place) => {
    const { kind, neighbours: { after, before } = {} } = reference;
    const isOther = (after ?? before)?.startsWith(`${otherKind[kind]}/`) === true;
    if (isOther && isThere(after, (other) => other < place)) return { after };
    if (isOther && isThere(before, (other) => other > place)) return { before };
    return neighboursOf(undefined, nearest(reference), namesOf);
  };
}

type AdjacentEntries = readonly [lower: Reference | undefined, upper: Reference | undefined];

/** For each entry the nearest ones before and after it with a given mark. */
function nearestIn(
  list: readonly Reference[],
  wanted: (reference: Reference) => string,
  markOf: (reference: Reference) => string,
): (reference: Reference) => AdjacentEntries {
  const [lower, upper] = [list, list.toReversed()].map((entries) => {
    const found = new Map<Reference, Reference>();
    const last = new Map<string, Reference>();
    for (const reference of entries) {
      const before = last.get(wanted(reference));
      if (before !== undefined) found.set(reference, before);
      last.set(markOf(reference), reference);
    }
    return found;
  });
  return (reference) => [lower?.get(reference), upper?.get(reference)];
}

function neighboursOf(
  recorded: Neighbours | undefined,
  [lower, upper]: AdjacentEntries,
  namesOf: ListFacts["namesOf"],
): Neighbours {
  return {
    ...(lower && { after: oneOf(namesOf(lower), recorded?.after) }),
    ...(upper && { before: oneOf(namesOf(upper), recorded?.before) }),
  };
}

/** A recorded name stays as it is while it is valid: folding again changes nothing. */
function oneOf(names: readonly string[], recorded: string | undefined): string {
  const [name = ""] = names;
  return recorded !== undefined && names.includes(recorded) ? recorded : name;
}
