// The two steps that ask SOPS: opening what may be folded, and putting folded Secrets back under seal.
import type { Context, Survey } from "../context.ts";
import { dataKeyFor, labelledLayersOf } from "../front/all.ts";
import { grouped } from "../grouped.ts";
import { isLayerItem } from "../layer/held.ts";
import type { Holdings } from "../layer/holdings.ts";
import type { LayerReader } from "../layer/layers.ts";
import type { Layer, Run } from "../model.ts";
import { takenApart } from "../refold/restore.ts";
import { sealMissing } from "../stack/layer-faults.ts";
import type { Item } from "../wire/item.ts";
import { readOpened, type SealedDocument, sealedDocumentsOf } from "./documents.ts";
import { inputsOf } from "./inputs.ts";
import type { KnownRecipients, SopsOutcome, Steps } from "./need.ts";
import { documentsOf, sealedIn } from "./prospects.ts";
import { earlierSeal, holdsText, manifestOf, resealed, sealedRun, sealFault } from "./seal.ts";
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

/** The same, with what its record says of what goes in. */
interface Told extends Open {
  readonly told: Run;
}

/** Secrets go back under seal: under the one they had, where nothing that goes into them has changed. */
export function* sealRuns(
  stacks: readonly (readonly Run[])[],
  survey: Survey,
  context: Context,
): Steps<readonly (readonly Run[])[]> {
  const { settings, report, purpose } = context;
  if (settings.sops === undefined || report.failed) return stacks;
  const open = stacks
    .flat()
    .flatMap((run) => openRun(run, context))
    .map((one) => ({
      ...one,
      told: { ...one.run, inputs: inputsOf(one.run, keyOf(one.run), one.recipients, context) },
    }));
  if (report.failed || purpose !== "output") return stacks;
  const apart = takenApart([...survey.restorations.values()].flat()).map(({ item }) => item);
  const earlier = [...apart, ...context.previous];
  const sealed = yield* keepSeals(open, earlier, context);
  const anew = open.filter(({ run }) => !sealed.has(run));
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

/** Runs under the seal they had, by the run. Where a plain layer goes in, only the opened seal says what is under it. */
function* keepSeals(
  open: readonly Told[],
  earlier: readonly Item[],
  { settings, holdings }: Context,
): Steps<Map<Run, Run>> {
  const found = open.flatMap(({ run, told, recipients }) => {
    const item = earlierSeal(told, keyOf(run), earlier, holdings);
    return item === undefined ? [] : [{ run, told, item, recipients }];
  });
  const unknown = found
    .filter(
      ({ run, told, item, recipients }) => told.inputs === undefined && isFor(recipients, item, keyOf(run)),
    )
    .flatMap((one) =>
      sealedDocumentsOf(one.item, "auto", holdings).map((document) => ({ ...one, document })),
    );
  const supply =
    unknown.length === 0
      ? []
      : yield { open: unknown.map(({ document }) => document), keys: settings.sops?.keys };
  const same = unknown.filter(({ run }, index) => {
    const outcome = supply[index] ?? { fault: "failed" };
    return "text" in outcome && holdsText(run.text, keyOf(run), outcome.text);
  });
  const kept = [...found.filter(({ told }) => told.inputs !== undefined), ...same];
  return new Map(
    kept.flatMap(({ run, told, item }) => {
      const sealed = resealed(told, keyOf(run), item, holdings);
      return sealed === undefined ? [] : [[run, sealed] as const];
    }),
  );
}

function isFor(recipients: KnownRecipients, item: Item, key: string): boolean {
  const known = isLayerItem(item) ? sealedFormOf(item, key)?.recipients : undefined;
  return known !== undefined && JSON.stringify(tidy(known)) === JSON.stringify(recipients);
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
