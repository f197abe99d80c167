// A stack → the runs in it that fold, with their merged values. Faults of a layer are raised only here,
// so only where it is really folded. Nothing is reordered; what cannot be folded exactly stays as it is.
import type { Diagnostic, Reporter } from "./diagnostic.ts";
import { fillingOf, isSealed, keyFault, labelsOf, valuesOf } from "./layers.ts";
import { merge, type Tree } from "./merge.ts";
import type { Layer, Run, Stack } from "./model.ts";
import { placeOf, positionOf } from "./origin.ts";
import { foldedMark } from "./record.ts";
import type { Settings } from "./settings.ts";
import { type Below, mustSplit } from "./splits.ts";
import { type Meeting, tieIn } from "./ties.ts";
import type { Values } from "./values.ts";
import { refOf } from "./wire/item.ts";
import type { Document, Node } from "./yaml/tape.ts";
import { writeValues } from "./write.ts";

/** etcd's bound on an object, which the API server applies to the data of a ConfigMap or Secret. */
const maxTextBytes = 1024 * 1024;

/** What differs in how Flux treats an object later must not be folded together. */
const fluxMarks = ["kustomize.toolkit.fluxcd.io/substitute", "kustomize.toolkit.fluxcd.io/decrypt"];

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

/** A run of one layer stays as it is, unless nothing else would bring the layer to its consumer. */
function isWorthFolding(layers: readonly Layer[]): boolean {
  return layers.length > 1 || layers.some(needsFold);
}

function isFolded({ item }: Layer): boolean {
  return item.annotations.has(foldedMark);
}

function needsFold({ reference, item }: Layer): boolean {
  return reference === undefined || item.annotations.get("config.kubernetes.io/local-config") === "true";
}

/** Adjacent layers with nothing between them that are alike in namespace and in what Flux does to them. */
function segmentsOf({ entries }: Stack): (Layer[] | "barrier")[] {
  const segments: (Layer[] | "barrier")[] = [];
  for (const entry of entries) {
    const open = segments[segments.length - 1];
    if ("barrier" in entry) segments.push("barrier");
    else if (
      open !== undefined &&
      open !== "barrier" &&
      areAlike(open[open.length - 1] as Layer, entry.layer)
    )
      open.push(entry.layer);
    else segments.push([entry.layer]);
  }
  return segments;
}

function areAlike(a: Layer, b: Layer): boolean {
  if (a.kind !== b.kind || a.item.namespace !== b.item.namespace) return false;
  // What an earlier run left apart stays apart, though the merged values may not show the reason any more.
  if ((isFolded(a) && !needsFold(b)) || (isFolded(b) && !needsFold(a))) return false;
  return fluxMarks.every((mark) => fluxMark(a, mark) === fluxMark(b, mark));
}

function fluxMark({ item }: Layer, mark: string): string | undefined {
  return item.annotations.get(mark) ?? labelsOf(item).get(mark);
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
      for (const tie of tieIn(meeting, this.docs, this.stack, this.settings.onTie)) this.reporter.report(tie);
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

function isReadable(layer: Layer): boolean {
  return !isSealed(layer) && keyFault(layer) === undefined && valuesOf(layer).faults.length === 0;
}

function diagnosticsOf(layer: Layer, values: Values, { target }: Stack): Diagnostic[] {
  const item = refOf(layer.item);
  const late = values.faults.length > 0 && values.variable && !needsFold(layer);
  const faults = values.faults.map((fault): Diagnostic => {
    const at = positionOf(layer, target, fault.offset);
    const about = { item, at, message: fault.message };
    if (late)
      return {
        ...about,
        message: `does not read yet: ${fault.message}`,
        code: "variable-layer",
        severity: "warning",
        hint: variableHint,
      };
    const code = fault.code === "syntax" ? "layer-unreadable" : fault.code;
    return { ...about, code, severity: "error", hint: hints[fault.code] ?? hints["syntax"] ?? "" };
  });
  const notes = values.notes.map((note): Diagnostic => {
    const at = positionOf(layer, target, note.offset);
    const code = note.code === "syntax" ? "layer-unreadable" : note.code;
    return { code, severity: "warning", message: note.message, item, at, hint: hints[note.code] ?? "" };
  });
  return [...faults, ...notes];
}

const variableHint =
  "it holds `${`, so it may read well after Flux' substitution: it stays as it is, and nothing folds across it";

const hints: Readonly<Record<string, string>> = {
  syntax: "correct the text of the data key at this place",
  "too-deep": "no consumer needs values nested that deep",
  "unsupported-key": "quote the key, or make it text",
  "key-spelled-twice": "keep one of the two spellings, quoted",
  "expansion-bound": "write the aliases of these values out",
  "not-a-mapping": "indent the list or text under a key",
  "duplicate-key": "remove the earlier one",
  "several-documents": "remove the `---`, or make it a layer of its own",
  "list-directive": "list directives are not supported: the key reaches the chart as it is",
};

function onlySealed(layer: Layer, { target }: Stack): Diagnostic {
  return {
    code: "sealed-layer",
    severity: "error",
    item: refOf(layer.item),
    at: placeOf(layer, target),
    message: "a sealed layer that is known by annotation only cannot be folded",
    hint: "reference it from the target instead: it stays sealed and keeps its place",
  };
}

function reportAmbiguous({ entries }: Stack, reporter: Reporter): void {
  const faults = entries.flatMap((entry) =>
    "barrier" in entry && entry.barrier.fault ? [entry.barrier.fault] : [],
  );
  const layers = entries.filter((entry) => "layer" in entry);
  if (layers.length + faults.length > 1) for (const fault of faults) reporter.report(fault);
}
