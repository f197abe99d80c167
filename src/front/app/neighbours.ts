// Which entries of one kind and priority stand beside each other in a list: only among these its order counts, and that
// is how an entry finds its place again once a fold has replaced it.
import type { Neighbours, Reference } from "../../model.ts";
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

/** Each entry with its like before it, the first with its like behind it. A fold that stays has no place among them. */
export function withNeighbours(list: readonly Reference[], { namesOf, isFold }: Known): readonly Reference[] {
  if (list.length < 2) return list;
  const lowerOf = new Map<Reference, Reference>();
  const upperOf = new Map<Reference, Reference>();
  const last = new Map<string, Reference>();
  for (const reference of list.filter((each) => !isFold(each))) {
    const key = `${reference.kind}/${reference.priority}`;
    const lower = last.get(key);
    if (lower !== undefined) {
      lowerOf.set(reference, lower);
      upperOf.set(lower, reference);
    }
    last.set(key, reference);
  }
  return list.map((reference) => {
    if (isFold(reference)) return reference;
    const [lower, upper] = [lowerOf.get(reference), upperOf.get(reference)];
    return { ...reference, neighbours: neighboursOf(reference.neighbours, lower, upper, namesOf) };
  });
}

function neighboursOf(
  recorded: Neighbours | undefined,
  lower: Reference | undefined,
  upper: Reference | undefined,
  namesOf: Known["namesOf"],
): Neighbours {
  if (lower !== undefined) return { after: oneOf(namesOf(lower), recorded?.after) };
  return upper === undefined ? {} : { before: oneOf(namesOf(upper), recorded?.before) };
}

/** What was recorded stays as it is while it is true: folding again changes nothing. */
function oneOf(names: readonly string[], recorded: string | undefined): string {
  const [name = ""] = names;
  return recorded !== undefined && names.includes(recorded) ? recorded : name;
}
