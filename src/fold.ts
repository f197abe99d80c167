// bytes → resource list → targets → stacks → fold → emit → bytes: the table of contents.
// The only file that calls the stages. Pure: no I/O, the same bytes in give the same bytes out; what only SOPS
// can do is asked for (steps.ts), and supplied by whoever runs the fold.
import { assemble, type Gathered, type InPlace } from "./emit/assembly.ts";
import type { Diagnostic } from "./diagnostic.ts";
import { frontEnds, frontEndOf } from "./front/all.ts";
import type { Collected } from "./front/front-end.ts";
import { parseFunctionConfig, readFunctionConfig } from "./config/function-config.ts";
import { opensInPlace } from "./stack/layer-faults.ts";
import { amend } from "./layer/data-keys.ts";
import { isOpened } from "./layer/layers.ts";
import type { Fold, Layer, Run } from "./model.ts";
import { NameIndex } from "./select/names.ts";
import { Names } from "./emit/naming.ts";
import { inFoldingOrder, isHeld, layerHeld, layersByTarget } from "./select/order.ts";
import { Exit, type Outcome, refuse, succeed, unreadable } from "./report/outcome.ts";
import { type Holder, restore } from "./refold/restore.ts";
import { Report } from "./report/report.ts";
import { foldStack } from "./stack/runs.ts";
import { openSealed, sealRuns } from "./sops/steps.ts";
import { type Means, type Need, type Prospects, type Steps, type Supply, takenApart } from "./steps.ts";
import { summarize } from "./emit/summary.ts";
import { selectTargets, type TargetSelection } from "./select/targets.ts";
import { decodeResourceList, decodeStream } from "./wire/decode.ts";
import { withoutComments, withoutFeet } from "./wire/comments.ts";
import type { Edit, Envelope, Form } from "./wire/envelope.ts";
import type { Item } from "./wire/item.ts";

export interface Request {
  readonly input: Uint8Array;
  readonly form: Form;
  /** Function config of a stream; a resource list brings its own. */
  readonly config?: Uint8Array;
}

/** Folds every stack of a list or stream, with nothing opened or sealed. Never throws on bad input. */
export function fold(request: Request): Outcome {
  const step = folding(request).next();
  if (step.done === true) return step.value;
  throw new Error("sealed layers are opened by `foldSealed`");
}

/** The same, with what it needs supplied by SOPS. */
export async function foldSealed(
  request: Request,
  supply: (need: Need) => Promise<Supply>,
): Promise<Outcome> {
  const steps = folding(request);
  let step = steps.next();
  while (step.done !== true) step = steps.next(await supply(step.value));
  return step.value;
}

function* folding({ input, form, config }: Request): Steps<Outcome> {
  const envelope = form === "stream" ? decodeStream(input) : decodeResourceList(input);
  if (!("items" in envelope)) return unreadable(input, envelope);
  const parsed =
    config === undefined ? parseFunctionConfig(envelope.functionConfig) : readFunctionConfig(config);
  if ("faults" in parsed) return refuse(envelope, parsed.faults, Exit.invalidConfig);
  const report = new Report();
  const edits = yield* foldItems(envelope, { settings: parsed.settings, report });
  const { diagnostics, failed } = report;
  if (failed) return refuse(envelope, diagnostics, Exit.faults);
  return succeed(envelope, withoutFeet(envelope, edits), diagnostics);
}

function* foldItems(envelope: Envelope, means: Means): Steps<Edit[]> {
  const { items } = envelope;
  const prospects = survey(items, means);
  const earlier = yield* openSealed(items, prospects, means);
  const inPlace = foldInPlace(items, prospects, means);
  const collected = collect(items, prospects, means);
  const runs = [...collected.values()].flatMap(({ stacks }) =>
    stacks.map((stack) => foldStack(stack, means.settings, means.report)),
  );
  const sealed = yield* sealRuns(runs, earlier, means);
  const folds = nameRuns(items, sealed, { collected, prospects }, means);
  if (means.report.failed) return [];
  means.report.report(
    summarize(
      prospects.selection.targets.length,
      [...inPlace.folds, ...folds],
      means.settings.targets !== undefined,
    ),
  );
  return assemble(envelope, { folds, inPlace }, { collected, prospects }, means);
}

