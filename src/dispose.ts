// What becomes of layers once they are folded. A layer that anything else in the list names stays as it
// is: better one object too many than a Deployment that misses its volume.
import type { Diagnostic } from "./diagnostic.ts";
import { findMentions, type Span } from "./mentions.ts";
import type { Fold, Restoration } from "./model.ts";
import { previousNamesOf } from "./names.ts";
import { foldedMark } from "./record.ts";
import type { Settings } from "./settings.ts";
import { addEntry } from "./wire/edit.ts";
import type { Edit, Envelope, Form } from "./wire/envelope.ts";
import { childOf, describe, isNode, type Item, refOf } from "./wire/item.ts";
import { Field, field, isMapping } from "./yaml/tape.ts";

const localConfig = "config.kubernetes.io/local-config";

type Fate = "local" | "prune" | "keep";

export interface Disposal {
  readonly edits: readonly Edit[];
  readonly pruned: ReadonlySet<Item>;
  readonly diagnostics: readonly Diagnostic[];
}

/** @param restored folded items that named the layers, and do no more */
export function dispose(
  { bytes, form }: Envelope,
  folds: readonly Fold[],
  settings: Settings,
  restored: readonly Restoration[],
): Disposal {
  const released = releasedBy(folds, restored);
  const fates = fatesOf(form, folds, settings);
  const mentions = findMentions(bytes, [...fates.keys()].flatMap(allNames));
  const diagnostics: Diagnostic[] = [];
  const pruned = new Set<Item>();
  const edits: Edit[] = [];
  for (const [item, fate] of fates) {
    const others = allNames(item).flatMap((name) => mentions.get(name) ?? []);
    const why = keptBecause(item, others, released);
    if (why !== undefined) diagnostics.push(layerKept(item, why));
    else if (fate === "prune") pruned.add(item);
    else edits.push(...markLocal(item));
  }
  return { edits, pruned, diagnostics };
}

/** Where names of layers stand that the folds replace: the references themselves, and earlier folded items. */
function releasedBy(folds: readonly Fold[], restored: readonly Restoration[]): Span[] {
  const nodes = folds.flatMap(({ layers }) => layers.flatMap(({ reference }) => reference?.node ?? []));
  const spans = nodes.map((node) => ({ start: field(node, Field.start), end: field(node, Field.end) }));
  return [...spans, ...restored.map(({ item }) => item)];
}

/** Layers with which something is to be done. */
function fatesOf(form: Form, folds: readonly Fold[], { layers }: Settings): Map<Item, Fate> {
  const annotated: Fate = layers ?? (form === "stream" ? "prune" : "local");
  const fates = new Map<Item, Fate>();
  for (const { item } of folds.flatMap((fold) => fold.layers)) {
    const fate = servesHereOnly(item) ? annotated : (layers ?? "keep");
    if (fate !== "keep") fates.set(item, fate);
  }
  return fates;
}

/** Annotated layers, folded items of an earlier run, and what is never applied: nobody else can use them. */
function servesHereOnly({ annotations }: Item): boolean {
  const local = annotations.get(localConfig) === "true";
  return local || annotations.has("valuefold.dev/into") || annotations.has(foldedMark);
}

function allNames(item: Item): string[] {
  return [...new Set([item.name, ...previousNamesOf(item)])];
}

function keptBecause(item: Item, mentions: readonly Span[], released: readonly Span[]): string | undefined {
  if (item.annotations.get("valuefold.dev/keep") === "true") return "it says `valuefold.dev/keep`";
  const own = [{ start: item.start, end: item.end }, ...released];
  const used = mentions.some(({ start, end }) => !own.some((span) => span.start <= start && end <= span.end));
  return used ? "something else in the list names it" : undefined;
}

/** kustomize drops a local-config item at the end of the build; kpt keeps but never applies it. A value that is there stays. */
function markLocal(item: Item): Edit[] {
  const root = item.read();
  const metadata = isNode(root) ? childOf(root, "metadata") : undefined;
  if (metadata === undefined || item.annotations.has(localConfig)) return [];
  const annotations = childOf(metadata, "annotations");
  if (annotations !== undefined && isMapping(annotations))
    return [addEntry(annotations, localConfig, '"true"')];
  return [addEntry(metadata, "annotations", [[localConfig, '"true"']])];
}

function layerKept(item: Item, why: string): Diagnostic {
  return {
    code: "layer-kept",
    severity: "info",
    message: `the layer stays as it is: ${why}`,
    item: refOf(item),
    at: { text: describe(item) },
  };
}
