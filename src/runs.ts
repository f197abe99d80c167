// A stack → the runs in it that fold, with their merged values. Faults of a layer are raised only here,
// so only where it is really folded. Nothing is reordered; what cannot be folded exactly stays as it is.
import type { Reporter } from "./diagnostic.ts";
import { diagnosticsOf, isReadable, onlySealed } from "./layer-faults.ts";
import { fillingOf, isSealed, keyFault, valuesOf } from "./layers.ts";
import { merge, type Tree } from "./merge.ts";
import type { Layer, Run, Stack } from "./model.ts";
import { placeOf } from "./origin.ts";
import { isWorthFolding, needsFold, segmentsOf } from "./segments.ts";
import type { Settings } from "./settings.ts";
import { type Below, mustSplit } from "./splits.ts";
import { type Meeting, tieIn } from "./ties.ts";
import type { Values } from "./values.ts";
import { refOf } from "./wire/item.ts";
import { writeValues } from "./write.ts";
import type { Document, Node } from "./yaml/tape.ts";

/** etcd's bound on an object, which the API server applies to the data of a ConfigMap or Secret. */
const maxTextBytes = 1024 * 1024;

/** The runs of a stack that fold, lowest first. */
export function foldStack(stack: Stack, settings: Settings, reporter: Reporter): Run[] {
  reportAmbiguous(stack, reporter);
  const folder = new StackFolder(stack, settings, reporter);
  for (const segment of segmentsOf(stack)) {
    if (segment === "barrier") folder.passBarrier();
    else if (isWorthFolding(segment)) for (const layer of segment) folder.take(layer);
    else for (const layer of segment) folder.pass(layer);
    folder.close();
  }
  return folder.runs;
}

class StackFolder {
  readonly runs: Run[] = [];
  private layers: Layer[] = [];
  private tree: Tree | undefined;
  private filling: ReturnType<typeof fillingOf>;
  /** What the output holds below the open run: layers that stay, and values of runs that folded. */
  private below: (Layer | Tree)[] | "unknown";
  private readonly docs = new Map<Document, Layer>();
  private readonly stack: Stack;
  private readonly settings: Settings;
  private readonly reporter: Reporter;

  constructor(stack: Stack, settings: Settings, reporter: Reporter) {
    this.stack = stack;
    this.settings = settings;
    this.reporter = reporter;
    this.below = stack.below === "unknown" ? "unknown" : [...stack.below];
  }

  passBarrier(): void {
    this.below = "unknown";
  }

  /** A layer that stays where it is. */
  pass(layer: Layer): void {
    if (this.below !== "unknown") this.below.push(layer);
  }

  take(layer: Layer): void {
    const values = this.read(layer);
    if (values === undefined) {
      this.close();
      this.passBarrier();
      return;
    }
    if (values.root !== undefined) this.docs.set(values.root.doc, layer);
    const merged = values.root === undefined ? this.tree : this.mergeIn(values.root);
    const filling = fillingOf(layer);
    const mixed = filling !== undefined && this.filling !== undefined && filling !== this.filling;
    if (merged === "split" || mixed || this.isTooLarge(layer, merged)) {
      this.close();
      this.tree = values.root;
    } else this.tree = merged;
    this.filling ??= filling;
    this.layers.push(layer);
  }

  /** Ends the open run. */
  close(): void {
    const { stack, layers, tree } = this;
    const unencoded = this.filling === "filled";
    if (isWorthFolding(layers))
      this.runs.push({ stack, layers, values: tree, text: writeValues(tree), unencoded });
    for (const layer of layers) this.pass(layer);
    this.layers = [];
    this.tree = undefined;
    this.filling = undefined;
  }

  private mergeIn(root: Node): Tree | "split" {
    if (this.tree === undefined) return root;
    const meetings: Meeting[] = [];
    const merged = merge(
      this.tree,
      root,
      (path, base, override) => void meetings.push({ path, base, override }),
    );
    for (const meeting of meetings) {
      const tie = tieIn(meeting, this.docs, this.stack, this.settings.onTie);
      if (tie !== undefined) this.reporter.report(tie);
    }
    const split = meetings.some(({ path, base, override }) =>
      mustSplit(path, base, override, () => this.valuesBelow()),
    );
    return split ? "split" : merged;
  }

  private valuesBelow(): Below {
    const { below } = this;
    if (below === "unknown" || below.some((each) => "item" in each && !isReadable(each))) return "unknown";
    return below.flatMap((each) => ("item" in each ? (valuesOf(each).root ?? []) : each));
  }

  /** Values of a layer to be folded; undefined for a layer that only the cluster can read. */
  private read(layer: Layer): Values | undefined {
    const { target } = this.stack;
    if (isSealed(layer)) {
      if (needsFold(layer)) this.reporter.report(onlySealed(layer, this.stack));
      return undefined;
    }
    const wrongKey = keyFault(layer);
    if (wrongKey !== undefined) this.reporter.report({ ...wrongKey, at: placeOf(layer, target) });
    const values = valuesOf(layer);
    for (const diagnostic of diagnosticsOf(layer, values, this.stack)) this.reporter.report(diagnostic);
    return values.faults.length > 0 && values.variable ? undefined : values;
  }

  private isTooLarge(layer: Layer, merged: Tree | undefined): boolean {
    const sum = [...this.layers, layer].reduce((bytes, each) => bytes + valuesOf(each).text.length, 0);
    if (sum <= maxTextBytes || this.layers.length === 0 || writeValues(merged).length <= maxTextBytes)
      return false;
    this.reporter.report({
      code: "fold-too-large",
      severity: "warning",
      item: refOf(this.stack.target),
      at: placeOf(layer, this.stack.target),
      message: "the folded value would pass 1 MiB, so the run ends below this layer",
      hint: "nothing is lost: the layers stay apart; make the values smaller to fold them",
    });
    return true;
  }
}

function reportAmbiguous({ entries }: Stack, reporter: Reporter): void {
  const faults = entries.flatMap((entry) =>
    "barrier" in entry && entry.barrier.fault ? [entry.barrier.fault] : [],
  );
  const layers = entries.filter((entry) => "layer" in entry);
  if (layers.length + faults.length > 1) for (const fault of faults) reporter.report(fault);
}
