// The entries of a stack, as a list of objects has them → its documents. What Flux sets at a path is computed over those below it.
import type { Barrier, Holdings, Stack } from "../layers/index.ts";
import { dataKeyFor, type ReadEntry } from "../core/index.ts";
import { placeOf, refOf } from "../krm/index.ts";
import type { Report } from "../report/index.ts";
import { type Node, standalone } from "../yaml/index.ts";
import type { Diagnostic } from "../diagnostic.ts";
import { objectText } from "../object-id.ts";
import type { Place } from "../explanation.ts";
import type { StackDocument } from "./document.ts";
import type { Scene } from "./layer-document.ts";
import { mergedNode, type PathDocument, pathDocument } from "./target-path.ts";

interface DocumentReading extends Pick<Scene, "places"> {
  readonly holdings: Holdings;
  readonly report: Report;
}

/** An entry of a stack, and what it sets. */
export interface EntryDocument {
  readonly entry: ReadEntry;
  readonly document: StackDocument;
}

/**
 * Lowest first. What Flux sets in the inline values is over them.
 * @param read lowest first; values that the target holds itself are the last
 */
export function documentsOf(
  read: readonly EntryDocument[],
  stack: Stack,
  reading: DocumentReading,
): readonly EntryDocument[] {
  const all: EntryDocument[] = [];
  const overInline: EntryDocument[] = [];
  const roots: Node[] = [];
  const inlines = read.filter(({ entry }) => entry.isInline === true);
  let inline = inlineOf(inlines);
  for (const { entry, document } of read) {
    const { barrier } = entry;
    const below = { stack, roots, inline, documents: [...all, ...overInline, ...inlines] };
    const set = barrier?.why === "target-path" ? setAt(barrier, below, reading) : undefined;
    const found = { entry, document: set === undefined ? document : withSet(document, set.document) };
    if (set?.changesInline === true) overInline.push(found);
    else all.push(found);
    // Flux merges the inline values before it sets a value.
    if (set !== undefined && inline !== undefined) roots.push(inline);
    if (found.document.root !== undefined) roots.push(found.document.root);
    if (set?.changesInline === true) inline = mergedNode([inline, set.document.root]);
  }
  return [...all, ...overInline];
}

function inlineOf(inlines: readonly EntryDocument[]): Node | undefined {
  const own = inlines.flatMap(({ document: { root } }) => (root && standalone(root)) ?? []);
  return own.length === 0 ? undefined : mergedNode(own);
}

interface ReadBelow {
  readonly stack: Stack;
  readonly documents: readonly EntryDocument[];
  /** All that is merged before it is set, lowest first. */
  readonly roots: readonly Node[];
  readonly inline: Node | undefined;
}

/** What it sets, by all below it and by inline values: Flux merges these before and again at the end. */
function setAt(
  barrier: Barrier,
  { stack, documents, roots, inline }: ReadBelow,
  { holdings, report, places }: DocumentReading,
): PathDocument | undefined {
  const { target, rules } = stack;
  const { item, reference } = barrier;
  const placed = (text: Uint8Array): Place | undefined =>
    item && places.ofText(item, reference?.key ?? dataKeyFor(target), text);
  const options = { holdings, below: roots, inline, secrets: false, placeOf: placed };
  const set = rules === undefined ? pathDocument(barrier, target, options) : undefined;
  report.all(set?.faults ?? [unexplained(stack, barrier)]);
  // It is computed over all of these: what it sets may be, or hold, what was there.
  const isSecret = documents.some(({ document }) => document.isSecret);
  return set && { ...set, document: { ...set.document, isSecret } };
}

/** The values of the one, named as the other. */
function withSet({ facts, at, held }: StackDocument, set: StackDocument): StackDocument {
  return { ...set, facts, at, held };
}

function unexplained({ target }: Stack, { reference }: Barrier): Diagnostic {
  const named = reference === undefined ? "an entry" : `\`${objectText(reference)}\``;
  return {
    code: "values-missing",
    severity: "warning",
    item: refOf(target),
    at: placeOf(target),
    message: `the one value that ${named} sets by \`targetPath\` is not explained`,
    reason: "it is not known here: it may override what is below it, and what `spec.values` sets",
  };
}
