// A list of references as it was before folds removed entries, with all later additions and removals. Order matters at
// equal priority only: entries with recorded neighbours go back to them, all others go where their fold is.
import { formatItem } from "../../../diagnostic.ts";
import { grouped } from "../../../grouped.ts";
import type { RecordedLayer, Reference, Restoration } from "../../../layers/index.ts";
import { type Block, type EntryLookup, entriesOf, placeName, type PresentList } from "./entries.ts";

export interface RestoredList {
  /** Entries in order: present ones, restored ones, and remembered ones. */
  readonly entries: readonly Reference[];
  /** The layers of folds that stay: no longer entries, but neighbours of others. */
  readonly remembered: ReadonlySet<Reference>;
}

export function restoredList(
  slot: string,
  present: PresentList,
  folds: readonly Restoration[],
): RestoredList {
  const blocks = folds.flatMap((fold) => blocksOf(slot, fold, present));
  const entries = inRecordedOrder(new BlockPlaces(blocks, present).inOrder(), blocks);
  const staying = blocks.filter(({ fold }) => fold.stays);
  return { entries, remembered: new Set(staying.flatMap(({ references }) => references)) };
}

function blocksOf(slot: string, fold: Restoration, { restored }: PresentList): Block[] {
  const { recorded, layers, stays } = fold;
  const top = recorded.at(-1);
  // A fold with a layer from a slot took the slot.
  const tookEntry = recorded.every((layer) => layer.slot === undefined || layer.slot === slot);
  const groups: RecordedLayer[][] = [];
  for (const layer of (stays ? recorded : layers).filter((each) => each.slot === slot)) {
    const open = groups.at(-1);
    if (open !== undefined && wasAfter(layer, open.at(-1))) open.push(layer);
    else groups.push([layer]);
  }
  return groups.map((group) => ({
    fold,
    references: group.map((layer, index) => withRecorded(restored(layer), layer, group[index - 1])),
    after: group[0]?.after,
    before: group[0]?.before,
    holdsPlace: tookEntry && top !== undefined && group.includes(top),
  }));
}

/** An entry recorded without neighbours was directly after the one of its kind and priority recorded before it. */
function wasAfter(
  { kind, priority, after, before }: RecordedLayer,
  lower: RecordedLayer | undefined,
): boolean {
  const isLike = lower?.kind === kind && lower.priority === priority;
  return isLike && after === undefined && before === undefined;
}

/** With its recorded neighbours. */
function withRecorded(
  reference: Reference,
  { after, before }: RecordedLayer,
  lower?: RecordedLayer,
): Reference {
  const previous = after ?? (lower === undefined ? undefined : formatItem(lower));
  const neighbours = {
    ...(previous === undefined ? {} : { after: previous }),
    ...(before === undefined ? {} : { before }),
  };
  return { ...reference, neighbours };
}

/** Where a block goes. */
interface BlockPlace {
  /** In the present list. */
  readonly place: number | undefined;
  readonly put: () => void;
}

const nowhere: BlockPlace = { place: undefined, put: () => undefined };

/** Where each block goes. */
class BlockPlaces {
  private readonly blocks: readonly Block[];
  private readonly present: PresentList;
  private readonly atFold = new Map<Restoration, Block[]>();
  private readonly after = new Map<Reference, Block[]>();
  private readonly before = new Map<Reference, Block[]>();
  private readonly first: Block[] = [];
  private readonly last: Block[] = [];
  private readonly blockPlaces = new Map<Block, BlockPlace>();

  constructor(blocks: readonly Block[], present: PresentList) {
    this.blocks = blocks;
    this.present = present;
    const entries = entriesOf(blocks, present);
    for (const block of blocks) this.blockPlaceOf(block, entries).put();
  }

