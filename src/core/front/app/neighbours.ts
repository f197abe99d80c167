// Which entries of one kind and priority are next to each other in a list: only among these the order matters. An entry
// finds its place by them once a fold has replaced it.
import type { Neighbours, Reference } from "../../model.ts";
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
 * Each entry with its neighbours of the same kind and priority, and a search for those outside a fold. A fold that stays is
 * not among them.
 */
export function withNeighbours(list: readonly Reference[], facts: ListFacts): readonly Reference[] {
  if (list.length < 2) return list;
  const likes = nearestLikes(list.filter((each) => !facts.isFold(each)));
  const all: readonly Reference[] = list.map((reference, place) => {
    if (facts.isFold(reference)) return reference;
    const neighbours = neighboursOf(reference.neighbours, likes(reference), facts.namesOf);
    const outside = (fold: ReadonlySet<Reference>): Neighbours =>
      neighboursOutside(
        reference.neighbours,
        place,
        all,
        (each) => !facts.isFold(each) && !fold.has(each),
        facts,
      );
    return { ...reference, neighbours, outside };
  });
  return all;
}

/**
 * The recorded neighbour, else the nearest one, of any kind and priority. The record applies as long as nothing contradicts
 * it: the neighbour is restored itself, or it is on the recorded side.
 */
function neighboursOutside(
  { after, before }: Neighbours = {},
  place: number,
  list: readonly Reference[],
  isOutside: (reference: Reference) => boolean,
  { namesOf }: ListFacts,
): Neighbours {
  const isThere = (name: string | undefined, isOnSide: (other: number) => boolean): name is string =>
    name !== undefined &&
    list.some(
      (each, other) =>
        (each.node === undefined || isOnSide(other)) && isOutside(each) && namesOf(each).includes(name),
    );
  if (isThere(after, (other) => other < place)) return { after };
  if (isThere(before, (other) => other > place)) return { before };
  const lower = list.slice(0, place).findLast(isOutside);
  if (lower !== undefined) return neighboursOf(undefined, [lower, undefined], namesOf);
  return neighboursOf(undefined, [undefined, list.slice(place + 1).find(isOutside)], namesOf);
}

type AdjacentEntries = readonly [lower: Reference | undefined, upper: Reference | undefined];

/** For each entry the nearest ones of its kind and priority before and after it. */
function nearestLikes(list: readonly Reference[]): (reference: Reference) => AdjacentEntries {
  const [lower, upper] = [list, list.toReversed()].map((entries) => {
    const found = new Map<Reference, Reference>();
    const last = new Map<string, Reference>();
    for (const reference of entries) {
      const likeness = `${reference.kind}/${reference.priority}`;
      const before = last.get(likeness);
      if (before !== undefined) found.set(reference, before);
      last.set(likeness, reference);
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
