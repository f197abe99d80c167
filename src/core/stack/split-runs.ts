// A stack → the runs in it that fold, with their merged values, and why each of them ended. It reorders nothing and
// writes nothing. The reasons are in run-ends.ts. Faults of a layer are reported only here, so only if the layer
// really folds.
import type { Context } from "../context.ts";
import type { Diagnostic } from "../../diagnostic.ts";
import type { Filling, Values, RunEnd, Layer, Reason, Stack } from "../../layers/index.ts";
import {
  holdsDirectives,
  isRuled,
  isUnderListRule,
  meet,
  pathTo,
  isMappingTree,
  leafOf,
  type Tree,
} from "../../merge/index.ts";
import type { Document, Node } from "../../yaml/index.ts";
import { LayersBelow } from "./below.ts";
import { ByRules, noFindings } from "./by-rules.ts";
import { cannotSplit, runTooLarge } from "./layer-faults.ts";
import { readToFold } from "./stack-entries.ts";
import { filledApart, splitReason, tooLarge, unreadable } from "./run-ends.ts";
import { maxTextBytes, writeRun } from "./run-text.ts";
import { isWorthFolding, type Segment, segmentsOf } from "./segments.ts";
import { type Below, splitAt } from "./splits.ts";
import { type Meeting, orderOf, tieIn, tieOfTexts, type TieOptions, tiesAsOne } from "./ties.ts";

/** Layers that fold into one, lowest first, and what they merge to. */
export interface MergedRun {
  readonly layers: readonly Layer[];
  readonly tree: Tree | undefined;
  readonly filling: Filling;
}

export interface SplitStack {
  readonly runs: readonly MergedRun[];
  readonly runEnds: readonly RunEnd[];
  /** The layer of each document in the runs. */
  readonly byDocument: ReadonlyMap<Document, Layer>;
  /** True if a stack that must become one cannot, and that is reported. */
  readonly refused: boolean;
}

export function splitRuns(stack: Stack, context: Context): SplitStack {
  const splitter = new RunSplitter(stack, context);
  for (const segment of segmentsOf(stack)) splitter.takeSegment(segment);
  return splitter.end();
}

/** A run that more layers may join. */
interface OpenRun {
  readonly layers: Layer[];
  /** Their documents without empty ones: merging consumes the lower side, so it may have to start again. */
  readonly roots: Node[];
  tree: Tree | undefined;
  filling: Filling;
  /** True if one of its layers holds `${`. */
  hasVariable: boolean;
  /** Upper bound of the length of its text. */
  bytes: number;
}

class RunSplitter {
  private readonly stack: Stack;
  private readonly context: Context;
  private readonly below: LayersBelow;
  private readonly ruled: ByRules;
  private readonly byDocument = new Map<Document, Layer>();
  private readonly runs: MergedRun[] = [];
  private readonly runEnds: RunEnd[] = [];
  private readonly ties: Diagnostic[] = [];
  private refused = false;
  private open = emptyRun();
  /** The last layer, and what separates it from the next one. */
  private last: Layer | undefined;
  private between: (() => Reason) | undefined;

  constructor(stack: Stack, context: Context) {
    this.stack = stack;
    this.context = context;
    this.below = new LayersBelow(stack, context.layers);
    this.ruled = ByRules.of(stack, context, this.byDocument);
  }

  takeSegment(segment: Segment): void {
    if ("barrier" in segment) this.noteBarrier(segment.barrier);
    else {
      this.between ??= () => segment.why;
      const isWorth = this.isWorth(segment.layers);
      for (const layer of segment.layers) {
        const isLeft = isWorth && this.take(layer) === "unread";
        if (!isWorth) this.below.add(layer);
        this.noteApart(layer);
        // If a layer cannot be read, the same reason separates its two neighbours.
        if (!isLeft) this.between = undefined;
      }
    }
    this.closeRun();
  }

  end(): SplitStack {
    this.context.report.all(tiesAsOne(this.ties));
    const { runs, runEnds, byDocument, refused } = this;
    return { runs, runEnds, byDocument, refused };
  }

