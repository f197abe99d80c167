// Reads the stacks of a list as they are planned, and explains the targets that are asked for.
import {
  awaiting,
  type Context,
  diagnosticsOf,
  inlineOf,
  type Plan,
  planFolds,
  protectionsFor,
  type ReadEntry,
  readStack,
  type FoldInput,
  type StackOutcome,
  type Steps,
} from "../core/index.ts";
import type { Item } from "../krm/index.ts";
import type { Node } from "../yaml/index.ts";
import type { Chain } from "./chain.ts";
import { grouped } from "../grouped.ts";
import { remembered } from "../remembered.ts";
import { placesIn } from "../report/index.ts";
import type { Layer, Stack, Target } from "../layers/index.ts";
import type { ExplainedStack, ExplainedTarget } from "../explanation.ts";
import type { Diagnostic } from "../diagnostic.ts";
import { isNamedAs, objectText } from "../object-id.ts";
import { swappedKeys } from "./lint/swapped-keys.ts";
import { notesFor } from "../schema/index.ts";
import { cloneOf } from "./clone.ts";
import { documentOf } from "./layer-document.ts";
import { documentsOf, type EntryDocument } from "./stack-documents.ts";
import { Pieces } from "./pieces.ts";
import { type FilesOf, Places } from "./places.ts";
import { judgedStacks, namedOf } from "./judged.ts";
import {
  chartLeftOut,
  explainedTarget,
  type OverChart,
  type OverChartOf,
  type SourceStack,
  type SourceTarget,
} from "./source-target.ts";
import { chainDocument, type StackDocument } from "./document.ts";
import type { Explaining } from "./stack-values.ts";
import { type UnfoldedStack, explainedStack, finished, letters } from "./stack.ts";

export interface ExplainCall extends FoldInput {
  /** True where only values that override another one are given in full: the others have neither text nor place. */
  readonly isBrief?: boolean;
  /** `Kind/name` or `Kind/namespace/name`; all targets without one. */
  readonly target?: string;
  /** Which values, by their path. */
  readonly path?: string;
  /** The files that the input was built from, if the edge knows them. */
  readonly sources?: FilesOf;
  /** The charts of targets, if the edge knows them. */
  readonly overChart?: OverChartOf;
  /** Targets that are no objects of the list. */
  readonly targets?: readonly SourceTarget[];
}

function placesOf(
  { form, input, files, sources }: ExplainCall,
  { layers, holdings, report }: Context,
): Places {
  // A resource list is not a file, and neither is what comes through a pipe.
  const isNamed = form === "stream" && (files ?? []).some(({ name }) => name !== undefined);
  const placeIn = isNamed ? placesIn(input, files) : undefined;
  return new Places({
    layers,
    holdings,
    sourceOf:
      placeIn === undefined
        ? undefined
        : (offset, isExact) => {
            const origin = report.originOf(offset);
            return isExact && !origin.isExact ? undefined : placeIn(origin.at);
          },
    filesOf: sources,
  });
}

interface ReadStack extends Pick<UnfoldedStack, "stack" | "own" | "removed"> {
  readonly documents: readonly StackDocument[];
  readonly overChart: ReturnType<OverChartOf> | undefined;
  readonly how: Explaining;
  readonly nextId: () => string;
}

/** @param over its documents over the chart, if there is one */
function draftOf(
  { stack, own, removed, documents, how, nextId }: ReadStack,
  over: OverChart | undefined,
): UnfoldedStack {
  const answer = explainedStack(over?.documents ?? documents, how, nextId);
  if (over === undefined) return { ...answer, stack, own, removed };
  const below = Array.from({ length: over.start ?? 0 }, () => undefined);
  const all = over.start === undefined ? [] : [...below, ...own];
  return { ...answer, stack, own: all, removed: [...removed, ...(over.removed ?? [])] };
}

function isRepeatedKey({ code }: { readonly code: string }): boolean {
  return code === "duplicate-key";
}

