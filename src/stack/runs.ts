// A stack → the runs in it that fold, with their merged values. Faults of a layer are raised only here,
// so only where it is really folded. Nothing is reordered; what cannot be folded exactly stays as it is.
import type { Context } from "../context.ts";
import type { Diagnostic, Reporter } from "../diagnostic.ts";
import { ByRules, foundNothing } from "./by-rules.ts";
import { LayersBelow } from "./below.ts";
import { cannotSplit, runEnds, tooLarge } from "./layer-faults.ts";
import type { LayerReader } from "../layer/layers.ts";
import { isRuled, isUnderListRule } from "../merge/kinds.ts";
import { meet, pathTo } from "../merge/meet.ts";
import { isMappingTree, leafOf, type Tree } from "../merge/tree.ts";
import type { Layer, Reason, Run, Stack } from "../model.ts";
import { Report } from "../report/report.ts";
import { originsOf } from "./provenance.ts";
import { readToFold } from "./reading.ts";
import { maxTextBytes, type Merged, textOfRun, writeRun } from "./run-text.ts";
import { areTreatedAlike, isWorthFolding, segmentsOf } from "./segments.ts";
import { filledApart, reasonOf, splitAt } from "./splits.ts";
import { type Meeting, orderOf, tieIn, tieOfTexts, tiesAsOne } from "./ties.ts";
import type { Values } from "../layer/values.ts";
import { textOfKey } from "../yaml/key.ts";
import { type Document, isMapping, type Node, valueOf } from "../yaml/tape.ts";

/** The runs of a stack that fold, lowest first. */
export function foldStack(stack: Stack, context: Context): Run[] {
  const { report, layers } = context;
  reportAmbiguous(stack, report);
  reportForeign(stack, context);
  const folder = new StackFolder(stack, context);
  for (const segment of segmentsOf(stack)) {
    if ("barrier" in segment) folder.bar(segment.barrier);
    else folder.takeAll(segment.layers, segment.why);
    folder.close();
  }
  folder.reportTies();
  const [, second] = folder.runs;
  if (stack.whole === true && second !== undefined && !folder.refused)
    report.report(
      cannotSplit(second.layers[0] as Layer, stack, layers, "Flux treats the two objects differently"),
    );
  context.onRuns?.(stack, folder.runs);
  return folder.runs;
}

/** What some layers of a stack give by themselves. Nobody is told of anything about them. */
export function foldedAlone(layers: readonly Layer[], stack: Stack, context: Context): readonly Run[] {
  const alone = { ...stack, below: [], entries: layers.map((layer) => ({ layer })) };
  return foldStack(alone, { ...context, report: new Report(), purpose: "look", apart: [] });
}

type Filling = ReturnType<LayerReader["fillingOf"]>;

class StackFolder {
  readonly runs: Run[] = [];
  /** True once it was told why a stack that must become one cannot. */
  refused = false;
  private layers: Layer[] = [];
  /** Their documents, less those that are empty. */
  private roots: Node[] = [];
  /** True if a layer of the open run holds `${`. */
  private hasVariable = false;
  /** At most how long the text of the open run is. */
  private bytes = 0;
  private tree: Tree | undefined;
  private filling: Filling;
  /** The layer taken last, and what lies above it, if something does. */
  private last: Layer | undefined;
  private between: (() => Reason) | undefined;
  /** What the output holds below the open run. */
  readonly below: LayersBelow;
  private readonly ruled: ByRules;
  private readonly docs = new Map<Document, Layer>();
  private readonly ties: Diagnostic[] = [];
  private readonly stack: Stack;
  private readonly context: Context;
  private readonly reader: LayerReader;
  private readonly reporter: Reporter;

  constructor(stack: Stack, context: Context) {
    this.stack = stack;
    this.context = context;
    this.reader = context.layers;
    this.reporter = context.report;
    this.below = new LayersBelow(stack, context.layers);
    this.ruled = new ByRules(stack, context, this.docs);
  }

  /** Nothing folds across what lies here. */
  bar(why: () => Reason): void {
    this.between = why;
    this.below.addBarrier();
  }

  /** Layers that are alike; `why` tells what sets them apart from those below. */
  takeAll(layers: readonly Layer[], why: Reason): void {
    this.between ??= () => why;
    const isWorth = isWorthFolding(layers) || layers.some((layer) => this.ruled.directs(layer));
    for (const layer of layers) {
      if (isWorth) this.take(layer);
      else this.below.add(layer);
      this.tellApart(layer, this.between);
      this.between = undefined;
      this.last = layer;
    }
  }

