// Folds, targets and what becomes of layers → the edits of the whole list, which must not overlap.
import { dispose } from "./dispose.ts";
import { emitFold } from "./emit.ts";
import { frontEndOf } from "../front/all.ts";
import type { Collected } from "../front/front-end.ts";
import type { Fold, Reference } from "../model.ts";
import { type NameIndex, previousNamesOf } from "../select/names.ts";
import { type Means, type Prospects, takenApart } from "../steps.ts";
import { withoutComments } from "../wire/comments.ts";
import type { Edit, Envelope } from "../wire/envelope.ts";
import type { Item } from "../wire/item.ts";
import { removeItems } from "../wire/remove.ts";
import type { Node } from "../yaml/tape.ts";

/** What went into targets themselves. */
export interface InPlace {
  readonly folds: readonly Fold[];
  readonly edits: ReadonlyMap<Item, readonly Edit[]>;
}

export interface Gathered {
  readonly collected: ReadonlyMap<Item, Collected>;
  readonly prospects: Prospects;
}

export interface Folded {
  readonly folds: readonly Fold[];
  readonly inPlace: InPlace;
}

/** All edits of a run that failed nowhere. */
export function assemble(
  envelope: Envelope,
  { folds, inPlace }: Folded,
  { collected, prospects }: Gathered,
  { settings, report }: Means,
): Edit[] {
  const { restorations } = prospects;
  const users = new Users(prospects);
  const taken = takenApart([...restorations.values()].flat());
  const disposal = dispose(envelope, [...inPlace.folds, ...folds], settings, {
    restored: taken,
    namesOthers: (item) => users.naming(item),
  });
  report.all(disposal.diagnostics);
  const gone = new Set(disposal.pruned);
  const inside = [...inPlace.edits].flatMap(([target, edits]) => (gone.has(target) ? [] : edits));
  // An annotation stands before the data: at one offset it must come first.
  const edits: Edit[] = [...disposal.edits, ...inside];
  const byTarget = groupByTarget(folds);
  for (const [target, found] of collected) {
    const own = byTarget.get(target) ?? [];
    const earlier = takenApart(restorations.get(target) ?? []).map(({ item }) => item);
    if (own.length === 0 && earlier.length === 0) continue;
    const { dataKey } = frontEndOf(target);
    const emitted = own.map((one) => {
      const place = placeOf(one, folds, gone);
      return emitFold(envelope, one, { earlier, dataKey, place });
    });
    const rewritten = frontEndOf(target).rewrite(target, found, own);
    if ("code" in rewritten) report.report(rewritten);
    else edits.push(...emitted.flatMap((each) => each.edits), ...withoutComments(target, rewritten));
    const obsolete = earlier.filter((item) => !emitted.some(({ again }) => again === item));
    for (const item of obsolete) if (!users.areBeside(target, item)) gone.add(item);
  }
  const replaced = new Set(folds.filter((one) => placeOf(one, folds, gone) === "instead").map(besideOf));
  const removed = [...gone].filter((item) => !replaced.has(item));
  return [...edits, ...removeItems(envelope, new Set(removed))];
}

/** A reference and whose it is. */
interface Held {
  readonly target: Item;
  readonly reference: Reference;
}

/** Who references what, looked up by name: every target would otherwise be asked about every item. */
class Users {
  private readonly byName = new Map<string, Held[]>();
  private readonly names: NameIndex;

  constructor({ holders, names }: Prospects) {
    this.names = names;
    for (const { target, references } of holders)
      for (const reference of references) {
        const known = this.byName.get(reference.name);
        if (known === undefined) this.byName.set(reference.name, [{ target, reference }]);
        else known.push({ target, reference });
      }
  }

  /** References that name an item's name and mean another: of another kind, or elsewhere. */
  naming(item: Item): Node[] {
    return this.of(item).flatMap((held) => (this.means(held, item) ? [] : (held.reference.node ?? [])));
  }

  /** True if a target other than its own references a folded item: it stays for that one. */
  areBeside(target: Item, item: Item): boolean {
    return this.of(item).some((held) => held.target !== target && this.means(held, item));
  }

  private of(item: Item): readonly Held[] {
    return [...new Set([item.name, ...previousNamesOf(item)])].flatMap((name) => this.byName.get(name) ?? []);
  }

  private means({ target, reference }: Held, item: Item): boolean {
    return this.names.find(reference, target).includes(item);
  }
}

/** Of the items beside a layer that goes, the last takes its place. */
function placeOf(one: Fold, folds: readonly Fold[], gone: ReadonlySet<Item>): "before" | "instead" {
  const beside = besideOf(one);
  if (beside === undefined || !gone.has(beside)) return "before";
  return folds.findLast((other) => besideOf(other) === beside) === one ? "instead" : "before";
}

function besideOf({ stack }: Fold): Item | undefined {
  return stack.beside;
}

function groupByTarget(folds: readonly Fold[]): Map<Item, Fold[]> {
  const groups = new Map<Item, Fold[]>();
  for (const one of folds) groups.set(one.stack.target, [...(groups.get(one.stack.target) ?? []), one]);
  return groups;
}
