// A list of references as it was before folds took entries out of it, with whatever was added or taken away since. Order
// counts at equal priority only: entries that had their like next to them go back there, all others where their fold stands.
import { formatItem } from "../../diagnostic.ts";
import { grouped } from "../../grouped.ts";
import type { RecordedLayer, Reference, Restoration } from "../../model.ts";
import { type Block, type Entries, entriesOf, placeName, type PresentList } from "./entries.ts";

export interface RestoredList {
  /** Entries in order: those that stand there, those that come back, and those only remembered. */
  readonly entries: readonly Reference[];
  /** What folds that stay were folded from: no entries any more, but neighbours of others. */
  readonly remembered: ReadonlySet<Reference>;
}

export function restoredList(
  slot: string,
  present: PresentList,
  folds: readonly Restoration[],
): RestoredList {
  const blocks = folds.flatMap((fold) => blocksOf(slot, fold, present));
  const entries = inRecordedOrder(new Homes(blocks, present).inOrder(), blocks);
  const staying = blocks.filter(({ fold }) => fold.stays);
  return { entries, remembered: new Set(staying.flatMap(({ references }) => references)) };
}

function blocksOf(slot: string, fold: Restoration, { restored }: PresentList): Block[] {
  const { recorded, layers, stays } = fold;
  const top = recorded.at(-1);
  // A fold of what stood in a slot took the slot.
  const tookEntry = recorded.every((layer) => layer.slot === undefined || layer.slot === slot);
  const groups: RecordedLayer[][] = [];
  for (const layer of (stays ? recorded : layers).filter((each) => each.slot === slot)) {
    const open = groups.at(-1);
    if (open !== undefined && stoodBehind(layer, open.at(-1))) open.push(layer);
    else groups.push([layer]);
  }
  return groups.map((group) => ({
    fold,
    references: group.map((layer, index) => besides(restored(layer), layer, group[index - 1])),
    after: group[0]?.after,
    before: group[0]?.before,
    holdsPlace: tookEntry && top !== undefined && group.includes(top),
  }));
}

/** What is recorded without neighbours stood after its like that is recorded before it. */
function stoodBehind(
  { kind, priority, after, before }: RecordedLayer,
  lower: RecordedLayer | undefined,
): boolean {
  const isLike = lower?.kind === kind && lower.priority === priority;
  return isLike && after === undefined && before === undefined;
}

/** With the neighbours it was recorded with. */
function besides(reference: Reference, { after, before }: RecordedLayer, lower?: RecordedLayer): Reference {
  const told = after ?? (lower === undefined ? undefined : formatItem(lower));
  const neighbours = {
    ...(told === undefined ? {} : { after: told }),
    ...(before === undefined ? {} : { before }),
  };
  return { ...reference, neighbours };
}

/** Where a block goes. */
interface Home {
  /** In the list as it stands. */
  readonly place: number | undefined;
  readonly put: () => void;
}

const nowhere: Home = { place: undefined, put: () => undefined };

/** Where each block goes. */
class Homes {
  private readonly blocks: readonly Block[];
  private readonly present: PresentList;
  private readonly atFold = new Map<Restoration, Block[]>();
  private readonly behind = new Map<Reference, Block[]>();
  private readonly before = new Map<Reference, Block[]>();
  private readonly first: Block[] = [];
  private readonly last: Block[] = [];
  private readonly homes = new Map<Block, Home>();

  constructor(blocks: readonly Block[], present: PresentList) {
    this.blocks = blocks;
    this.present = present;
    const entries = entriesOf(blocks, present);
    for (const block of blocks) this.homeOf(block, entries).put();
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
      this.stack(open, this.behind.get(next) ?? []);
      open.push(next);
      this.stack(open, this.before.get(next) ?? []);
    }
    const known = [...ordered, ...this.last.flatMap(({ references }) => references)];
    return [...known, ...this.unreached(known)];
  }

  /** Blocks that only lead to each other, by records that somebody edited: none of them is lost. */
  private unreached(ordered: readonly Reference[]): readonly Reference[] {
    const placed = new Set(ordered);
    return this.blocks.flatMap(({ references }) => references.filter((each) => !placed.has(each)));
  }

  /** Puts blocks on top of a stack, the first of them uppermost. */
  private stack(open: Reference[], blocks: readonly Block[]): void {
    for (const { references } of blocks.toReversed())
      for (const reference of references.toReversed()) open.push(reference);
  }

  /** Where a block goes; an edited record may lead from a block to itself. */
  private homeOf(block: Block, entries: Entries): Home {
    const known = this.homes.get(block);
    if (known !== undefined) return known;
    this.homes.set(block, nowhere);
    const home = this.findHome(block, entries);
    this.homes.set(block, home);
    return home;
  }

  private findHome(block: Block, entries: Entries): Home {
    const place = entries.inList.get(block.fold);
    const { after, before, isLike } = anchorsOf(block, entries);
    const [lower, upper] = [after, before].map((each) => each && this.placeOf(each, entries));
    const atFold = { place, put: () => add(this.atFold, block.fold, block) };
    if (place !== undefined && (block.holdsPlace || suits(block, place, [lower, upper]))) return atFold;
    if (after !== undefined) return { place: lower, put: () => add(this.behind, after, block) };
    if (before !== undefined) return { place: upper, put: () => add(this.before, before, block) };
    if (block.after === undefined || !isLike) return { place: -1, put: () => this.first.push(block) };
    return place === undefined ? { place, put: () => this.last.push(block) } : atFold;
  }

  /** Where an entry stands, or will stand once it is back. */
  private placeOf(reference: Reference, entries: Entries): number | undefined {
    const block = entries.blockOf.get(reference);
    return block === undefined ? entries.places.get(reference) : this.homeOf(block, entries).place;
  }
}

/** The entries that a block was recorded next to, where they are now; its like, or of the other kind. */
function anchorsOf(
  { references: [own], after, before }: Block,
  { there, known, folded, named }: Entries,
): { after: Reference | undefined; before: Reference | undefined; isLike: boolean } {
  const isLike = [after, before].some((name) => name !== undefined && own?.kind === kindIn(name));
  const find = (name: string, among: ReadonlyMap<string, Reference>, index: number): Reference | undefined =>
    (own && among.get(placeName(name, own))) ??
    oneOf(named.get(name) ?? [], isLike, index) ??
    folded.get(name);
  return {
    // What comes back itself may go after this very block; among its like it tells the order all the same.
    after: after === undefined ? undefined : find(after, isLike ? known : there, -1),
    before: before === undefined ? undefined : find(before, there, 0),
    isLike,
  };
}

/**
 * An entry that got another priority since still stands where it stood, and so says what stood next to it. Of several with
 * one name none does for its like; for the other kind, the order among which does not count, the outermost does.
 */
function oneOf(all: readonly Reference[], isLike: boolean, index: number): Reference | undefined {
  return isLike && all.length > 1 ? undefined : all.at(index);
}

/** The kind in an entry's recorded name. */
function kindIn(name: string): string {
  return name.slice(0, name.indexOf("/"));
}

/**
 * True where a fold's place lies on the right side of the neighbour a block was recorded with. What was added between
 * that neighbour and the fold since lies below the fold, so it lies below the block.
 */
function suits(
  block: Block,
  place: number,
  [lower, upper]: readonly [number | undefined, number | undefined],
): boolean {
  if (block.after !== undefined) return lower !== undefined && lower < place;
  return block.before === undefined || (upper !== undefined && place < upper);
}

/** Entries of one fold and one priority keep their order, whatever has become of their neighbours. */
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
