// The two steps that ask SOPS: opening what may be folded, and putting folded Secrets back under seal.
import type { Context, Survey } from "../context.ts";
import { dataKeyFor, labelledLayersOf } from "../front/all.ts";
import { grouped } from "../grouped.ts";
import type { Holdings } from "../layer/holdings.ts";
import type { LayerReader } from "../layer/layers.ts";
import type { Layer, Run } from "../model.ts";
import { takenApart } from "../refold/restore.ts";
import { sealMissing } from "../stack/layer-faults.ts";
import type { Item } from "../wire/item.ts";
import { readOpened, type SealedDocument } from "./documents.ts";
import { inputsOf } from "./inputs.ts";
import type { KnownRecipients, SopsOutcome, Steps } from "./need.ts";
import { documentsOf, sealedIn } from "./prospects.ts";
import { manifestOf, resealed, sealedRun, sealFault } from "./seal.ts";
import { sealedFormOf, tidy } from "./sealed-form.ts";

/** Opens what may be folded. What was folded and sealed earlier is never opened to see what it says. */
export function* openSealed(survey: Survey, { settings, holdings }: Context): Steps<void> {
  const { sops } = settings;
  if (sops === undefined) return;
  const documents = documentsOf(sealedItems(survey), sops, holdings);
  if (documents.length === 0) return;
  const supply = yield { open: documents, keys: sops.keys };
  documents.forEach((document, index) => takeIn(document, supply[index], holdings));
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

/** An opened document becomes what its item holds. */
function takeIn({ item, key }: SealedDocument, outcome: SopsOutcome | undefined, holdings: Holdings): void {
  if (outcome === undefined || "fault" in outcome)
    return holdings.keepSealed(item, key, outcome?.fault ?? "failed");
  if (key !== undefined) return holdings.openKey(item, key, outcome.text);
  const keys = readOpened(outcome.text);
  if (keys === undefined) holdings.keepSealed(item, key, "malformed");
  else holdings.openManifest(item, keys);
}

/** A run that is to be sealed, and for whom. */
interface Open {
  readonly run: Run;
  readonly recipients: KnownRecipients;
}

/** Secrets go back under seal: under the one they had, where nothing that goes into them has changed. */
export function* sealRuns(
  stacks: readonly (readonly Run[])[],
  survey: Survey,
  context: Context,
): Steps<readonly (readonly Run[])[]> {
  const { settings, report, holdings, purpose } = context;
  if (settings.sops === undefined || report.failed) return stacks;
  const open = stacks.flat().flatMap((run) => openRun(run, context));
  if (report.failed || purpose !== "output") return stacks;
  const apart = takenApart([...survey.restorations.values()].flat()).map(({ item }) => item);
  const earlier = [...apart, ...context.previous];
  const sealed = new Map<Run, Run>();
  const anew: (Open & { readonly told: Run })[] = [];
  for (const { run, recipients } of open) {
    const told = { ...run, inputs: inputsOf(run, keyOf(run), recipients, context) };
    const kept = resealed(told, keyOf(run), earlier, holdings);
    if (kept === undefined) anew.push({ run, recipients, told });
    else sealed.set(run, kept);
  }
  // One question for all who are to read the same.
  for (const group of grouped(anew, ({ recipients }) => JSON.stringify(recipients)).values()) {
    const recipients = group[0]?.recipients ?? { age: [], pgp: [] };
    const seal = group.map(({ run }) => manifestOf(run, keyOf(run)));
    const supply = yield { seal, recipients, keys: settings.sops.keys };
    group.forEach(({ run, told }, index) => {
      const outcome = supply[index] ?? { fault: "failed" as const };
      const done = "text" in outcome ? sealedRun(told, keyOf(run), outcome.text) : undefined;
      if (done === undefined) report.report(sealFault(outcome, run));
      else sealed.set(run, done);
    });
  }
  return stacks.map((runs) => runs.map((run) => sealed.get(run) ?? run));
}

/** Every Secret for those whom the settings name; without them one of opened layers, for those that all of these share. */
function openRun(run: Run, { settings, report, layers, purpose }: Context): Open[] {
  const { seal, allowPlaintext } = settings.sops ?? {};
  if (run.kind !== "Secret" || run.stack.into !== undefined) return [];
  if (seal !== undefined) return [{ run, recipients: tidy(seal) }];
  const opened = run.layers.filter((layer) => layers.isOpened(layer));
  const [first] = opened;
  if (first === undefined || allowPlaintext === true) return [];
  const recipients = sharedBy(opened, layers);
  if (recipients.age.length + recipients.pgp.length > 0) return [{ run, recipients }];
  if (purpose === "output") report.report(sealMissing(first, run.stack, layers));
  return [];
}

function sharedBy(opened: readonly Layer[], layers: LayerReader): KnownRecipients {
  const all = opened.map((layer) => sealedFormOf(layer.item, layers.keyOf(layer) ?? "")?.recipients);
  const shared = (kind: "age" | "pgp"): string[] =>
    (all[0]?.[kind] ?? []).filter((each) => all.every((one) => one?.[kind].includes(each)));
  return tidy({ age: shared("age"), pgp: shared("pgp") });
}

function keyOf({ stack }: Run): string {
  return dataKeyFor(stack.target);
}
