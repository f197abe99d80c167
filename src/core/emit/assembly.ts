// Folds, targets and the disposal of layers → the edits of the whole list, which must not overlap.
import type { Context, Survey } from "../context.ts";
import { dataKeyFor, frontEndOf, isComponent } from "../front/all.ts";
import type { Collected } from "../front/front-end.ts";
import { grouped } from "../../grouped.ts";
import type { Diagnostic } from "../../diagnostic.ts";
import type { RunEnd, Fold, Reference, Restoration, Target } from "../../layers/index.ts";
import { undoneFolds } from "../refold/restore.ts";
import { type NameIndex, previousNamesOf } from "../select/names.ts";
import { referenceEdits } from "../refold/folded-references.ts";
import {
  Mark,
  isFromKpt,
  withoutComments,
  type TextEdit,
  type Envelope,
  type Item,
  removeItems,
  type Span,
  spanOf,
} from "../../krm/index.ts";
import { type DisposalResult, dispose } from "./dispose.ts";
import { emitFold } from "./emit.ts";
import { neverAppliedLayers } from "./never-applied.ts";
import { Spans } from "./spans.ts";
import type { Use } from "./uses.ts";

/** The folds that went into targets themselves. */
export interface InPlace {
  readonly folds: readonly Fold[];
  readonly edits: ReadonlyMap<Item, readonly TextEdit[]>;
  readonly runEnds: readonly RunEnd[];
}

/** The result of planning, before anything is written: every target, its stacks and its folds. */
export interface Plan {
  readonly survey: Survey;
  readonly inPlace: InPlace;
  readonly collected: ReadonlyMap<Target, Collected>;
  readonly folds: readonly Fold[];
  /** Where layers do not fold into one, and why; targets that are edited in place first. */
  readonly runEnds: readonly RunEnd[];
  /** What settings find wrong in targets that are no items. */
  readonly judged: readonly Diagnostic[];
}

/** All edits of a run that failed nowhere. */
export function assemble(
  envelope: Envelope,
  { survey, inPlace, collected, folds }: Plan,
  context: Context,
): TextEdit[] {
  const { settings, report } = context;
  const { restorations } = survey;
  let known: Users | undefined;
  /** Lazy: built only if a folded item may still be referenced. */
  const users = (): Users => (known ??= new Users(survey));
  const taken = undoneFolds([...restorations.values()].flat());
  const disposal = dispose(envelope, [...inPlace.folds, ...folds], settings, {
    restored: taken,
    namesAnother: (span, item) => users().nameAnother(span, item),
    referencedAgain: restorations.size === 0 ? new Map() : referencedAgain(collected, folds, survey.names),
    markedBefore: survey.markedByUs,
  });
  report.all([...disposal.diagnostics, ...neverAppliedLayers(envelope.items, survey, collected, folds)]);
  const gone = new Set(disposal.pruned);
  const inside = [...inPlace.edits].flatMap(([target, edits]) => (gone.has(target) ? [] : edits));
  // An annotation precedes the data: at one offset it must come first.
  const edits: TextEdit[] = [...disposal.edits, ...inside];
  const byTarget = grouped(folds, ({ stack }) => stack.target);
  const replacing = replacingFolds(folds, gone);
  const isNextInput = envelope.items.some(isFromKpt);
  const kept = envelope.items.filter((item) => isFromKpt(item) && !gone.has(item));
  const filesInUse = new Set(kept.flatMap(({ annotations }) => annotations.get(Mark.path) ?? []));
  for (const [target, found] of collected) {
    const own = byTarget.get(target) ?? [];
    const restored = restorations.get(target) ?? [];
    const earlier = undoneFolds(restored).map(({ item }) => item);
    const isMarked = target.annotations.has(Mark.foldedReferences);
    if (own.length === 0 && earlier.length === 0 && !isMarked) continue;
    const done = { found, folds: own, earlier, restored, isNextInput };
    const emission = { envelope, context, replacing, disposed: disposal, filesInUse };
    const changes = editsOfTarget(target, done, emission);
    for (const edit of changes.edits) edits.push(edit);
    for (const item of changes.obsolete) if (!users().isUsedByOther(target, item)) gone.add(item);
  }
  const removed = [...gone].filter((item) => !replacing.has(item));
  return [...edits, ...removeItems(envelope, new Set(removed))];
}

/** What is planned for one target. */
interface TargetFolds {
  readonly found: Collected;
  readonly folds: readonly Fold[];
  /** Folded items of earlier runs that are replaced. */
  readonly earlier: readonly Item[];
  /** All of earlier runs. */
  readonly restored: readonly Restoration[];
  /** True under kpt. */
  readonly isNextInput: boolean;
}