  private isWorth(layers: readonly Layer[]): boolean {
    return isWorthFolding(layers) || layers.some((layer) => this.directs(layer));
  }

  /** True for a layer with something in it that only folding carries out. */
  private directs(layer: Layer): boolean {
    const { rules } = this.ruled;
    const { layers } = this.context;
    if (rules === undefined || !layers.isReadable(layer)) return false;
    const { root } = layers.valuesOf(layer);
    return root !== undefined && holdsDirectives(root, rules);
  }

  /** Nothing folds across a barrier; `closeRun` ends the run below it. */
  private noteBarrier(why: () => Reason): void {
    this.between = why;
    this.below.addBarrier();
  }

  private noteApart(above: Layer): void {
    const { last: below, between, stack } = this;
    if (below !== undefined && between !== undefined)
      this.runEnds.push({ stack, below, above, reason: between() });
    this.last = above;
  }

  private take(layer: Layer): "read" | "unread" {
    const values = readToFold(layer, this.stack, this.context);
    if (values === undefined) {
      this.closeRun();
      this.noteBarrier(() => unreadable(layer, this.context.layers.isSealed(layer)));
      return "unread";
    }
    if (values.root !== undefined) this.byDocument.set(values.root.doc, layer);
    const { into, target } = this.stack;
    this.ruled.reportMisfits(values.root, into !== undefined && layer.item !== target);
    this.noteTextTie(layer);
    const filling = values.substituted ? this.context.layers.fillingOf(layer) : undefined;
    const joined = this.join(layer, values, filling);
    if (joined !== undefined && "why" in joined) this.endRun(layer, joined);
    add(this.open, layer, values, filling);
    this.open.tree = joined === undefined || "why" in joined ? rootTree(values) : joined;
    return "read";
  }

  /** The values of the open run with a layer over them; or why the run ends below the layer. */
  private join(layer: Layer, values: Values, filling: Filling): Tree | Reason | undefined {
    const { open } = this;
    const merged = this.mergeOnce(layer, values, filling);
    if (merged === undefined) {
      const why = this.whySplit(layer, values, filling);
      if (why !== undefined) return why;
    }
    const tree = merged ?? this.ruled.merge(open.tree, values.root);
    if (!this.isTooLarge(layer, values, tree)) return tree;
    open.tree = this.mergedAgain();
    return tooLarge;
  }

  /** Most layers meet the values below them without a conflict: for these one walk is enough. */
  private mergeOnce(layer: Layer, { root, variable }: Values, filling: Filling): Tree | undefined {
    const { tree, hasVariable } = this.open;
    if (root === undefined || tree === undefined) return undefined;
    if (variable || hasVariable || filling !== undefined || this.mayTie(layer)) return undefined;
    const found = noFindings();
    const merged = this.ruled.mergeTo(found, tree, root);
    if (found.overridesAtom) {
      this.open.tree = this.mergedAgain();
      return undefined;
    }
    this.ruled.reportRemarks(found.remarks);
    return merged;
  }

  /** The values of the open run, merged from their documents. */
  private mergedAgain(): Tree | undefined {
    let tree: Tree | undefined;
    for (const root of this.open.roots) tree = this.ruled.mergeTo(noFindings(), tree, root);
    return tree;
  }

  private whySplit(layer: Layer, values: Values, filling: Filling): Reason | undefined {
    const split = this.meetBelow(layer, values);
    if (split !== undefined) return split;
    const known = this.open.filling;
    return filling !== undefined && known !== undefined && filling !== known ? filledApart : undefined;
  }

