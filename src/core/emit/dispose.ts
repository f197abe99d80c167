// The disposal of layers once they are folded. A layer that anything else in the list names stays as it
// is: better one object too many than a Deployment without its volume.
import {
  Mark,
  type Span,
  spanOf,
  annotate,
  metadataOf,
  unannotate,
  withoutComments,
  type TextEdit,
  type Envelope,
  type Form,
  type Item,
  atItem,
} from "../../krm/index.ts";
import type { Diagnostic } from "../../diagnostic.ts";
import { objectText } from "../../object-id.ts";
import { nameReferencesOf } from "./name-references.ts";
import { Spans } from "./spans.ts";
import { findUses, type Use } from "./uses.ts";
import type { Fold, Layer, LayerItem, Restoration } from "../../layers/index.ts";
import { allNamesOf } from "../select/names.ts";
import type { Settings } from "../../settings/index.ts";

type LayerDisposal = "local" | "prune" | "keep";

export interface DisposalResult {
  readonly edits: readonly TextEdit[];
  readonly pruned: ReadonlySet<Item>;
  /** Layers with our mark now, which are never applied. */
  readonly marked: ReadonlySet<Item>;
  readonly diagnostics: readonly Diagnostic[];
}

/** Names of layers that are not references. */
interface ReleasedNames {
  /** Folded items that named the layers and are restored. */
  readonly restored: readonly Restoration[];
  /** True for a span in a reference that has the name of an item and means another. */
  readonly namesAnother: (span: Span, item: Item) => boolean;
}

/** Facts about layers that the input's own text does not show. */
interface LayerFacts extends ReleasedNames {
  /** Layers that targets reference again, though the input does not name them. */
  readonly referencedAgain: ReadonlyMap<Item, Use>;
  /** Layers with our mark from an earlier run. */
  readonly markedBefore: ReadonlySet<Item>;
}

const nothing: DisposalResult = { edits: [], pruned: new Set(), marked: new Set(), diagnostics: [] };

export function dispose(
  envelope: Envelope,
  folds: readonly Fold[],
  settings: Settings,
  { restored, namesAnother, referencedAgain, markedBefore }: LayerFacts,
): DisposalResult {
  const { items } = envelope;
  const disposals = disposalsOf(envelope, folds, settings);
  // Nearly always there is no layer to dispose of.
  if (disposals.size === 0 && markedBefore.size === 0) return nothing;
  const names = new Set([...disposals.keys()].flatMap(allNamesOf));
  const namesakes = items.filter((item) => allNamesOf(item).some((name) => names.has(name)));
  const released = new Spans([...releasedBy(folds, restored), ...namesakes.flatMap(ownNameSpans)]);
  const nameReferences = nameReferencesOf(settings);
  const search = { namesOf: allNamesOf, released, namesAnother, nameReferences };
  const uses = findUses(envelope, [...disposals.keys()], search);
  const diagnostics: Diagnostic[] = [];
  const pruned = new Set<Item>();
  const marked = new Set<Item>();
  const edits: TextEdit[] = [];
  const add = (more: readonly TextEdit[]): void => {
    for (const edit of more) edits.push(edit);
  };
  for (const [item, disposal] of disposals) {
    const kept = keptBecause(item, uses.get(item) ?? referencedAgain.get(item), markedBefore);
    if (kept !== undefined) diagnostics.push(kept);
    if (kept === undefined && disposal === "prune") pruned.add(item);
    else if (kept !== undefined) add(withoutComments(item, markKept(item, markedBefore)));
    else {
      if (markedBefore.has(item) || !item.annotations.has(Mark.localConfig)) marked.add(item);
      add(withoutComments(item, markLocal(item)));
    }
  }
  // A layer that is no longer folded is a layer like any other again.
  const disposed: ReadonlySet<Item> = new Set(disposals.keys());
  for (const item of markedBefore)
    if (!disposed.has(item)) add(withoutComments(item, unannotate(item, Mark.localConfig)));
  return { edits, pruned, marked, diagnostics };
}

