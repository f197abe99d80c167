// What becomes of layers once they are folded. A layer that anything else in the list names stays as it
// is: better one object too many than a Deployment that misses its volume.
import { Mark } from "../wire/annotation-names.ts";
import type { Diagnostic } from "../diagnostic.ts";
import { nameReferencesOf } from "./name-references.ts";
import { type Span, Spans } from "./spans.ts";
import { findUses, type Use } from "./uses.ts";
import type { Fold, Layer, LayerItem, Restoration } from "../model.ts";
import { allNamesOf } from "../select/names.ts";
import type { Settings } from "../config/settings.ts";
import { annotate, metadataOf, unannotate } from "../wire/annotate.ts";
import { isFromKpt, withoutComments } from "../wire/comments.ts";
import type { Edit, Envelope, Form } from "../wire/envelope.ts";
import { childOf, describe, type Item, refOf } from "../wire/item.ts";
import { Field, field, type Node } from "../yaml/tape.ts";
import { placeOf } from "../wire/place.ts";

type Fate = "local" | "prune" | "keep";

export interface Disposal {
  readonly edits: readonly Edit[];
  readonly pruned: ReadonlySet<Item>;
  /** Layers that bear a mark of ours now, as never to be applied. */
  readonly marked: ReadonlySet<Item>;
  readonly diagnostics: readonly Diagnostic[];
}

/** What names layers and does not count. */
interface Excuses {
  /** Folded items that named the layers, and do no more. */
  readonly restored: readonly Restoration[];
  /** True for a span in a reference that has the name of an item and means another. */
  readonly namesAnother: (span: Span, item: Item) => boolean;
}

/** What is known of layers beside the input's own text. */
interface Known extends Excuses {
  /** Layers that targets reference again, though nothing in the input says so. */
  readonly referencedAgain: ReadonlyMap<Item, Use>;
  /** Layers that bear a mark of ours from an earlier run. */
  readonly markedBefore: ReadonlySet<Item>;
}

const nothing: Disposal = { edits: [], pruned: new Set(), marked: new Set(), diagnostics: [] };

export function dispose(
  envelope: Envelope,
  folds: readonly Fold[],
  settings: Settings,
  { restored, namesAnother, referencedAgain, markedBefore }: Known,
): Disposal {
  const { items } = envelope;
  const fates = fatesOf(envelope, folds, settings);
  // Nearly always nothing is to be done with any layer.
  if (fates.size === 0 && markedBefore.size === 0) return nothing;
  const names = new Set([...fates.keys()].flatMap(allNamesOf));
  const namesakes = items.filter((item) => allNamesOf(item).some((name) => names.has(name)));
  const released = new Spans([...releasedBy(folds, restored), ...namesakes.flatMap(ownNameSpans)]);
  const nameReferences = nameReferencesOf(settings);
  const search = { namesOf: allNamesOf, released, namesAnother, nameReferences };
  const uses = findUses(envelope, [...fates.keys()], search);
  const diagnostics: Diagnostic[] = [];
  const pruned = new Set<Item>();
  const marked = new Set<Item>();
  const edits: Edit[] = [];
  const add = (more: readonly Edit[]): void => {
    for (const edit of more) edits.push(edit);
  };
  for (const [item, fate] of fates) {
    const kept = keptBecause(item, uses.get(item) ?? referencedAgain.get(item), markedBefore);
    if (kept !== undefined) diagnostics.push(kept);
    if (kept === undefined && fate === "prune") pruned.add(item);
    else if (kept !== undefined) add(withoutComments(item, markKept(item, markedBefore)));
    else {
      if (markedBefore.has(item) || !item.annotations.has(Mark.localConfig)) marked.add(item);
      add(withoutComments(item, markLocal(item)));
    }
  }
  // What is folded no more is a layer like any other again.
  const disposed: ReadonlySet<Item> = new Set(fates.keys());
  for (const item of markedBefore)
    if (!disposed.has(item)) add(withoutComments(item, unannotate(item, Mark.localConfig)));
  return { edits, pruned, marked, diagnostics };
}

