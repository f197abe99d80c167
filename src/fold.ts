// bytes → resource list → targets → stacks → fold → emit → bytes: the table of contents.
// The only file that calls the stages. Pure: no I/O, the same bytes in give the same bytes out.
import type { Diagnostic } from "./diagnostic.ts";
import { dispose } from "./dispose.ts";
import { emitFold } from "./emit.ts";
import { frontEnds, frontEndOf } from "./front/all.ts";
import type { Collected } from "./front/front-end.ts";
import { parseFunctionConfig } from "./function-config.ts";
import { amend } from "./layers.ts";
import type { Fold, Restoration } from "./model.ts";
import { NameIndex } from "./names.ts";
import { Names } from "./naming.ts";
import { Exit, type Outcome, refuse, succeed, unreadable } from "./outcome.ts";
import { inFoldingOrder, isHeld, layersByTarget } from "./order.ts";
import { type Holder, restore } from "./refold.ts";
import { Report } from "./report.ts";
import { foldStack } from "./runs.ts";
import type { Settings } from "./settings.ts";
import { summarize } from "./summary.ts";
import { selectTargets, type TargetSelection } from "./targets.ts";
import { decodeResourceList, decodeStream } from "./wire/decode.ts";
import { withoutComments, withoutFeet } from "./wire/comments.ts";
import type { Edit, Envelope, Form } from "./wire/envelope.ts";
import type { Item } from "./wire/item.ts";
import { removeItems } from "./wire/remove.ts";
import { isFault, readDocument } from "./yaml/read.ts";
import { lineAndColumn, type Node } from "./yaml/tape.ts";

export interface Request {
  readonly input: Uint8Array;
  readonly form: Form;
  /** Function config of a stream; a resource list brings its own. */
  readonly config?: Uint8Array;
}

/** Folds every stack of a list or stream. Never throws on bad input. */
export function fold({ input, form, config }: Request): Outcome {
  const envelope = form === "stream" ? decodeStream(input) : decodeResourceList(input);
  if (!("items" in envelope)) return unreadable(input, envelope);
  const configNode = config === undefined ? envelope.functionConfig : readConfig(config);
  if (configNode !== undefined && "code" in configNode)
    return refuse(envelope, [configNode], Exit.invalidConfig);
  const parsed = parseFunctionConfig(configNode);
  if ("faults" in parsed) return refuse(envelope, parsed.faults, Exit.invalidConfig);
  const report = new Report();
  const edits = foldItems(envelope, { settings: parsed.settings, report });
  const { diagnostics, failed } = report;
  if (failed) return refuse(envelope, diagnostics, Exit.faults);
  return succeed(envelope, withoutFeet(envelope, edits), diagnostics);
}

interface Means {
  readonly settings: Settings;
  readonly report: Report;
}

/** What the stages before have found, for the later ones. */
interface Gathered {
  readonly collected: ReadonlyMap<Item, Collected>;
  readonly restorations: ReadonlyMap<Item, readonly Restoration[]>;
  readonly holders: readonly Holder[];
  readonly names: NameIndex;
}

function foldItems(envelope: Envelope, means: Means): Edit[] {
  const { items } = envelope;
  const selection = select(items, means);
  const names = new NameIndex(items);
  const inPlace = foldInPlace(items, selection, names, means);
  const gathered = gather(items, selection, names, means);
  const folds = foldStacks(items, gathered, means);
  if (means.report.failed) return [];
  means.report.report(summarize(selection.targets.length, [...inPlace.folds, ...folds]));
  return emit(envelope, { folds, inPlace }, gathered, means);
}

function select(items: readonly Item[], { settings, report }: Means): TargetSelection {
  const selection = selectTargets(items, frontEnds, settings.targets);
  report.all(selection.diagnostics);
  const more = frontEnds.flatMap((frontEnd) => frontEnd.targetsIn?.(items, settings.targets) ?? []);
  return { ...selection, targets: [...selection.targets, ...more] };
}

/** What went into targets themselves. */
interface InPlace {
  readonly folds: readonly Fold[];
  readonly edits: ReadonlyMap<Item, readonly Edit[]>;
}

/** Targets edited in place come first: whoever uses them from then on sees what they will hold. */
function foldInPlace(
  items: readonly Item[],
  { targets, annotated }: TargetSelection,
  names: NameIndex,
  { settings, report }: Means,
): InPlace {
  const byTarget = layersByTarget(annotated);
  const { order, faults } = inFoldingOrder(targets.filter(isInPlace), byTarget);
  report.all(faults);
  const folds: Fold[] = [];
  const edits = new Map<Item, readonly Edit[]>();
  for (const target of order) {
    const around = { items, names, settings, annotated: byTarget.get(target) ?? [], restorations: [] };
    const found = frontEndOf(target).collect(target, around);
    report.all(found.diagnostics);
    const runs = found.stacks.flatMap((stack) => foldStack(stack, settings, report));
    const own = runs.map((run): Fold => ({ ...run, name: target.name, namespace: target.namespace }));
    const rewritten = frontEndOf(target).rewrite(target, found, own);
    if ("code" in rewritten) report.report(rewritten);
    else edits.set(target, withoutComments(target, rewritten));
    for (const { stack, text } of own) if (stack.place !== undefined) amend(target, stack.place.key, text);
    folds.push(...own);
  }
  return { folds, edits };
}