function select(items: readonly Item[], { settings, report }: Means): TargetSelection {
  const selection = selectTargets(items, frontEnds, settings.targets);
  report.all(selection.diagnostics);
  const more = frontEnds.flatMap((frontEnd) => frontEnd.targetsIn?.(items, settings.targets) ?? []);
  return { ...selection, targets: [...selection.targets, ...more] };
}

function survey(items: readonly Item[], means: Means): Prospects {
  const selection = select(items, means);
  const names = new NameIndex(items);
  const others = selection.targets.filter((target) => !isInPlace(target));
  const holders = [...holdersOf(others, false), ...holdersOf(selection.leftAlone, true)];
  const { restorations, diagnostics } = restore(items, holders, names, means.settings.layers === "prune");
  means.report.all(diagnostics);
  const byTarget = layersByTarget(selection.annotated);
  const annotated = new Map<Item, readonly Layer[]>();
  for (const [target, layers] of byTarget) {
    const earlier = restorations.get(target) ?? [];
    const held = layers.filter((layer) => isHeld(layer, earlier));
    means.report.all(held.map((layer) => layerHeld(layer, target)));
    annotated.set(
      target,
      layers.filter((layer) => !held.includes(layer)),
    );
  }
  return { selection, names, holders, restorations, annotated };
}

function holdersOf(targets: readonly Item[], leftAlone: boolean): Holder[] {
  return targets.map((target) => {
    return { target, references: frontEndOf(target).referencesOf(target), leftAlone };
  });
}

/** Targets edited in place come first: whoever uses them from then on sees what they will hold. */
function foldInPlace(
  items: readonly Item[],
  { selection, names, annotated }: Prospects,
  { settings, report }: Means,
): InPlace {
  const { order, faults } = inFoldingOrder(selection.targets.filter(isInPlace), annotated);
  report.all(faults);
  const folds: Fold[] = [];
  const edits = new Map<Item, readonly Edit[]>();
  for (const target of order) {
    const around = { items, names, settings, annotated: annotated.get(target) ?? [], restorations: [] };
    const found = frontEndOf(target).collect(target, around);
    report.all(found.diagnostics);
    const runs = found.stacks.flatMap((stack) => foldStack(stack, settings, report));
    if (settings.sops?.allowPlaintext !== true) report.all(runs.flatMap(openInPlace));
    const own = runs.map((run): Fold => ({ ...run, name: target.name, namespace: target.namespace }));
    const rewritten = frontEndOf(target).rewrite(target, found, own);
    if ("code" in rewritten) report.report(rewritten);
    else edits.set(target, withoutComments(target, rewritten));
    for (const { stack, text } of own) if (stack.place !== undefined) amend(target, stack.place.key, text);
    for (const key of frontEndOf(target).goneKeys?.(target, own) ?? []) amend(target, key, undefined);
    folds.push(...own);
  }
  return { folds, edits };
}

function openInPlace({ layers, stack }: Run): Diagnostic[] {
  return layers.filter(isOpened).map((layer) => opensInPlace(layer, stack));
}

function isInPlace(target: Item): boolean {
  return frontEndOf(target).inPlace === true;
}

function collect(
  items: readonly Item[],
  { selection, names, restorations, annotated }: Prospects,
  { settings, report }: Means,
): ReadonlyMap<Item, Collected> {
  const collected = new Map<Item, Collected>();
  for (const target of selection.targets.filter((each) => !isInPlace(each))) {
    const earlier = restorations.get(target) ?? [];
    const around = { items, names, settings, annotated: annotated.get(target) ?? [], restorations: earlier };
    const found = frontEndOf(target).collect(target, around);
    report.all(found.diagnostics);
    collected.set(target, found);
  }
  return collected;
}

function nameRuns(
  items: readonly Item[],
  stacks: readonly (readonly Run[])[],
  { collected, prospects: { holders, restorations, names } }: Gathered,
  { settings, report }: Means,
): Fold[] {
  const dangling = holders.flatMap(({ target, references: own }) =>
    (collected.get(target)?.references ?? own)
      .filter((reference) => names.find(reference, target).length === 0)
      .map((reference) => ({ ...reference, namespace: reference.namespace ?? target.namespace })),
  );
  const free = new Set(takenApart([...restorations.values()].flat()).map(({ item }) => item));
  const naming = new Names(items, dangling, free);
  return stacks.flatMap((runs) => {
    const { folds, faults } = naming.assign(runs, settings.output);
    report.all(faults);
    return folds;
  });
}
