// Lookups of entries of a list: by name, by place, by the fold that removed them.
import { grouped } from "../../../grouped.ts";
import type { RecordedLayer, Reference, Restoration } from "../../../layers/index.ts";
import { entryName } from "../../refold/record.ts";

/** The list in the input. */
export interface PresentList {
  readonly references: readonly Reference[];
  /** The earlier fold that a reference names. */
  readonly foldIn: (reference: Reference) => Restoration | undefined;
  /** Every name by which a neighbour may have been recorded. */
  readonly namesOf: (reference: Reference) => readonly string[];
  readonly restored: (layer: RecordedLayer) => Reference;
}

/** Entries that were next to each other. */
export interface Block {
  readonly fold: Restoration;
  readonly references: readonly Reference[];
  readonly after: string | undefined;
  readonly before: string | undefined;
  /** True if the fold replaced its last entry. */
  readonly holdsPlace: boolean;
}

/** What can be found in the list by name. */
export interface EntryLookup {
  /** Folds by the place of their entry. */
  readonly inList: ReadonlyMap<Restoration, number>;
  readonly places: ReadonlyMap<Reference, number>;
  readonly there: ReadonlyMap<string, Reference>;
  /** Includes restored ones. */
  readonly known: ReadonlyMap<string, Reference>;
  /** By name only, whatever their present priority. */
  readonly named: ReadonlyMap<string, readonly Reference[]>;
  /** For each folded entry, the entry of the fold that replaced the last one. */
  readonly folded: ReadonlyMap<string, Reference>;
  /** The block in which an entry is restored. */
  readonly blockOf: ReadonlyMap<Reference, Block>;
}

export function entriesOf(blocks: readonly Block[], present: PresentList): EntryLookup {
  const { references, foldIn } = present;
  const inList = new Map(
    references.flatMap((each, index) => {
      const fold = foldIn(each);
      return fold === undefined ? [] : [[fold, index] as const];
    }),
  );
  const there = entriesByName(present);
  return {
    inList,
    places: new Map(references.map((each, index) => [each, index])),
    there,
    known: new Map([...restoredByName(blocks), ...there]),
    named: presentByName(present),
    folded: foldedByName(blocks, (fold) => references[inList.get(fold) ?? -1]),
    blockOf: new Map(blocks.flatMap((block) => block.references.map((each) => [each, block] as const))),
  };
}

/** Neighbours have the same priority; a list may contain one layer several times. */
export function placeName(name: string, { priority }: Reference): string {
  return `${priority} ${name}`;
}

function entriesByName({ references, foldIn, namesOf }: PresentList): Map<string, Reference> {
  const own = references.filter((each) => foldIn(each) === undefined);
  return new Map(own.flatMap((each) => namesOf(each).map((name) => [placeName(name, each), each] as const)));
}

function presentByName({ references, foldIn, namesOf }: PresentList): Map<string, Reference[]> {
  const own = references.filter((each) => foldIn(each) === undefined);
  const named = own.flatMap((each) => namesOf(each).map((name) => ({ name, each })));
  return new Map(
    [...grouped(named, ({ name }) => name)].map(([name, all]) => [name, all.map(({ each }) => each)]),
  );
}

function foldedByName(
  blocks: readonly Block[],
  entryOf: (fold: Restoration) => Reference | undefined,
): Map<string, Reference> {
  const inPlace = new Set(blocks.filter(({ holdsPlace }) => holdsPlace).map(({ fold }) => fold));
  const taken = blocks.filter(({ fold }) => inPlace.has(fold));
  return new Map(
    taken.flatMap(({ fold, references }) => {
      const entry = entryOf(fold);
      return entry === undefined ? [] : references.map((each) => [entryName(each), entry] as const);
    }),
  );
}

function restoredByName(blocks: readonly Block[]): [string, Reference][] {
  return blocks.flatMap(({ references }) =>
    references.map((reference): [string, Reference] => [
      placeName(entryName(reference), reference),
      reference,
    ]),
  );
}