  /** Looks at every place where the layer meets the values below it: for ties, and for why the run must end. */
  private meetBelow(layer: Layer, { root, variable }: Values): Reason | undefined {
    const { tree, hasVariable } = this.open;
    if (tree === undefined || root === undefined) return undefined;
    const mayTie = this.mayTie(layer);
    const looksAtAll = hasVariable || variable;
    let why: Reason | undefined;
    meet(
      tree,
      root,
      (base, override, above, rules) => {
        if (rules !== undefined && isRuled(base, override, rules)) return;
        const isOver = override.value.isMapping;
        // No check is needed where two mappings meet, or an atom overrides: nearly everywhere.
        if (!looksAtAll && (isOver ? isMappingTree(base) : !mayTie)) return;
        const path = (): string[] => pathTo(above, override, (each) => each.key);
        const adds = rules !== undefined && isUnderListRule(base, override.value, rules);
        if (mayTie && override.row > 0) this.noteTie({ path, base, override, adds });
        if (why !== undefined || above?.inElement === true) return;
        const below = (): Below => this.below.values();
        const split = splitAt(base, override, { path, below, replaces: rules?.replacesMappings === true });
        if (split !== undefined)
          why = splitReason(split, this.context.layers.isSecret(layer) ? undefined : path());
      },
      this.ruled.rules,
    );
    return why;
  }

  /** Adds up the lengths of texts; writes the merged one only if the sum passes the bound. */
  private isTooLarge(layer: Layer, values: Values, tree: Tree | undefined): boolean {
    const { open, stack } = this;
    const bytes = open.bytes + sizeOf(values);
    if (bytes <= maxTextBytes || open.layers.length === 0) return false;
    const written = writeRun({ stack, layers: [...open.layers, layer], tree }, this.context).length;
    // Without the new layer's part.
    open.bytes = written - sizeOf(values);
    return written > maxTextBytes;
  }

  /** Ends the open run below a layer. A stack that goes into the target itself must become one. */
  private endRun(layer: Layer, reason: Reason): void {
    const { stack, context } = this;
    if (stack.whole === true) {
      this.refused = true;
      context.report.report(cannotSplit(layer, stack, context.layers, reason.why));
    } else if (reason === tooLarge) context.report.report(runTooLarge(layer, stack, context.layers));
    this.closeRun();
    this.between = () => reason;
  }

  private closeRun(): void {
    const { layers, tree, filling } = this.open;
    if (this.isWorth(layers)) {
      const settled = this.ruled.settle(tree);
      this.runs.push({ layers, tree: settled, filling });
      this.below.addFolded(settled);
    } else for (const layer of layers) this.below.add(layer);
    this.open = emptyRun();
  }

  /** True if a tie of the layer with one below it would be reported. */
  private mayTie(layer: Layer): boolean {
    if (layer.reference !== undefined && this.context.settings.onTie !== "error") return false;
    return this.open.layers.findLast((each) => orderOf(each, layer) !== undefined) !== undefined;
  }

  private noteTie(meeting: Meeting): void {
    const tie = tieIn(meeting, this.byDocument, this.tieOptions);
    if (tie !== undefined) this.ties.push(tie);
  }

  private noteTextTie(layer: Layer): void {
    const lower = this.open.layers.at(-1);
    if (layer.format !== "text" || lower === undefined) return;
    const tie = tieOfTexts(lower, layer, this.tieOptions);
    if (tie !== undefined) this.context.report.report(tie);
  }

  private get tieOptions(): TieOptions {
    const { settings, layers } = this.context;
    return { stack: this.stack, onTie: settings.onTie, layers };
  }
}

function emptyRun(): OpenRun {
  return { layers: [], roots: [], tree: undefined, filling: undefined, hasVariable: false, bytes: 0 };
}

function add(run: OpenRun, layer: Layer, values: Values, filling: Filling): void {
  run.layers.push(layer);
  if (values.root !== undefined) run.roots.push(values.root);
  run.filling ??= filling;
  run.hasVariable ||= values.variable;
  run.bytes += sizeOf(values);
}

function rootTree({ root }: Values): Tree | undefined {
  return root === undefined ? undefined : leafOf(root);
}

/** Upper bound of what a layer adds to the text of its run. */
function sizeOf({ text, root }: Values): number {
  return text.length + (root?.doc.expandedBytes ?? 0);
}