function isInPlace(target: Item): boolean {
  return frontEndOf(target).inPlace === true;
}

function gather(
  items: readonly Item[],
  { targets, leftAlone, annotated }: TargetSelection,
  names: NameIndex,
  { settings, report }: Means,
): Gathered {
  const others = targets.filter((target) => !isInPlace(target));
  const holders = [...holdersOf(others, false), ...holdersOf(leftAlone, true)];
  const { restorations, diagnostics } = restore(items, holders, names);
  report.all(diagnostics);
  const byTarget = layersByTarget(annotated);
  const collected = new Map<Item, Collected>();
  for (const target of others) {
    const earlier = restorations.get(target) ?? [];
    const own = (byTarget.get(target) ?? []).filter((layer) => !isHeld(layer, earlier));
    const around = { items, names, settings, annotated: own, restorations: earlier };
    const found = frontEndOf(target).collect(target, around);
    report.all(found.diagnostics);
    collected.set(target, found);
  }
  return { collected, restorations, holders, names };
}

function holdersOf(targets: readonly Item[], leftAlone: boolean): Holder[] {
  return targets.map((target) => {
    return { target, references: frontEndOf(target).referencesOf(target), leftAlone };
  });
}

function foldStacks(
  items: readonly Item[],
  { collected, restorations, holders, names }: Gathered,
  { settings, report }: Means,
): Fold[] {
  const dangling = holders.flatMap(({ target, references: own }) =>
    (collected.get(target)?.references ?? own)
      .filter((reference) => names.find(reference, target).length === 0)
      .map((reference) => ({ ...reference, namespace: reference.namespace ?? target.namespace })),
  );
  const free = new Set(takenApart([...restorations.values()].flat()).map(({ item }) => item));
  const naming = new Names(items, dangling, free);
  return [...collected.values()].flatMap(({ stacks }) =>
    stacks.flatMap((stack) => {
      const { folds, faults } = naming.assign(foldStack(stack, settings, report), settings.output);
      report.all(faults);
      return folds;
    }),
  );
}

interface Folded {
  readonly folds: readonly Fold[];
  readonly inPlace: InPlace;
}

function emit(
  envelope: Envelope,
  { folds, inPlace }: Folded,
  { collected, restorations }: Gathered,
  { settings, report }: Means,
): Edit[] {
  const taken = takenApart([...restorations.values()].flat());
  const disposal = dispose(envelope, [...inPlace.folds, ...folds], settings, taken);
  report.all(disposal.diagnostics);
  const gone = new Set(disposal.pruned);
  const inside = [...inPlace.edits].flatMap(([target, edits]) => (gone.has(target) ? [] : edits));
  const edits: Edit[] = [...inside, ...disposal.edits];
  const byTarget = groupByTarget(folds);
  for (const [target, found] of collected) {
    const own = byTarget.get(target) ?? [];
    const earlier = takenApart(restorations.get(target) ?? []).map(({ item }) => item);
    if (own.length === 0 && earlier.length === 0) continue;
    const { dataKey } = frontEndOf(target);
    const emitted = own.map((one) => {
      const place = placeOf(one, folds, gone);
      return emitFold(envelope, one, { earlier, dataKey, place });
    });
    const rewritten = frontEndOf(target).rewrite(target, found, own);
    if ("code" in rewritten) report.report(rewritten);
    else edits.push(...emitted.flatMap((each) => each.edits), ...withoutComments(target, rewritten));
    for (const item of earlier) if (!emitted.some(({ again }) => again === item)) gone.add(item);
  }
  const replaced = new Set(folds.filter((one) => placeOf(one, folds, gone) === "instead").map(besideOf));
  const removed = [...gone].filter((item) => !replaced.has(item));
  return [...edits, ...removeItems(envelope, new Set(removed))];
}

/** Of the items beside a layer that goes, the last takes its place. */
function placeOf(one: Fold, folds: readonly Fold[], gone: ReadonlySet<Item>): "before" | "instead" {
  const beside = besideOf(one);
  if (beside === undefined || !gone.has(beside)) return "before";
  return folds.findLast((other) => besideOf(other) === beside) === one ? "instead" : "before";
}

function besideOf({ stack }: Fold): Item | undefined {
  return stack.beside;
}

function takenApart(restorations: readonly Restoration[]): readonly Restoration[] {
  return restorations.filter(({ stays }) => !stays);
}

function groupByTarget(folds: readonly Fold[]): Map<Item, Fold[]> {
  const groups = new Map<Item, Fold[]>();
  for (const one of folds) groups.set(one.stack.target, [...(groups.get(one.stack.target) ?? []), one]);
  return groups;
}

function readConfig(bytes: Uint8Array): Node | Diagnostic {
  const doc = readDocument(bytes);
  if (!isFault(doc)) return { doc, row: 0 };
  const at = { text: "function config", ...lineAndColumn(bytes, doc.offset ?? 0) };
  const hint = "correct the YAML of the function config";
  return { code: "invalid-setting", severity: "error", message: doc.message, at, hint };
}
