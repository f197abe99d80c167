// The entries of a stack, as a list of objects has them → its documents. What Flux sets at a path is computed over those below it.
import { type Barrier, type Holdings, readValues, type Stack } from "../layers/index.ts";
import { dataKeyFor, type ReadEntry } from "../core/index.ts";
import { mergeAll, writeValues } from "../merge/index.ts";
import { placeOf, refOf } from "../krm/index.ts";
import type { Report } from "../report/index.ts";
import { standalone } from "../yaml/index.ts";
import { type Diagnostic, formatItem } from "../diagnostic.ts";
import type { Place } from "../explanation.ts";
import type { StackDocument } from "./document.ts";
import { documentOf, type Scene } from "./layer-document.ts";
import { pathDocument } from "./target-path.ts";

interface DocumentReading extends Scene {
  readonly holdings: Holdings;
  readonly report: Report;
}

/** @param entries lowest first; values that the target holds itself are the last */
export function documentsOf(
  entries: readonly ReadEntry[],
  stack: Stack,
  reading: DocumentReading,
): readonly StackDocument[] {
  const documents: StackDocument[] = [];
  for (const entry of entries) {
    const document = documentOf(entry, reading);
    const { barrier } = entry;
    const set =
      barrier?.why === "target-path" ? setAt(barrier, { stack, entries, documents }, reading) : undefined;
    documents.push(set === undefined ? document : withSet(document, set));
  }
  return documents;
}

interface ReadBelow {
  readonly stack: Stack;
  readonly entries: readonly ReadEntry[];
  readonly documents: readonly StackDocument[];
}

/** What it sets, by documents below it and by inline values: Flux merges these before and again at the end. */
function setAt(
  barrier: Barrier,
  { stack, entries, documents }: ReadBelow,
  { holdings, report, places }: DocumentReading,
): StackDocument | undefined {
  const { target, rules } = stack;
  const { item, reference } = barrier;
  const inlines = entries.flatMap(({ isInline, root }) => (isInline === true && root ? [root] : []));
  const inline =
    inlines.length === 0
      ? undefined
      : readValues(writeValues(mergeAll(inlines.flatMap((each) => standalone(each) ?? [])))).root;
  const below = documents.flatMap(({ root }) => root ?? []);
  const placed = (text: Uint8Array): Place | undefined =>
    item && places.ofText(item, reference?.key ?? dataKeyFor(target), text);
  const options = { holdings, below, inline, secrets: false, placeOf: placed };
  const found = rules === undefined ? pathDocument(barrier, target, options) : undefined;
  // Such a value is neither below the inline values nor above them.
  const set = found?.changesInline === true ? undefined : found;
  report.all(set?.faults ?? [unexplained(stack, barrier)]);
  // It is computed over all of these: what it sets may be, or hold, what was there.
  const isSecret =
    documents.some((each) => each.isSecret) ||
    inlines.some((root) => places.documentOf(root)?.isSecret === true);
  return set && { ...set.document, isSecret };
}

/** The values of the one, named as the other. */
function withSet({ layer, at }: StackDocument, set: StackDocument): StackDocument {
  return { ...set, at, layer: (id, counts) => ({ ...layer(id, counts), ...counts }) };
}

function unexplained({ target }: Stack, { reference }: Barrier): Diagnostic {
  const named = reference === undefined ? "an entry" : `\`${formatItem(reference)}\``;
  return {
    code: "values-missing",
    severity: "warning",
    item: refOf(target),
    at: placeOf(target),
    message: `the one value that ${named} sets by \`targetPath\` is not explained`,
    reason: "it overrides what is below it, and where `spec.values` has the mapping around it, what is above",
  };
}