/** Of one list. */
export class Explainer {
  readonly unread: Diagnostic[] = [];
  /** Layers with a repeated key. */
  private readonly repeated = new Set<string>();
  private readonly request: ExplainCall;
  private readonly context: Context;
  private readonly items: readonly Item[];
  private readonly places: Places;
  private readonly drafts = new Map<Target, UnfoldedStack[]>();
  /** Stacks that were read, in their order. A chart that is below one may be asked of Helm. */
  private readonly stacksRead: ReadStack[] = [];
  private readonly ids = new Map<Target, () => string>();

  constructor(request: ExplainCall, context: Context, items: readonly Item[]) {
    this.items = items;
    this.request = request;
    this.context = context;
    this.places = placesOf(request, context);
  }

  /** Reads each stack as it is planned. */
  *plan(): Steps<Plan> {
    const { targets = [] } = this.request;
    const judged = judgedStacks(targets, this.context.settings);
    const plan = yield* planFolds(this.items, this.listening(), judged);
    for (const read of this.stacksRead) {
      const { stack, documents, overChart } = read;
      const over = this.used(overChart && (yield* awaiting(overChart)), stack);
      this.lint({ documents, ...over });
      remembered(this.drafts, stack.target, () => []).push(draftOf(read, over));
    }
    return plan;
  }

  private listening(): Context {
    return {
      ...this.context,
      onStack: (outcome, all, survey) => {
        this.read(outcome, outcome.stack === all.at(-1));
        this.context.onStack?.(outcome, all, survey);
      },
    };
  }

  listed(plan: Plan, wanted: readonly Target[]): readonly ExplainedTarget[] {
    const folds = grouped([...plan.inPlace.folds, ...plan.folds], ({ stack }) => stack);
    const runEnds = grouped(plan.runEnds, ({ stack }) => stack);
    return wanted.flatMap((target): ExplainedTarget[] => {
      const drafts = this.drafts.get(target) ?? [];
      const stacks = drafts.map((draft) =>
        finished(draft, folds.get(draft.stack) ?? [], runEnds.get(draft.stack) ?? []),
      );
      return stacks.length === 0 ? [] : [this.target(target, stacks)];
    });
  }

  /** Targets that are no objects of the list. */
  others(wanted: readonly SourceTarget[] = this.request.targets ?? []): readonly ExplainedTarget[] {
    const isBrief = this.request.isBrief === true;
    return wanted.map((each) => {
      const target = namedOf(each);
      for (const stack of each.stacks) this.lint(stack);
      const protections = protectionsFor(target, this.context.settings);
      return explainedTarget(each, { isBrief, protections, ...this.notes({ target }) });
    });
  }

  private read({ stack, runs }: StackOutcome, isTop: boolean): void {
    const { target } = stack;
    if (this.request.target !== undefined && !isNamedAs(target, this.request.target)) return;
    const inline = isTop ? inlineOf(target) : undefined;
    const { layers: reader } = this.context;
    const item = "read" in target ? target : undefined;
    const chain = inline && item && this.places.chainOf(item, inline);
    const isBrief = this.request.isBrief === true;
    const scene = { target: item, reader, places: this.places, isBrief };
    const own = readStack(stack, reader);
    const inlines = inline === undefined ? [] : this.inlineDocuments(item, inline, chain);
    const read: readonly EntryDocument[] = [
      ...own.map((entry) => ({ entry, document: documentOf(entry, scene) })),
      ...inlines.map((document) => ({ entry: { isInline: true }, document })),
    ];
    if (read.length === 0) return;
    this.reportUnread(stack, own);
    const isFirst = !this.ids.has(target);
    const nextId = remembered(this.ids, target, letters);
    const ordered = documentsOf(read, stack, { places: this.places, ...this.context });
    const entries = ordered.map(({ entry }) => entry);
    const documents = ordered.map(({ document }) => document);
    const how = {
      isBrief,
      protections: protectionsFor(target, this.context.settings),
      rules: stack.rules?.at,
      pieces: Pieces.of(entries, stack.into === undefined ? runs : undefined),
      ...this.notes(stack),
    };
    const of = { stack, own: entries.map(({ layer }) => layer), removed: chain?.removed ?? [] };
    // The Secrets of an App are over its ConfigMaps, which have the chart below them.
    const overChart = isFirst ? this.overChart(stack, documents) : undefined;
    this.stacksRead.push({ ...of, documents, overChart, how, nextId });
  }