  inOrder(): Reference[] {
    const ordered: Reference[] = [];
    const open = this.present.references.toReversed();
    this.stack(open, this.first);
    const settled = new Set<Reference>();
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (settled.has(next)) {
        const fold = this.present.foldIn(next);
        if (fold?.stays !== false) ordered.push(next);
        if (fold !== undefined) this.stack(open, this.atFold.get(fold) ?? []);
        continue;
      }
      settled.add(next);
      this.stack(open, this.after.get(next) ?? []);
      open.push(next);
      this.stack(open, this.before.get(next) ?? []);
    }
    const known = [...ordered, ...this.last.flatMap(({ references }) => references)];
    return [...known, ...this.unreached(known)];
  }

  /** Blocks that only lead to each other, by edited records: none of them is lost. */
  private unreached(ordered: readonly Reference[]): readonly Reference[] {
    const placed = new Set(ordered);
    return this.blocks.flatMap(({ references }) => references.filter((each) => !placed.has(each)));
  }

  /** Pushes blocks on a stack, the first of them last. */
  private stack(open: Reference[], blocks: readonly Block[]): void {
    for (const { references } of blocks.toReversed())
      for (const reference of references.toReversed()) open.push(reference);
  }

  /** Where a block goes; an edited record may lead from a block to itself. */
  private blockPlaceOf(block: Block, entries: EntryLookup): BlockPlace {
    const known = this.blockPlaces.get(block);
    if (known !== undefined) return known;
    this.blockPlaces.set(block, nowhere);
    const blockPlace = this.findPlace(block, entries);
    this.blockPlaces.set(block, blockPlace);
    return blockPlace;
  }

  private findPlace(block: Block, entries: EntryLookup): BlockPlace {
    const place = entries.inList.get(block.fold);
    const { after, before, isLike } = anchorsOf(block, entries);
    const [lower, upper] = [after, before].map((each) => each && this.placeOf(each, entries));
    const atFold = { place, put: () => add(this.atFold, block.fold, block) };
    if (place !== undefined && (block.holdsPlace || suits(block, place, [lower, upper]))) return atFold;
    if (after !== undefined) return { place: lower, put: () => add(this.after, after, block) };
    if (before !== undefined) return { place: upper, put: () => add(this.before, before, block) };
    if (block.after === undefined || !isLike) return { place: -1, put: () => this.first.push(block) };
    return place === undefined ? { place, put: () => this.last.push(block) } : atFold;
  }

  /** The place of an entry, now or once it is restored. */
  private placeOf(reference: Reference, entries: EntryLookup): number | undefined {
    const block = entries.blockOf.get(reference);
    return block === undefined ? entries.places.get(reference) : this.blockPlaceOf(block, entries).place;
  }
}

/** The entries that a block was recorded next to, at their present places; of its kind and priority, or of the other kind. */
function anchorsOf(
  { references: [own], after, before }: Block,
  { there, known, folded, named }: EntryLookup,
): { after: Reference | undefined; before: Reference | undefined; isLike: boolean } {
  const isLike = [after, before].some((name) => name !== undefined && own?.kind === kindIn(name));
  const find = (name: string, among: ReadonlyMap<string, Reference>, index: number): Reference | undefined =>
    (own && among.get(placeName(name, own))) ??
    oneOf(named.get(name) ?? [], isLike, index) ??
    folded.get(name);
  return {
    // A restored entry may go after this very block; among its kind and priority it still shows the order.
    after: after === undefined ? undefined : find(after, isLike ? known : there, -1),
    before: before === undefined ? undefined : find(before, there, 0),
    isLike,
  };
}

/**
 * An entry with a changed priority is still at its place, so it still shows its neighbours. Of several entries with one
 * name, none does among its kind and priority; for the other kind, where the order does not matter, the outermost does.
 */
function oneOf(all: readonly Reference[], isLike: boolean, index: number): Reference | undefined {
  return isLike && all.length > 1 ? undefined : all.at(index);
}

/** The kind in an entry's recorded name. */
function kindIn(name: string): string {
  return name.slice(0, name.indexOf("/"));
}

/**
 * True if a fold's place is on the right side of the recorded neighbour of a block. Entries added between that
 * neighbour and the fold since are below the fold, so they are below the block.
 */
function suits(
  block: Block,
  place: number,
  [lower, upper]: readonly [number | undefined, number | undefined],
): boolean {
  if (block.after !== undefined) return lower !== undefined && lower < place;
  return block.before === undefined || (upper !== undefined && place < upper);
}

/** Entries of one fold and one priority keep their order, even if their neighbours changed. */
function inRecordedOrder(entries: Reference[], blocks: readonly Block[]): Reference[] {
  const places = new Map(entries.map((entry, place) => [entry, place]));
  for (const group of groupsOf(blocks)) {
    const own = group.map((reference) => places.get(reference) ?? 0);
    own.toSorted((a, b) => a - b).forEach((place, index) => (entries[place] = group[index] as Reference));
  }
  return entries;
}

function groupsOf(blocks: readonly Block[]): Reference[][] {
  const folds = grouped(blocks, ({ fold }) => fold);
  return [...folds.values()].flatMap((own) => [
    ...grouped(
      own.flatMap(({ references }) => references),
      ({ priority }) => priority,
    ).values(),
  ]);
}

function add<K>(to: Map<K, Block[]>, key: K, block: Block): void {
  const known = to.get(key);
  if (known === undefined) to.set(key, [block]);
  else known.push(block);
}
