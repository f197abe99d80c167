// The two steps that need SOPS: opening layers that may be folded, and sealing folded Secrets again.
import type { Context, Survey } from "../context.ts";
import { dataKeyFor, labelledLayersOf } from "../front/all.ts";
import { grouped } from "../../grouped.ts";
import { isLayerItem, type Holdings, type LayerReader, type Layer, type Run } from "../../layers/index.ts";
import { undoneFolds } from "../refold/restore.ts";
import { sealMissing } from "../stack/layer-faults.ts";
import type { Item } from "../../krm/index.ts";
import { readOpened, type SealedDocument, sealedDocumentsOf } from "./documents.ts";
import { inputsOf } from "./inputs.ts";
import type { KnownRecipients, SopsOutcome, Steps } from "./need.ts";
import { documentsOf, sealedIn } from "./prospects.ts";
import { earlierSeal, holdsText, manifestOf, resealed, sealedRun, sealFault } from "./seal.ts";
import { sealedFormOf, tidy } from "./sealed-form.ts";

/** Opens layers that may be folded. Folded items that were sealed earlier are never opened to read them. */
export function* openSealed(survey: Survey, { settings, holdings }: Context): Steps<void> {
  const { sops } = settings;
  if (sops === undefined) return;
  const documents = documentsOf(sealedItems(survey), sops, holdings);
  if (documents.length === 0) return;
  const supply = yield { open: documents, keys: sops.keys };
  documents.forEach((document, index) => takeIn(document, supply[index], holdings));
}

function sealedItems({ selection, names, targetReferences, restorations, annotated }: Survey): Item[] {
  const byTarget = new Map(targetReferences.map((each) => [each.target, each]));
  return selection.targets.flatMap((target) => {
    const own = byTarget.get(target) ?? { target, references: [], leftAlone: false };
    const prospect = {
      own,
      annotated: [...(annotated.get(target) ?? []).map(({ item }) => item), ...labelledLayersOf(target)],
      restorations: restorations.get(target) ?? [],
    };
    return sealedIn(prospect, names);
  });
}

/** Stores the values of an opened document as those of its item. */
function takeIn({ item, key }: SealedDocument, outcome: SopsOutcome | undefined, holdings: Holdings): void {
  if (outcome === undefined || "fault" in outcome)
    return holdings.keepSealed(item, key, outcome?.fault ?? "failed");
  if (key !== undefined) return holdings.openKey(item, key, outcome.text);
  const keys = readOpened(outcome.text);
  if (keys === undefined) holdings.keepSealed(item, key, "malformed");
  else holdings.openManifest(item, keys);
}

/** A run to seal, and its recipients. */
interface SealRequest {
  readonly run: Run;
  readonly recipients: KnownRecipients;
}

/** The same, with the digest of its inputs. */
interface RecordedRequest extends SealRequest {
  readonly recorded: Run;
}

/** Seals Secrets again: with their earlier seal if their inputs are unchanged. */
export function* sealRuns(
  stacks: readonly (readonly Run[])[],
  survey: Survey,
  context: Context,
): Steps<readonly (readonly Run[])[]> {
  const { settings, report, purpose } = context;
  if (settings.sops === undefined || report.failed) return stacks;
  const requests = stacks
    .flat()
    .flatMap((run) => sealRequestOf(run, context))
    .map((one) => ({
      ...one,
      recorded: { ...one.run, inputs: inputsOf(one.run, keyOf(one.run), one.recipients, context) },
    }));
  if (report.failed || purpose !== "output") return stacks;
  const undone = undoneFolds([...survey.restorations.values()].flat()).map(({ item }) => item);
  const earlier = [...undone, ...context.previous];
  const sealed = yield* keepSeals(requests, earlier, context);
  const unsealed = requests.filter(({ run }) => !sealed.has(run));
  // One request per set of recipients.
  for (const group of grouped(unsealed, ({ recipients }) => JSON.stringify(recipients)).values()) {
    const recipients = group[0]?.recipients ?? { age: [], pgp: [] };
    const seal = group.map(({ run }) => manifestOf(run, keyOf(run)));
    const supply = yield { seal, recipients, keys: settings.sops.keys };
    group.forEach(({ run, recorded }, index) => {
      const outcome = supply[index] ?? { fault: "failed" as const };
      const done = "text" in outcome ? sealedRun(recorded, keyOf(run), outcome.text) : undefined;
      if (done === undefined) report.report(sealFault(outcome, run));
      else sealed.set(run, done);
    });
  }
  return stacks.map((runs) => runs.map((run) => sealed.get(run) ?? run));
}

/** Runs with their earlier seal, by run. If a plain layer is among the inputs, only the opened seal shows the earlier value. */
function* keepSeals(
  requests: readonly RecordedRequest[],
  earlier: readonly Item[],
  { settings, holdings }: Context,
): Steps<Map<Run, Run>> {
  const found = requests.flatMap(({ run, recorded, recipients }) => {
    const item = earlierSeal(recorded, keyOf(run), earlier, holdings);
    return item === undefined ? [] : [{ run, recorded, item, recipients }];
  });
  const unknown = found
    .filter(
      ({ run, recorded, item, recipients }) =>
        recorded.inputs === undefined && isFor(recipients, item, keyOf(run)),
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
  const kept = [...found.filter(({ recorded }) => recorded.inputs !== undefined), ...same];
  return new Map(
    kept.flatMap(({ run, recorded, item }) => {
      const sealed = resealed(recorded, keyOf(run), item, holdings);
      return sealed === undefined ? [] : [[run, sealed] as const];
    }),
  );
}

function isFor(recipients: KnownRecipients, item: Item, key: string): boolean {
  const known = isLayerItem(item) ? sealedFormOf(item, key)?.recipients : undefined;
  return known !== undefined && JSON.stringify(tidy(known)) === JSON.stringify(recipients);
}

/** The recipients of every Secret: those in the settings; else, for opened layers, the ones that all of them share. */
function sealRequestOf(run: Run, { settings, report, layers, purpose }: Context): SealRequest[] {
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
