// bytes → resource list → targets → stacks → fold → emit → bytes: the table of contents.
// The only file that calls the stages. Pure: no I/O, the same bytes in give the same bytes out.
import type { Diagnostic } from "./diagnostic.ts";
import { dispose } from "./dispose.ts";
import { emitFold } from "./emit.ts";
import { frontEnds, frontEndOf } from "./front/all.ts";
import type { Collected } from "./front/front-end.ts";
import { parseFunctionConfig } from "./function-config.ts";
import type { Fold, Layer, Restoration } from "./model.ts";
import { hasName, NameIndex } from "./names.ts";
import { Names } from "./naming.ts";
import { Exit, type Outcome, refuse, succeed, unreadable } from "./outcome.ts";
import { restore } from "./refold.ts";
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
  readonly names: NameIndex;
}

function foldItems(envelope: Envelope, means: Means): Edit[] {
  const { items } = envelope;
  const selection = selectTargets(items, frontEnds);
  means.report.all(selection.diagnostics);
  const gathered = gather(items, selection, means);
  const folds = foldStacks(items, gathered, means);
  if (means.report.failed) return [];
  means.report.report(summarize(selection.targets.length, folds));
  return emit(envelope, folds, gathered, means);
}

function gather(
  items: readonly Item[],
  { targets, annotated }: TargetSelection,
  { settings, report }: Means,
): Gathered {
  const names = new NameIndex(items);
  const holders = targets.map((target) => ({ target, references: frontEndOf(target).referencesOf(target) }));
  const { restorations, diagnostics } = restore(items, holders, names);
  report.all(diagnostics);
  const byTarget = layersByTarget(annotated);
  const collected = new Map<Item, Collected>();
  for (const target of targets) {
    const earlier = restorations.get(target) ?? [];
    const own = (byTarget.get(target) ?? []).filter((layer) => !isHeld(layer, earlier));
    const found = frontEndOf(target).collect(target, {
      items,
      names,
      settings,
      annotated: own,
      restorations: earlier,
    });
    report.all(found.diagnostics);
    collected.set(target, found);
  }
  return { collected, restorations, names };
}

function layersByTarget(annotated: TargetSelection["annotated"]): Map<Item, Layer[]> {
  const layers = new Map<Item, Layer[]>();
  for (const { layer, targets } of annotated) {
    for (const target of targets) {
      const known = layers.get(target);
      // `App/x, App/*` means the target once.
      if (known === undefined) layers.set(target, [layer]);
      else if (!known.some(({ item }) => item === layer.item)) known.push(layer);
    }
  }
  return layers;
}

/** A layer that a folded item which stays was folded from is in it already. */
function isHeld({ item, reference }: Layer, restorations: readonly Restoration[]): boolean {
  const held = restorations.filter(({ stays }) => stays).flatMap(({ recorded }) => recorded);
  return (
    reference === undefined &&
    held.some(({ slot, kind, name }) => slot === undefined && kind === item.kind && hasName(item, name))
  );
}

function foldStacks(
  items: readonly Item[],
  { collected, restorations, names }: Gathered,
  { settings, report }: Means,
): Fold[] {
  const dangling = [...collected].flatMap(([target, { references }]) =>
    references.filter((reference) => names.find(reference, target).length === 0),
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

function emit(
  envelope: Envelope,
  folds: readonly Fold[],
  { collected, restorations }: Gathered,
  { settings, report }: Means,
): Edit[] {
  const edits: Edit[] = [];
  const byTarget = groupByTarget(folds);
  const obsolete = new Set<Item>();
  for (const [target, found] of collected) {
    const own = byTarget.get(target) ?? [];
    const earlier = takenApart(restorations.get(target) ?? []).map(({ item }) => item);
    if (own.length === 0 && earlier.length === 0) continue;
    const emitted = own.map((one) => emitFold(envelope, one, earlier, frontEndOf(target).dataKey));
    const rewritten = frontEndOf(target).rewrite(target, found, own);
    if ("code" in rewritten) report.report(rewritten);
    else edits.push(...emitted.flatMap((each) => each.edits), ...withoutComments(target, rewritten));
    for (const item of earlier) if (!emitted.some(({ again }) => again === item)) obsolete.add(item);
  }
  const disposal = dispose(envelope, folds, settings, takenApart([...restorations.values()].flat()));
  report.all(disposal.diagnostics);
  return [...edits, ...disposal.edits, ...removeItems(envelope, new Set([...disposal.pruned, ...obsolete]))];
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