/** Where names of layers stand that the folds replace: the references themselves, and earlier folded items. */
function releasedBy(folds: readonly Fold[], restored: readonly Restoration[]): Span[] {
  const nodes = folds.flatMap(({ layers }) => layers.flatMap(({ reference }) => reference?.node ?? []));
  return [...nodes.map(spanOf), ...restored.map(({ item }) => item)];
}

/** Where an item tells its own name: a namesake of a layer does not name the layer. */
function ownNameSpans(item: Item): Span[] {
  const metadata = metadataOf(item);
  if (metadata === undefined) return [];
  const name = childOf(metadata, "name");
  const annotations = childOf(metadata, "annotations");
  const own =
    annotations === undefined ? [] : orchestratorKeys.flatMap((key) => childOf(annotations, key) ?? []);
  return [...(name === undefined ? [] : [name]), ...own].map(spanOf);
}

/** Annotations in which an orchestrator remembers an item's own names. */
const orchestratorKeys = [Mark.previousNames, Mark.kustomizeId];

function spanOf(node: Node): Span {
  return { start: field(node, Field.start), end: field(node, Field.end) };
}

/** What becomes of annotated layers that nobody keeps. */
export function annotatedFate(form: Form, { layers }: Settings): Fate {
  return layers ?? (form === "stream" ? "prune" : "local");
}

/** Layers with which something is to be done. */
function fatesOf(
  { form, items }: Envelope,
  folds: readonly Fold[],
  settings: Settings,
): Map<LayerItem, Fate> {
  const isRunAgain = items.some(isFromKpt);
  const annotated = annotatedFate(form, settings);
  const { layers } = settings;
  const fates = new Map<LayerItem, Fate>();
  for (const { stack, layers: folded } of folds) {
    // What a target holds itself is a layer of it, and stays.
    for (const layer of folded.filter(({ item }) => item !== stack.target)) {
      const fate = servesHereOnly(layer) ? annotated : (layers ?? "keep");
      if (fate !== "keep" && layer.shared !== true)
        fates.set(layer.item, isRunAgain && fate === "prune" && isClone(layer.item) ? "local" : fate);
    }
  }
  return fates;
}

/** A clone, which would come back with the next run where its Repeat stays in the list. */
function isClone({ annotations }: LayerItem): boolean {
  return annotations.has(Mark.repeatedFrom);
}

/** Layers nobody references, folded items of an earlier run, and what is never applied: nobody else can use them. */
function servesHereOnly({ item: { annotations }, reference }: Layer): boolean {
  const local = annotations.get(Mark.localConfig) === "true";
  const own = reference === undefined || annotations.has(Mark.into);
  return local || own || annotations.has(Mark.foldedFrom);
}

/** Why a layer stays as it is; nothing for one that does not. */
function keptBecause(
  item: Item,
  use: Use | undefined,
  markedBefore: ReadonlySet<Item>,
): Diagnostic | undefined {
  const isNeverApplied = item.annotations.get(Mark.localConfig) === "true" && !markedBefore.has(item);
  const about = { code: "layer-kept", item: refOf(item), at: placeOf(item) } as const;
  if (item.annotations.get(Mark.keep) === "true")
    return { ...about, severity: "info", message: "the layer stays as it is: it says `valuefold.dev/keep`" };
  if (use === undefined) return undefined;
  return {
    ...about,
    severity: "warning",
    message: `the layer stays as it is: \`${describe(use.item)}\` references it at \`${use.field}\``,
    hint: isNeverApplied
      ? "it is `local-config`, so it is never applied: take that annotation away"
      : 'say `valuefold.dev/keep: "true"` on the layer if that is meant',
  };
}

/** kustomize drops a local-config item at the end of the build; kpt keeps but never applies it. A value that is there stays. */
function markLocal(item: Item): Edit[] {
  const kept = item.annotations.has(Mark.kept) ? unannotate(item, Mark.kept) : [];
  return item.annotations.has(Mark.localConfig)
    ? kept
    : [...kept, ...annotate(item, Mark.localConfig, "true")];
}

/** An annotated layer that stays would look as if the fold had not run. */
function markKept(item: Item, markedBefore: ReadonlySet<Item>): Edit[] {
  const unmarked = markedBefore.has(item) ? unannotate(item, Mark.localConfig) : [];
  return [...unmarked, ...(item.annotations.has(Mark.into) ? annotate(item, Mark.kept, "true") : [])];
}
