// Folds, targets and what becomes of layers → the edits of the whole list, which must not overlap.
import type { Context, Survey } from "../context.ts";
import { dataKeyFor, frontEndOf, isComponent } from "../front/all.ts";
import type { Collected } from "../front/front-end.ts";
import { grouped } from "../grouped.ts";
import type { Diagnostic } from "../diagnostic.ts";
import type { Apart, Fold, Reference, Target } from "../model.ts";
import { takenApart } from "../refold/restore.ts";
import { type NameIndex, previousNamesOf } from "../select/names.ts";
import { withoutComments } from "../wire/comments.ts";
import type { Edit, Envelope } from "../wire/envelope.ts";
import type { Item } from "../wire/item.ts";
import { removeItems } from "../wire/remove.ts";
import { Field, field } from "../yaml/tape.ts";
import { dispose } from "./dispose.ts";
import { emitFold } from "./emit.ts";
import type { Span } from "../wire/scan.ts";
import { Spans } from "./spans.ts";
import type { Use } from "./uses.ts";

/** What went into targets themselves. */
export interface InPlace {
  readonly folds: readonly Fold[];
  readonly edits: ReadonlyMap<Item, readonly Edit[]>;
  readonly apart: readonly Apart[];
}

/** What would fold, before anything is written: every target, its stacks and its folds. */
export interface Plan {
  readonly survey: Survey;
  readonly inPlace: InPlace;
  readonly collected: ReadonlyMap<Target, Collected>;
  readonly folds: readonly Fold[];
  /** Where layers do not fold into one, and why; targets that are edited in place first. */
  readonly apart: readonly Apart[];
}

/** All edits of a run that failed nowhere. */
export function assemble(
  envelope: Envelope,
  { survey, inPlace, collected, folds }: Plan,
  { settings, report, holdings }: Context,
): Edit[] {
  const { restorations } = survey;
  let known: Users | undefined;
  /** Nearly always nobody asks. */
  const users = (): Users => (known ??= new Users(survey));
  const taken = takenApart([...restorations.values()].flat());
  const disposal = dispose(envelope, [...inPlace.folds, ...folds], settings, {
    restored: taken,
    namesAnother: (span, item) => users().nameAnother(span, item),
    referencedAgain: restorations.size === 0 ? new Map() : referencedAgain(collected, folds, survey.names),
    markedBefore: survey.marked,
  });
  report.all(disposal.diagnostics);
  const gone = new Set(disposal.pruned);
  const inside = [...inPlace.edits].flatMap(([target, edits]) => (gone.has(target) ? [] : edits));
  // An annotation stands before the data: at one offset it must come first.
  const edits: Edit[] = [...disposal.edits, ...inside];
  const byTarget = grouped(folds, ({ stack }) => stack.target);
  const replacing = replacingFolds(folds, gone);
  for (const [target, found] of collected) {
    const own = byTarget.get(target) ?? [];
    const earlier = takenApart(restorations.get(target) ?? []).map(({ item }) => item);
    if (own.length === 0 && earlier.length === 0) continue;
    const dataKey = dataKeyFor(target);
    const emitted = own.map((one) => {
      const { beside } = one.stack;
      const position = beside !== undefined && replacing.get(beside) === one ? "instead" : "before";
      return emitFold(envelope, one, { earlier, dataKey, position, holdings, fates: disposal });
    });
    const rewritten = rewrite(target, found, own, holdings);
    if ("code" in rewritten) report.report(rewritten);
    else for (const edit of [...emitted.flatMap((each) => each.edits), ...rewritten]) edits.push(edit);
    const obsolete = earlier.filter((item) => !emitted.some(({ again }) => again === item));
    for (const item of obsolete) if (!users().areBeside(target, item)) gone.add(item);
  }
  const removed = [...gone].filter((item) => !replacing.has(item));
  return [...edits, ...removeItems(envelope, new Set(removed))];
}

/** Layers that stand unfolded after references that come back: no text of the input names them. */
function referencedAgain(
  collected: Plan["collected"],
  folds: readonly Fold[],
  names: NameIndex,
): ReadonlyMap<Item, Use> {
  const found = new Map<Item, Use>();
  const folded = new Set(folds.flatMap(({ layers }) => layers.map(({ reference }) => reference)));
  for (const [target, { references }] of collected) {
    if (isComponent(target)) continue;
    for (const reference of references.filter((each) => each.node === undefined && !folded.has(each)))
      for (const item of names.find(reference, target))
        found.set(item, { item: target, field: `spec.${reference.slot}` });
  }
  return found;
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
interface Held extends Span {
  readonly target: Target;
  readonly reference: Reference;
}

/** Who references what, looked up by name and by place: every target would otherwise be asked about every item. */
class Users {
  private readonly byName = new Map<string, Map<string | undefined, Held[]>>();
  private readonly byPlace: Spans<Held>;
  private readonly names: NameIndex;

  constructor({ holders, names }: Survey) {
    this.names = names;
    const all = holders.flatMap(({ target, references }) =>
      references.map((reference): Held => ({ target, reference, ...spanOf(reference) })),
    );
    for (const held of all) this.add(held);
    this.byPlace = new Spans(all.filter(({ end }) => end > 0));
  }

  /** True for a span in a reference that names an item's name and means another: of another kind, or elsewhere. */
  nameAnother(span: Span, item: Item): boolean {
    const held = this.byPlace.around(span);
    if (held === undefined) return false;
    const isNamed = held.reference.name === item.name || previousNamesOf(item).includes(held.reference.name);
    return isNamed && !this.means(held, item);
  }

  /** True if a target other than its own references a folded item: it stays for that one. */
  areBeside(target: Target, item: Item): boolean {
    return this.of(item).some((held) => held.target !== target && this.means(held, item));
  }

  private add(held: Held): void {
    const { name, namespace = held.target.namespace } = held.reference;
    let known = this.byName.get(name);
    if (known === undefined) this.byName.set(name, (known = new Map()));
    const there = known.get(namespace);
    if (there === undefined) known.set(namespace, [held]);
    else there.push(held);
  }

  /** References that may mean an item: those into its namespace; of one that may have moved, all. */
  private of(item: Item): readonly Held[] {
    const previous = previousNamesOf(item);
    return [...new Set([item.name, ...previous])].flatMap((name) => {
      const known = this.byName.get(name);
      const mayMove = item.namespace === undefined || previous.length > 0;
      return mayMove ? [...(known?.values() ?? [])].flat() : (known?.get(item.namespace) ?? []);
    });
  }

  private means({ target, reference }: Held, item: Item): boolean {
    const found: readonly Item[] = this.names.find(reference, target);
    return found.includes(item);
  }
}

/** Where a reference stands; nowhere if a fold replaced it. */
function spanOf({ node }: Reference): Span {
  if (node === undefined) return { start: 0, end: 0 };
  return { start: field(node, Field.start), end: field(node, Field.end) };
}

/** Of the folds that stand before a layer that goes, the last takes its position. */
function replacingFolds(folds: readonly Fold[], gone: ReadonlySet<Item>): ReadonlyMap<Item, Fold> {
  const last = new Map<Item, Fold>();
  for (const one of folds) {
    const { beside } = one.stack;
    if (beside !== undefined && gone.has(beside)) last.set(beside, one);
  }
  return last;
}