  /** What the target holds itself. */
  private inlineDocuments(
    item: Item | undefined,
    root: Node,
    chain: Chain | undefined,
  ): readonly StackDocument[] {
    if (chain !== undefined)
      return chain.documents.map((each) => chainDocument(each, "spec.values", "apart"));
    const placeOf = (node: Node) => item && this.places.ofInline(item, node);
    const facts = { why: "own", slot: "spec.values", state: "apart" } as const;
    return [{ facts, isKnown: true, isSecret: false, root, at: () => placeOf(root), placeOf }];
  }

  private overChart({ target, into }: Stack, documents: readonly StackDocument[]): ReadStack["overChart"] {
    return into === undefined ? this.request.overChart?.(objectText(target), documents) : undefined;
  }

  /** A brief explanation is for its layers only. */
  private used(over: OverChart | undefined, stack: Stack): OverChart | undefined {
    if (over === undefined || this.request.isBrief === true) return undefined;
    const isLeftOut = stack.rules !== undefined;
    this.context.report.all([...(isLeftOut ? [chartLeftOut] : []), ...over.faults]);
    return isLeftOut ? undefined : over;
  }

  /** A chart that is here says better which keys it reads. */
  private lint({ documents, release }: Pick<SourceStack, "documents" | "release">): void {
    const { purpose, report } = this.context;
    const isLint = purpose === "lint" || purpose === "lint-fold";
    if (isLint && release === undefined) report.all(swappedKeys(documents));
  }

  /** No schemas in brief: only overriding matters there. */
  private notes(stack: Parameters<typeof notesFor>[0]): Pick<Explaining, "notes"> {
    const { settings } = this.context;
    if (settings.schemas === undefined || this.request.isBrief === true) return {};
    return { notes: notesFor(stack, this.items, this.context) };
  }

  /** A fold does not report a wrong layer that it leaves alone; here its values are missing. */
  private reportUnread(stack: Stack, entries: readonly ReadEntry[]): void {
    const { report, layers: reader } = this.context;
    for (const { layer, state } of entries) {
      if (layer === undefined) continue;
      if (state === undefined) this.reportRepeated(layer, stack);
      if (state !== "unreadable") continue;
      const fault = reader.keyFault(layer);
      const faults = fault === undefined ? diagnosticsOf(layer, stack, reader) : [fault];
      for (const one of faults.filter(({ code }) => code !== "variable-layer")) this.unread.push(one);
      // What holds a variable may be valid once Flux has substituted it.
      report.all(
        faults.map((each) => (each.code === "variable-layer" ? { ...each, severity: "warning" } : each)),
      );
    }
  }

  /** A key that is set twice: the fold reports it for layers that it folds, and the first target for all others. */
  private reportRepeated(layer: Layer, stack: Stack): void {
    const { report, layers: reader } = this.context;
    const id = `${objectText(layer.item)} ${layer.key ?? ""}`;
    if (!reader.valuesOf(layer).notes.some(isRepeatedKey) || this.repeated.has(id)) return;
    this.repeated.add(id);
    const found = diagnosticsOf(layer, stack, reader).filter(isRepeatedKey);
    this.unread.push(...found);
    const known = new Set(report.diagnostics.filter(isRepeatedKey).map((each) => JSON.stringify(each)));
    report.all(found.filter((each) => !known.has(JSON.stringify(each))));
  }

  private target(target: Target, stacks: readonly ExplainedStack[]): ExplainedTarget {
    const { kind, namespace, name } = target;
    const at = this.places.ofItem(target);
    const clone = cloneOf(target);
    const named = { kind, ...(namespace === undefined ? {} : { namespace }), name };
    return { ...named, ...(at && { at }), ...(clone && { clone }), stacks };
  }
}