interface Emission {
  readonly envelope: Envelope;
  readonly context: Context;
  readonly replacing: ReadonlyMap<Item, Fold>;
  readonly disposed: DisposalResult;
  readonly filesInUse: Set<string>;
}

/** The folded items of a target and its own changes; `obsolete` are earlier folded items that no fold writes again. */
function editsOfTarget(
  target: Target,
  { found, folds, earlier, restored, isNextInput }: TargetFolds,
  { envelope, context: { holdings, report }, replacing, disposed, filesInUse }: Emission,
): { readonly edits: readonly TextEdit[]; readonly obsolete: readonly Item[] } {
  const dataKey = dataKeyFor(target);
  const emitted = folds.map((one) => {
    const { placedBefore: next } = one.stack;
    const position = next !== undefined && replacing.get(next) === one ? "instead" : "before";
    return emitFold(envelope, one, { earlier, dataKey, position, holdings, disposed, folds, filesInUse });
  });
  report.all(emitted.flatMap(({ fault }) => fault ?? []));
  const obsolete = earlier.filter((item) => !emitted.some(({ again }) => again === item));
  const rewritten = rewrite(target, { found, folds, earlier, restored, isNextInput }, holdings);
  if (!("code" in rewritten))
    return { edits: [...emitted.flatMap((each) => each.edits), ...rewritten], obsolete };
  report.report(rewritten);
  return { edits: [], obsolete };
}

/** Layers that are not folded, with references that are restored: no text of the input names them. */
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

/** A target's own changes; none for a component. */
function rewrite(
  target: Target,
  { found, folds, restored, isNextInput }: TargetFolds,
  holdings: Context["holdings"],
): readonly TextEdit[] | Diagnostic {
  if (isComponent(target)) return [];
  const rewritten = frontEndOf(target).rewrite(target, found, folds, holdings);
  if ("code" in rewritten) return rewritten;
  return withoutComments(target, [...referenceEdits(target, folds, restored, isNextInput), ...rewritten]);
}

/** A reference and its target. */
interface PlacedReference extends Span {
  readonly target: Target;
  readonly reference: Reference;
}

/** Of a reference that a fold replaced: it is not in the input. */
const nowhere: Span = { start: 0, end: 0 };

/** References by name and by offset: without this index every target would be compared with every item. */
class Users {
  private readonly byName = new Map<string, Map<string | undefined, PlacedReference[]>>();
  private readonly byPlace: Spans<PlacedReference>;
  private readonly names: NameIndex;

  constructor({ targetReferences, names }: Survey) {
    this.names = names;
    const all = targetReferences.flatMap(({ target, references }) =>
      references.map((reference): PlacedReference => {
        const { node } = reference;
        return { target, reference, ...(node === undefined ? nowhere : spanOf(node)) };
      }),
    );
    for (const placed of all) this.add(placed);
    this.byPlace = new Spans(all.filter(({ end }) => end > 0));
  }

  /** True for a span in a reference that has an item's name and means another item: of another kind or namespace. */
  nameAnother(span: Span, item: Item): boolean {
    const placed = this.byPlace.around(span);
    if (placed === undefined) return false;
    const isNamed =
      placed.reference.name === item.name || previousNamesOf(item).includes(placed.reference.name);
    return isNamed && !this.means(placed, item);
  }

  /** True if a target other than its own references a folded item: it stays for that one. */
  isUsedByOther(target: Target, item: Item): boolean {
    return this.of(item).some((placed) => placed.target !== target && this.means(placed, item));
  }

  private add(placed: PlacedReference): void {
    const { name, namespace = placed.target.namespace } = placed.reference;
    let known = this.byName.get(name);
    if (known === undefined) this.byName.set(name, (known = new Map()));
    const there = known.get(namespace);
    if (there === undefined) known.set(namespace, [placed]);
    else there.push(placed);
  }

  /** References that may mean an item: those into its namespace; for an item that may have moved, all. */
  private of(item: Item): readonly PlacedReference[] {
    const previous = previousNamesOf(item);
    return [...new Set([item.name, ...previous])].flatMap((name) => {
      const known = this.byName.get(name);
      const mayMove = item.namespace === undefined || previous.length > 0;
      return mayMove ? [...(known?.values() ?? [])].flat() : (known?.get(item.namespace) ?? []);
    });
  }

  private means({ target, reference }: PlacedReference, item: Item): boolean {
    const found: readonly Item[] = this.names.find(reference, target);
    return found.includes(item);
  }
}

/** If several folds come before a removed layer, the last one takes its position. */
function replacingFolds(folds: readonly Fold[], gone: ReadonlySet<Item>): ReadonlyMap<Item, Fold> {
  const last = new Map<Item, Fold>();
  for (const one of folds) {
    const { placedBefore } = one.stack;
    if (placedBefore !== undefined && gone.has(placedBefore)) last.set(placedBefore, one);
  }
  return last;
}
