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

/**
 * Each entry with its like before it, the first with its like behind it, and with the nearest entry of the other kind. A
 * fold that stays has no place among them.
 */
export function withNeighbours(list: readonly Reference[], known: Known): readonly Reference[] {
  if (list.length < 2) return list;
  const own = list.filter((each) => !known.isFold(each));
  const likeBefore = nearest(own, ({ kind, priority }) => `${kind}/${priority}`);
  const likeAfter = nearest(own.toReversed(), ({ kind, priority }) => `${kind}/${priority}`);
  const otherBefore = nearest(own, ({ kind }) => otherKind[kind], ({ kind }) => kind);
  const otherAfter = nearest(own.toReversed(), ({ kind }) => otherKind[kind], ({ kind }) => kind);
  return list.map((reference) => {
    if (known.isFold(reference)) return reference;
    const beside = (before: Found, after: Found): Neighbours =>
      neighboursOf(reference.neighbours, before.get(reference), after.get(reference), known.namesOf);
    return {
      ...reference,
      neighbours: beside(likeBefore, likeAfter),
      others: beside(otherBefore, otherAfter),
    };
  });
}

const otherKind = { ConfigMap: "Secret", Secret: "ConfigMap" } as const;

type Found = ReadonlyMap<Reference, Reference>;

/** For each entry the last one before it that bears the mark it asks for. */
function nearest(
  list: readonly Reference[],
  wanted: (reference: Reference) => string,
  mark = wanted,
): Found {
  const found = new Map<Reference, Reference>();
  const last = new Map<string, Reference>();
  for (const reference of list) {
    const before = last.get(wanted(reference));
    if (before !== undefined) found.set(reference, before);
    last.set(mark(reference), reference);
  }
  return found;
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
