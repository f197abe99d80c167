// A list of references with the layers of earlier folds in it again. Order matters only among entries of one kind and
// priority. Layers come back where the entry of their fold is. If the entry that was below them comes later in the list,
// they go directly after it. Those of a fold that took a slot go after the entry that was in front of them; without one,
// in front.
import type { RecordedLayer, Reference, Restoration } from "../../../layers/index.ts";
import { objectText } from "../../../object-id.ts";

interface ListFacts {
  /** The earlier fold that a reference names. */
  readonly foldIn: (reference: Reference) => Restoration | undefined;
  /** Every name by which a record may mean a reference. */
  readonly namesOf: (reference: Reference) => readonly string[];
  readonly restored: (layer: RecordedLayer) => Reference;
}

/** Entries that stay together: a present one, or layers of one priority. */
interface Block {
  readonly references: readonly Reference[];
  /** The entry that was below the first of them; or the one in front of it. */
  readonly after?: string | undefined;
  readonly behind?: string | undefined;
}

/** @param undone the folds that their layers replace */
export function restoredList(
  slot: string,
  list: readonly Reference[],
  undone: readonly Restoration[],
  facts: ListFacts,
): readonly Reference[] {
  if (undone.length === 0) return list;
  const blocksIn = new Map(undone.map((fold) => [fold, blocksOf(slot, fold, facts)]));
  const listed = new Set(list.map(facts.foldIn));
  const hidden = undone.filter((fold) => !listed.has(fold)).flatMap((fold) => blocksIn.get(fold) ?? []);
  const shown = list.flatMap((reference): readonly Block[] => {
    const fold = facts.foldIn(reference);
    return (fold && blocksIn.get(fold)) ?? [{ references: [reference] }];
  });
  return settled([...hidden, ...shown], new Set(hidden), facts).flatMap(({ references }) => references);
}

function blocksOf(slot: string, { layers }: Restoration, { restored }: ListFacts): Block[] {
  const blocks: (Block & { readonly references: Reference[] })[] = [];
  for (const layer of layers.filter((each) => each.slot === slot)) {
    const { after, behind } = layer;
    const open = after === undefined && behind === undefined ? blocks.at(-1)?.references : undefined;
    if (open?.[0]?.priority === layer.priority) open.push(restored(layer));
    else blocks.push({ references: [restored(layer)], after, behind });
  }
  return blocks;
}

/** Moves each block after the entry that was below it, if that comes later; that entry first, as it may move, too. */
function settled(blocks: readonly Block[], hidden: ReadonlySet<Block>, facts: ListFacts): readonly Block[] {
  const ordered = [...blocks];
  const named = blocksByName(blocks, facts);
  const done = new Set<Block>();
  const lowerOf = (block: Block): Block | undefined => {
    const { after, behind, references } = block;
    if (done.has(block)) return undefined;
    done.add(block);
    if (after === undefined) return behind !== undefined && hidden.has(block) ? named.get(behind) : undefined;
    // An entry with another priority since is still at its place. Where it is gone, those in the list were below it.
    const known = named.get(placeName(after, references[0])) ?? named.get(after);
    const isHidden = hidden.has(block) && after.startsWith(`${references[0]?.kind}/`);
    return known ?? (isHidden ? ordered.at(-1) : undefined);
  };
  for (const block of blocks) {
    const chain = [block];
    for (let lower = lowerOf(block); lower !== undefined; lower = lowerOf(lower)) chain.unshift(lower);
    for (const [index, each] of chain.entries()) {
      const [from, to] = [ordered.indexOf(each), ordered.indexOf(chain[index - 1] ?? each)];
      if (from < to) ordered.splice(to, 0, ...ordered.splice(from, 1));
    }
  }
  return ordered;
}

function blocksByName(blocks: readonly Block[], { foldIn, namesOf }: ListFacts): ReadonlyMap<string, Block> {
  const named = new Map<string, Block>();
  for (const block of blocks) {
    for (const reference of block.references) {
      // A fold that stays is at the place of its layers.
      const inFold = (foldIn(reference)?.recorded ?? []).map(objectText);
      for (const name of [...inFold, ...namesOf(reference)])
        named.set(name, block).set(placeName(name, reference), block);
    }
  }
  return named;
}

/** A list may contain one layer several times. */
function placeName(name: string, reference: Reference | undefined): string {
  return `${reference?.priority ?? ""} ${name}`;
}
