// Folds, targets and what becomes of layers → the edits of the whole list, which must not overlap.
import type { Context, Survey } from "../context.ts";
import { dataKeyFor, frontEndOf, isComponent } from "../front/all.ts";
import type { Collected } from "../front/front-end.ts";
import type { Diagnostic } from "../diagnostic.ts";
import type { Fold, Reference, Target } from "../model.ts";
import { takenApart } from "../refold/restore.ts";
import { type NameIndex, previousNamesOf } from "../select/names.ts";
import { withoutComments } from "../wire/comments.ts";
import type { Edit, Envelope } from "../wire/envelope.ts";
import type { Item } from "../wire/item.ts";
import { removeItems } from "../wire/remove.ts";
import type { Node } from "../yaml/tape.ts";
import { dispose } from "./dispose.ts";
import { emitFold } from "./emit.ts";

/** What went into targets themselves. */
export interface InPlace {
  readonly folds: readonly Fold[];
  readonly edits: ReadonlyMap<Item, readonly Edit[]>;
}

/** What would fold, before anything is written: every target, its stacks and its folds. */
export interface Plan {
  readonly survey: Survey;
  readonly inPlace: InPlace;
  readonly collected: ReadonlyMap<Target, Collected>;
  readonly folds: readonly Fold[];
}

/** All edits of a run that failed nowhere. */
export function assemble(
  envelope: Envelope,
  { survey, inPlace, collected, folds }: Plan,
  { settings, report, holdings }: Context,
): Edit[] {
  const { restorations } = survey;
  const users = new Users(survey);
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
    const dataKey = dataKeyFor(target);
    const emitted = own.map((one) => {
      const position = positionOf(one, folds, gone);
      return emitFold(envelope, one, { earlier, dataKey, position, holdings });
    });
    const rewritten = rewrite(target, found, own, holdings);
    if ("code" in rewritten) report.report(rewritten);
    else edits.push(...emitted.flatMap((each) => each.edits), ...rewritten);
    const obsolete = earlier.filter((item) => !emitted.some(({ again }) => again === item));
    for (const item of obsolete) if (!users.areBeside(target, item)) gone.add(item);
  }
  const replaced = new Set(
    folds.filter((one) => positionOf(one, folds, gone) === "instead").map(({ stack }) => stack.beside),
  );
  const removed = [...gone].filter((item) => !replaced.has(item));
  return [...edits, ...removeItems(envelope, new Set(removed))];
}

/** A target's own changes; a component has none. */
function rewrite(
  target: Target,
  found: Collected,
  folds: readonly Fold[],
  holdings: Context["holdings"],
): readonly Edit[] | Diagnostic {
  if (isComponent(target)) return [];
  const rewritten = frontEndOf(target).rewrite(target, found, folds, holdings);
  return "code" in rewritten ? rewritten : withoutComments(target, rewritten);
}

/** A reference and whose it is. */
interface Held {
  readonly target: Target;
  readonly reference: Reference;
}

/** Who references what, looked up by name: every target would otherwise be asked about every item. */
class Users {
  private readonly byName = new Map<string, Held[]>();
  private readonly names: NameIndex;

  constructor({ holders, names }: Survey) {
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
  areBeside(target: Target, item: Item): boolean {
    return this.of(item).some((held) => held.target !== target && this.means(held, item));
  }

  private of(item: Item): readonly Held[] {
    return [...new Set([item.name, ...previousNamesOf(item)])].flatMap((name) => this.byName.get(name) ?? []);
  }

  private means({ target, reference }: Held, item: Item): boolean {
    const found: readonly Item[] = this.names.find(reference, target);
    return found.includes(item);
  }
}

/** Of the folds that stand before a layer that goes, the last takes its position. */
function positionOf(one: Fold, folds: readonly Fold[], gone: ReadonlySet<Item>): "before" | "instead" {
  const { beside } = one.stack;
  if (beside === undefined || !gone.has(beside)) return "before";
  return folds.findLast(({ stack }) => stack.beside === beside) === one ? "instead" : "before";
}

function groupByTarget(folds: readonly Fold[]): Map<Target, Fold[]> {
  const groups = new Map<Target, Fold[]>();
  for (const one of folds) {
    const known = groups.get(one.stack.target);
    if (known === undefined) groups.set(one.stack.target, [one]);
    else known.push(one);
  }
  return groups;
}
