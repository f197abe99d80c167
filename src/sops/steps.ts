// The two steps that ask SOPS: opening what may be folded, and putting folded Secrets back under seal.
import { frontEndOf } from "../front/all.ts";
import { failOpening, openKey, openManifest } from "../layer/data-keys.ts";
import type { Run } from "../model.ts";
import { documentsOf, mayOpen, sealedIn, sealMissing } from "./prospects.ts";
import { readOpened, type SealedDocument } from "./documents.ts";
import { type Earlier, manifestOf, resealed, sealedRun, sealFault, sealLost, sopsFault } from "./seal.ts";
import type { SopsOutcome } from "./program.ts";
import { type Means, type Prospects, type Steps, takenApart } from "../steps.ts";
import type { Item } from "../wire/item.ts";

/** Opens what may be folded, and what was folded and sealed earlier; of the latter it tells what it held. */
export function* openSealed(
  items: readonly Item[],
  prospects: Prospects,
  { settings, report }: Means,
): Steps<Earlier[]> {
  const { sops } = settings;
  if (sops === undefined) return [];
  const documents = documentsOf(sealedItems(items, prospects), sops);
  if (documents.length === 0) return [];
  if (!mayOpen(sops)) {
    // Told where one would be folded, and only there.
    for (const { item, key } of documents) failOpening(item, key, sealMissing(item));
    return [];
  }
  const supply = yield { open: documents, keys: sops.keys };
  const apart = new Set(takenApart([...prospects.restorations.values()].flat()).map(({ item }) => item));
  documents.forEach(({ item }, index) => {
    const outcome = supply[index];
    if (apart.has(item) && outcome !== undefined && "fault" in outcome)
      report.report(sealLost(outcome.fault, item));
  });
  return documents.flatMap((document, index) => takeIn(document, supply[index], apart));
}

function sealedItems(
  items: readonly Item[],
  { selection, names, holders, restorations, annotated }: Prospects,
): Item[] {
  const byTarget = new Map(holders.map((holder) => [holder.target, holder]));
  return selection.targets.flatMap((target) => {
    const holder = byTarget.get(target) ?? { target, references: [], leftAlone: false };
    const own = frontEndOf(target).layersOf?.(target, items) ?? [];
    const prospect = {
      holder,
      annotated: [...(annotated.get(target) ?? []).map(({ item }) => item), ...own],
      restorations: restorations.get(target) ?? [],
    };
    return sealedIn(prospect, names);
  });
}

/** An opened document becomes what its item holds; of a folded item taken apart only its text is of use. */
function takeIn(
  { item, key }: SealedDocument,
  outcome: SopsOutcome | undefined,
  apart: ReadonlySet<Item>,
): Earlier[] {
  if (outcome === undefined || "fault" in outcome) {
    failOpening(item, key, sopsFault(outcome?.fault ?? "failed", item, key));
    return [];
  }
  const keys = key === undefined ? readOpened(outcome.text) : undefined;
  if (key !== undefined) openKey(item, key, outcome.text);
  else if (keys === undefined) failOpening(item, key, sopsFault("malformed", item, key));
  else if (apart.has(item)) return [{ item, keys }];
  else openManifest(item, keys);
  return [];
}

/** Secrets go back under seal, if recipients are named: under the seal they had, where nothing has changed. */
export function* sealRuns(
  stacks: readonly (readonly Run[])[],
  earlier: readonly Earlier[],
  { settings, report }: Means,
): Steps<readonly (readonly Run[])[]> {
  const recipients = settings.sops?.seal;
  if (recipients === undefined || report.failed) return stacks;
  const sealed = new Map<Run, Run>();
  for (const run of stacks.flat().filter(({ kind }) => kind === "Secret"))
    sealed.set(run, resealed(run, keyOf(run), earlier, recipients) ?? run);
  const open = [...sealed.values()].filter(({ sops }) => sops === undefined);
  const supply =
    open.length === 0
      ? []
      : yield { seal: open.map((run) => manifestOf(run, keyOf(run))), recipients, keys: settings.sops?.keys };
  open.forEach((run, index) => {
    const outcome = supply[index] ?? { fault: "failed" as const };
    const done = "text" in outcome ? sealedRun(run, keyOf(run), outcome.text) : undefined;
    if (done === undefined) report.report(sealFault(outcome, run));
    else sealed.set(run, done);
  });
  return stacks.map((runs) => runs.map((run) => sealed.get(run) ?? run));
}

function keyOf({ stack }: Run): string {
  return frontEndOf(stack.target).dataKey;
}