  private tellApart(above: Layer, why: (() => Reason) | undefined): void {
    const { last: below, stack } = this;
    if (below !== undefined && why !== undefined)
      this.context.apart.push({ stack, below, above, reason: why() });
  }

  private take(layer: Layer): void {
    const values = readToFold(layer, this.stack, this.context);
    if (values === undefined) {
      this.close();
      this.bar(() => ({
        why: "only the cluster can read a layer between them",
        cure: "set `sops` to open it",
      }));
      return;
    }
    if (values.root !== undefined) this.docs.set(values.root.doc, layer);
    this.ruled.reportMisfits(layer, values);
    this.reportTextTie(layer);
    const filling = values.variable ? this.reader.fillingOf(layer) : undefined;
    const isMerged = this.mergeAtOnce(values, layer, filling);
    const why = isMerged ? undefined : this.whySplit(values, layer, filling);
    if (why !== undefined) {
      this.reportSplit(layer, why);
      this.close();
      this.between = () => why;
    }
    if (!isMerged) this.tree = this.ruled.merge(this.tree, values.root);
    this.push(layer, values.root);
    this.hasVariable ||= values.variable;
    this.filling ??= filling;
    this.bytes += sizeOf(values);
    if (why === undefined && this.isTooLarge()) this.putBack(layer, values, filling);
  }

  /** Most layers meet what lies below them in nothing that anybody asks about: one walk is enough for them. */
  private mergeAtOnce({ root, variable }: Values, layer: Layer, filling: Filling): boolean {
    if (root === undefined || this.tree === undefined) return false;
    if (variable || this.hasVariable || filling !== undefined || this.mayTie(layer)) return false;
    const found = foundNothing();
    const merged = this.ruled.mergeTo(found, this.tree, root);
    this.tree = found.overAtom ? this.mergedAnew() : merged;
    if (!found.overAtom) this.ruled.reportRemarks(found.remarks);
    return !found.overAtom;
  }

  /** The values of the open run, merged from their documents. */
  private mergedAnew(): Tree | undefined {
    let tree: Tree | undefined;
    for (const root of this.roots) tree = this.ruled.mergeTo(foundNothing(), tree, root);
    return tree;
  }

  private whySplit(values: Values, layer: Layer, filling: Filling): Reason | undefined {
    const split = this.findSplit(values, layer);
    if (split !== undefined) return split;
    if (filling !== undefined && this.filling !== undefined && filling !== this.filling) return filledApart;
    return undefined;
  }

  private push(layer: Layer, root: Node | undefined): void {
    this.layers.push(layer);
    if (root !== undefined) this.roots.push(root);
  }

  /** Takes back what made the run too large, and begins another with it. */
  private putBack(layer: Layer, values: Values, filling: Filling): void {
    this.layers.pop();
    if (values.root !== undefined) this.roots.pop();
    this.tree = this.mergedAnew();
    this.reportSplit(layer, tooLarge);
    this.close();
    this.between = () => tooLarge;
    this.tree = values.root === undefined ? undefined : leafOf(values.root);
    this.push(layer, values.root);
    this.hasVariable = values.variable;
    this.filling = filling;
    this.bytes = sizeOf(values);
  }

  /** What goes into the target itself must become one: nobody would merge a second part. */
  private reportSplit(layer: Layer, reason: Reason): void {
    const { stack } = this;
    if (stack.whole === true) {
      this.refused = true;
      this.reporter.report(cannotSplit(layer, stack, this.reader, reason.why));
    } else if (reason === tooLarge) this.reporter.report(runEnds(layer, stack, this.reader));
  }

  private reportTextTie(layer: Layer): void {
    const lower = this.layers.at(-1);
    if (layer.format !== "text" || lower === undefined) return;
    const tie = tieOfTexts(lower, layer, this.scene);
    if (tie !== undefined) this.reporter.report(tie);
  }