/** Names of layers that the folds replace: the references themselves, and earlier folded items. */
function releasedBy(folds: readonly Fold[], restored: readonly Restoration[]): Span[] {
  const nodes = folds.flatMap(({ layers }) => layers.flatMap(({ reference }) => reference?.node ?? []));
  return [...nodes.map(spanOf), ...restored.map(({ item }) => item)];
}

/** Where an item has its own name: a namesake of a layer does not reference the layer. */
function ownNameSpans(item: Item): Span[] {
  const metadata = metadataOf(item);
  if (metadata === undefined) return [];
  const name = metadata.get("name");
  const annotations = metadata.get("annotations");
  const own = annotations === undefined ? [] : orchestratorKeys.flatMap((key) => annotations.get(key) ?? []);
  return [...(name === undefined ? [] : [name]), ...own].map(spanOf);
}

/** Annotations in which an orchestrator records an item's own names. */
const orchestratorKeys = [Mark.previousNames, Mark.kustomizeId];

/** The disposal of annotated layers that are not kept. */
export function annotatedDisposal(form: Form, { layers }: Settings): LayerDisposal {
  return layers ?? (form === "stream" ? "prune" : "local");
}

/** Layers to dispose of. */
function disposalsOf(
  { form }: Envelope,
  folds: readonly Fold[],
  settings: Settings,
): Map<LayerItem, LayerDisposal> {
  const annotated = annotatedDisposal(form, settings);
  const { layers } = settings;
  const disposals = new Map<LayerItem, LayerDisposal>();
  for (const { stack, layers: folded } of folds) {
    // The target's own values are a layer of it, and stay.
    for (const layer of folded.filter(({ item }) => item !== stack.target)) {
      const disposal = servesHereOnly(layer) ? annotated : (layers ?? "keep");
      if (disposal !== "keep" && layer.shared !== true) disposals.set(layer.item, disposal);
    }
  }
  return disposals;
}

/** Layers without references, folded items of an earlier run, and items that are never applied: only this fold uses them. */
function servesHereOnly({ item: { annotations }, reference }: Layer): boolean {
  const local = annotations.get(Mark.localConfig) === "true";
  const own = reference === undefined || annotations.has(Mark.into);
  return local || own || annotations.has(Mark.foldedFrom);
}

/** Why a layer stays as it is; undefined if it does not. */
function keptBecause(
  item: Item,
  use: Use | undefined,
  markedBefore: ReadonlySet<Item>,
): Diagnostic | undefined {
  const isNeverApplied = item.annotations.get(Mark.localConfig) === "true" && !markedBefore.has(item);
  const about = { code: "layer-kept", ...atItem(item) } as const;
  if (item.annotations.get(Mark.keep) === "true")
    return {
      ...about,
      severity: "info",
      message: "the layer stays as it is",
      reason: "it has the annotation `valuefold.dev/keep`",
    };
  if (use === undefined) return undefined;
  return {
    ...about,
    severity: "warning",
    message: "the layer stays as it is",
    reason: `\`${objectText(use.item)}\` references it at \`${use.field}\``,
    hint: isNeverApplied
      ? "it is `local-config`, so it is never applied: remove that annotation"
      : 'annotate the layer with `valuefold.dev/keep: "true"` if that is intended',
  };
}

/** kustomize drops a local-config item at the end of the build; kpt keeps but never applies it. An existing value stays. */
function markLocal(item: Item): TextEdit[] {
  const kept = item.annotations.has(Mark.kept) ? unannotate(item, Mark.kept) : [];
  return item.annotations.has(Mark.localConfig)
    ? kept
    : [...kept, ...annotate(item, { [Mark.localConfig]: "true" })];
}

/** Without the mark, `verify` would take an annotated layer that stays for one that was never folded. */
function markKept(item: Item, markedBefore: ReadonlySet<Item>): TextEdit[] {
  const unmarked = markedBefore.has(item) ? unannotate(item, Mark.localConfig) : [];
  return [...unmarked, ...(item.annotations.has(Mark.into) ? annotate(item, { [Mark.kept]: "true" }) : [])];
}
