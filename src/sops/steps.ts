// The two steps that ask SOPS: opening what may be folded, and putting folded Secrets back under seal.
import type { Context, Survey } from "../context.ts";
import { dataKeyFor, labelledLayersOf } from "../front/all.ts";
import type { Holdings } from "../layer/holdings.ts";
import type { Run } from "../model.ts";
import { takenApart } from "../refold/restore.ts";
import type { Item } from "../wire/item.ts";
import { readOpened, type SealedDocument } from "./documents.ts";
import type { SopsOutcome, Steps } from "./need.ts";
import { documentsOf, mayOpen, sealedIn } from "./prospects.ts";
import { manifestOf, resealed, type SealedBefore, sealedRun, sealFault, sealLost } from "./seal.ts";

/** Opens what may be folded, and what was folded and sealed earlier; of the latter it tells what it held. */
export function* openSealed(survey: Survey, { settings, report, holdings }: Context): Steps<SealedBefore[]> {
  const { sops } = settings;
  if (sops === undefined) return [];
  const documents = documentsOf(sealedItems(survey), sops, holdings);
  if (documents.length === 0) return [];
  if (!mayOpen(sops)) {
    // Told where one would be folded, and only there.
    for (const { item, key } of documents) holdings.keepSealed(item, key, "seal-missing");
    return [];
  }
  const supply = yield { open: documents, keys: sops.keys };
  const apart: ReadonlySet<Item> = new Set(
    takenApart([...survey.restorations.values()].flat()).map(({ item }) => item),
  );
  documents.forEach(({ item }, index) => {
    const outcome = supply[index];
    if (apart.has(item) && outcome !== undefined && "fault" in outcome)
      report.report(sealLost(outcome.fault, item));
  });
  return documents.flatMap((document, index) => takeIn(document, supply[index], { holdings, apart }));
}

function sealedItems({ selection, names, holders, restorations, annotated }: Survey): Item[] {
  const byTarget = new Map(holders.map((holder) => [holder.target, holder]));
  return selection.targets.flatMap((target) => {
    const holder = byTarget.get(target) ?? { target, references: [], leftAlone: false };
    const own = labelledLayersOf(target);
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
  { holdings, apart }: { readonly holdings: Holdings; readonly apart: ReadonlySet<Item> },
): SealedBefore[] {
  if (outcome === undefined || "fault" in outcome) {
    holdings.keepSealed(item, key, outcome?.fault ?? "failed");
    return [];
  }
  const keys = key === undefined ? readOpened(outcome.text) : undefined;
  if (key !== undefined) holdings.openKey(item, key, outcome.text);
  else if (keys === undefined) holdings.keepSealed(item, key, "malformed");
  else if (apart.has(item)) return [{ item, keys }];
  else holdings.openManifest(item, keys);
  return [];
}

/** Secrets go back under seal, if recipients are named: under the seal they had, where nothing has changed. */
export function* sealRuns(
  stacks: readonly (readonly Run[])[],
  before: readonly SealedBefore[],
  { settings, report, holdings, isPlan }: Context,
): Steps<readonly (readonly Run[])[]> {
  const recipients = settings.sops?.seal;
  if (recipients === undefined || report.failed || isPlan) return stacks;
  const sealed = new Map<Run, Run>();
  for (const run of stacks.flat().filter(({ kind }) => kind === "Secret"))
    sealed.set(run, resealed(run, keyOf(run), before, recipients, holdings) ?? run);
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
  return dataKeyFor(stack.target);
}