  /** Ends the open run. */
  close(): void {
    const { stack, layers } = this;
    const [unencoded, literal] = [this.filling === "filled", this.filling === "encoded"];
    const kind = (stack.into ?? layers[0])?.item.kind;
    const isWorth = isWorthFolding(layers) || layers.some((layer) => this.ruled.directs(layer));
    if (isWorth && kind !== undefined) {
      this.tree = this.ruled.settle(this.tree);
      this.runs.push({
        stack,
        kind,
        layers,
        text: textOfRun(this.merged, this.context),
        unencoded,
        literal,
        ...this.origins(),
      });
      this.below.addFolded(this.tree);
    } else for (const layer of layers) this.below.add(layer);
    this.layers = [];
    this.roots = [];
    this.tree = undefined;
    this.filling = undefined;
    this.hasVariable = false;
    this.bytes = 0;
  }

  reportTies(): void {
    for (const tie of tiesAsOne(this.ties)) this.reporter.report(tie);
  }

  private origins(): Pick<Run, "origins"> {
    if (this.context.purpose !== "origins") return {};
    const { tree, layers, docs, reader } = this;
    return { origins: originsOf(tree, { layers, byDocument: docs, reader }) };
  }

  private get merged(): Merged {
    return { stack: this.stack, layers: this.layers, tree: this.tree };
  }

  private get scene(): Parameters<typeof tieIn>[2] {
    return { stack: this.stack, onTie: this.context.settings.onTie, layers: this.reader };
  }

  /** Looks at every place where the layer meets what lies below it: ties are told, and why the run must end. */
  private findSplit({ root, variable }: Values, layer: Layer): Reason | undefined {
    const { tree } = this;
    if (tree === undefined || root === undefined) return undefined;
    const mayTie = this.mayTie(layer);
    const hasVariable = this.hasVariable || variable;
    let why: Reason | undefined;
    meet(
      tree,
      root,
      (base, override, way, rules) => {
        if (rules !== undefined && isRuled(base, override, rules)) return;
        const isOver = isMapping(valueOf(override));
        // Nothing to ask where two mappings meet, or an atom overrides: nearly everywhere.
        if (!hasVariable && (isOver ? isMappingTree(base) : !mayTie)) return;
        const path = (): string[] => pathTo(way, override, textOfKey);
        const adds = rules !== undefined && isUnderListRule(base, valueOf(override), rules);
        if (mayTie && override.row > 0) this.reportTie({ path, base, override, adds });
        const split =
          why === undefined && way?.inElement !== true
            ? splitAt(base, override, {
                path,
                below: () => this.below.values(),
                replaces: rules?.replacesMappings === true,
              })
            : undefined;
        if (split !== undefined) why = reasonOf(split, this.reader.isSecret(layer) ? undefined : path());
      },
      this.ruled.rules,
    );
    return why;
  }

  /** True if a tie of the layer with one below it would be told. */
  private mayTie(layer: Layer): boolean {
    const { onTie } = this.context.settings;
    if (layer.reference !== undefined && onTie !== "error") return false;
    const lower = this.layers.findLast((each) => orderOf(each, layer) !== undefined);
    return lower !== undefined;
  }

  private reportTie(meeting: Meeting): void {
    const tie = tieIn(meeting, this.docs, this.scene);
    if (tie !== undefined) this.ties.push(tie);
  }

  /** Texts are added up, and the merged one written only where they could pass the bound. */
  private isTooLarge(): boolean {
    if (this.bytes <= maxTextBytes || this.layers.length < 2) return false;
    this.bytes = writeRun(this.merged, this.context).length;
    return this.bytes > maxTextBytes;
  }
}

/** How much a layer adds to the text of its run at most. */
function sizeOf({ text, root }: Values): number {
  return text.length + (root?.doc.expandedBytes ?? 0);
}

/** What goes into a target is treated by Flux as the target is. */
function reportForeign(stack: Stack, { report, layers }: Context): void {
  const { into, entries } = stack;
  const [first] = entries;
  if (into === undefined || first === undefined || !("layer" in first)) return;
  if (!areTreatedAlike({ ...first.layer, item: into.item }, first.layer))
    report.report(cannotSplit(first.layer, stack, layers, "Flux treats it and the target differently"));
}

function reportAmbiguous({ entries }: Stack, reporter: Reporter): void {
  const faults = entries.flatMap((entry) =>
    "barrier" in entry && entry.barrier.fault ? [entry.barrier.fault] : [],
  );
  const layers = entries.filter((entry) => "layer" in entry);
  if (layers.length + faults.length > 1) for (const fault of faults) reporter.report(fault);
}
