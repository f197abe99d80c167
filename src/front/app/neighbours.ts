// Which entries of one kind and priority stand beside each other in a list: only among these its order counts, and that
// is how an entry finds its place again once a fold has replaced it.
import type { Neighbours, Reference } from "../../model.ts";
import { grouped } from "../../grouped.ts";
import { entryName } from "../../refold/record.ts";

/** What is known of the entries of a list. */
interface Known {
  /** Every name an entry has or had, the present one first. */
  readonly namesOf: (reference: Reference) => readonly string[];
  /** True for the entry of an earlier fold that stays. */
  readonly isFold: (reference: Reference) => boolean;
}

/** A list in which nothing was folded yet. */
export const unfolded: Known = { namesOf: (reference) => [entryName(reference)], isFold: () => false };

/** Each entry with its like and with the other kind beside it. A fold that stays has no place among them. */
export function withNeighbours(list: readonly Reference[], known: Known): readonly Reference[] {
  if (list.length < 2) return list;
  const own = list.filter((each) => !known.isFold(each));
  const likes = besideIn(own, likeness, likeness);
  const isMixed = own.some(({ kind }) => kind !== own[0]?.kind);
  const others = isMixed ? othersIn(list, own, known) : undefined;
  return list.map((reference, place) => {
    if (known.isFold(reference)) return reference;
    const neighbours = neighboursOf(reference.neighbours, likes(reference), known.namesOf);
    return { ...reference, neighbours, ...(others && { others: others(reference, place) }) };
  });
}

function likeness({ kind, priority }: Reference): string {
  return `${kind}/${priority}`;
}

const otherKind = { ConfigMap: "Secret", Secret: "ConfigMap" } as const;

/**
 * The recorded entry of the other kind, else the nearest one. What is recorded holds while nothing says otherwise: the
 * entry comes back itself, or it is on the recorded side.
 */
function othersIn(
  list: readonly Reference[],
  own: readonly Reference[],
  { namesOf }: Known,
): (reference: Reference, place: number) => Neighbours {
  const beside = besideIn(
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
    return neighboursOf(undefined, beside(reference), namesOf);
  };
}

type Beside = readonly [lower: Reference | undefined, upper: Reference | undefined];

/** For each entry the nearest ones before and after it that have the mark it asks for. */
function besideIn(
  list: readonly Reference[],
  wanted: (reference: Reference) => string,
  markOf: (reference: Reference) => string,
): (reference: Reference) => Beside {
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
  [lower, upper]: Beside,
  namesOf: Known["namesOf"],
): Neighbours {
  return {
    ...(lower && { after: oneOf(namesOf(lower), recorded?.after) }),
    ...(upper && { before: oneOf(namesOf(upper), recorded?.before) }),
  };
}

/** What was recorded stays as it is while it is true: folding again changes nothing. */
function oneOf(names: readonly string[], recorded: string | undefined): string {
  const [name = ""] = names;
  return recorded !== undefined && names.includes(recorded) ? recorded : name;
}
