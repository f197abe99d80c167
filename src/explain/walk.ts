// Documents of a stack, lowest first → every value of the whole, whose it is, and what it lies over. The merge's own
// rules, walked once for all layers together: nothing is merged, and nothing is written.
import { textOfKey } from "../yaml/key.ts";
import { firstChildOf, isMapping, type Node, valueOf } from "../yaml/tape.ts";
import { entryNodes, isEntangled } from "../yaml/view.ts";

/** What one layer says at a path. */
export interface Said {
  /** Position of the layer in the stack. */
  readonly layer: number;
  /** Its entry, or its root. */
  readonly node: Node;
}

/** What holds at a path. */
export interface Holding {
  readonly path: readonly string[];
  readonly winner: Said;
  /** What it lies over, highest first. */
  readonly over: readonly Said[];
  /** True for a mapping that took the place of something else: what is in it follows. */
  readonly isMapping: boolean;
}

/** All that holds, in the order of the merged document. `roots` are mappings, lowest first. */
export function holdingsOf(roots: readonly Said[]): Holding[] {
  const found: Holding[] = [];
  visitMembers([], roots, found);
  return found;
}

function visit(path: readonly string[], said: readonly Said[], found: Holding[]): void {
  const winner = said.at(-1);
  if (winner === undefined) return;
  if (!isMapping(valueOf(winner.node))) {
    const over = said.slice(0, -1).toReversed();
    return void found.push({ path, winner, over, isMapping: false });
  }
  // Mappings unite as far down as nothing else stands between them.
  if (said.length === 1 && !isEmptyMapping(valueOf(winner.node))) return visitMembers(path, said, found);
  const first = said.findLastIndex(({ node }) => !isMapping(valueOf(node))) + 1;
  const [group, below] = [said.slice(first), said.slice(0, first).toReversed()];
  const isEmpty = group.every(({ node }) => isEmptyMapping(valueOf(node)));
  const over = isEmpty ? [...group.slice(0, -1).toReversed(), ...below] : below;
  if (isEmpty) found.push({ path, winner, over, isMapping: false });
  else {
    if (over.length > 0) found.push({ path, winner: group[0] as Said, over, isMapping: true });
    visitMembers(path, group, found);
  }
}

/** Keys in the order in which merging meets them: those of the lowest, then what each higher one adds. */
function visitMembers(path: readonly string[], mappings: readonly Said[], found: Holding[]): void {
  const [only, second] = mappings;
  // Most of a document is one layer's own.
  if (only !== undefined && second === undefined) {
    for (const node of entryNodes(valueOf(only.node)))
      visit([...path, textOfKey(node)], [{ layer: only.layer, node }], found);
    return;
  }
  const members = new Map<string, Said[]>();
  for (const { layer, node: mapping } of mappings) {
    for (const node of entryNodes(valueOf(mapping))) {
      const key = textOfKey(node);
      const known = members.get(key);
      if (known === undefined) members.set(key, [{ layer, node }]);
      else known.push({ layer, node });
    }
  }
  for (const [key, said] of members) visit([...path, key], said, found);
}

function isEmptyMapping(mapping: Node): boolean {
  if (firstChildOf(mapping) === undefined) return true;
  // What `<<` brings in may be nothing.
  return isEntangled(mapping) && entryNodes(mapping).length === 0;
}

/** How many values a node holds: a list is one, and so is an empty mapping. */
export function sizeOf(node: Node): number {
  const value = valueOf(node);
  if (!isMapping(value)) return 1;
  const entries = entryNodes(value);
  return entries.length === 0 ? 1 : entries.reduce((sum, entry) => sum + sizeOf(entry), 0);
}
