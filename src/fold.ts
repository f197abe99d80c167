// bytes → resource list → targets → stacks → fold → emit → bytes: the table of contents.
// The only file that calls the stages. Pure: no I/O, the same bytes in give the same bytes out.
import type { Diagnostic } from "./diagnostic.ts";
import { emitItem } from "./emit.ts";
import { app } from "./front/app.ts";
import type { FrontEnd } from "./front/front-end.ts";
import { parseFunctionConfig } from "./function-config.ts";
import type { Fold, Stack } from "./model.ts";
import { NameIndex } from "./names.ts";
import { Names } from "./naming.ts";
import { Report, renderDiagnostics } from "./report.ts";
import { foldStack } from "./runs.ts";
import type { Settings } from "./settings.ts";
import { selectTargets, type TargetSelection } from "./targets.ts";
import { decodeResourceList, decodeStream } from "./wire/decode.ts";
import { encode } from "./wire/encode.ts";
import type { Edit, Envelope, Form, WireFault } from "./wire/envelope.ts";
import type { Item } from "./wire/item.ts";
import { isFault, readDocument } from "./yaml/read.ts";
import { lineAndColumn, type Node } from "./yaml/tape.ts";

const frontEnds: readonly FrontEnd[] = [app];

export const Exit = { ok: 0, faults: 1, bug: 2, invalidConfig: 3 } as const;

export interface Request {
  readonly input: Uint8Array;
  readonly form: Form;
  /** Function config of a stream; a resource list brings its own. */
  readonly config?: Uint8Array;
}

export interface Outcome {
  readonly exitCode: number;
  /** Parts of stdout, in order. */
  readonly output: readonly Uint8Array[];
  /** Text for stderr. */
  readonly messages: string;
  readonly diagnostics: readonly Diagnostic[];
}

/** Folds every stack of a list or stream. Never throws on bad input. */
export function fold({ input, form, config }: Request): Outcome {
  const envelope = form === "stream" ? decodeStream(input) : decodeResourceList(input);
  if (!("items" in envelope)) return unreadable(input, envelope);
  const configNode = config === undefined ? envelope.functionConfig : readConfig(config);
  if (configNode !== undefined && "code" in configNode) return refuse(envelope, [configNode], Exit.invalidConfig);
  const parsed = parseFunctionConfig(configNode);
  if ("faults" in parsed) return refuse(envelope, parsed.faults, Exit.invalidConfig);
  const report = new Report();
  const edits = foldItems(envelope, parsed.settings, report);
  if (report.failed) return refuse(envelope, report.diagnostics, Exit.faults);
  const { diagnostics } = report;
  return { exitCode: Exit.ok, output: encode(envelope, edits, diagnostics), messages: renderDiagnostics(diagnostics), diagnostics };
}

function foldItems(envelope: Envelope, settings: Settings, report: Report): Edit[] {
  const { items } = envelope;
  const selection = selectTargets(items, frontEnds);
  for (const diagnostic of selection.diagnostics) report.report(diagnostic);
  const stacks = collectStacks(items, selection, settings, report);
  const folds = foldStacks(items, stacks, settings, report);
  report.report(summary(selection, folds));
  return report.failed ? [] : emit(envelope, folds, report);
}

function collectStacks(items: readonly Item[], { targets, annotated }: TargetSelection, settings: Settings, report: Report): Stack[] {
  const names = new NameIndex(items);
  return targets.flatMap(({ item, kind }) => {
    const layers = annotated.filter((each) => each.targets.has(item)).map(({ layer }) => layer);
    const { stacks, diagnostics } = frontEndOf(kind.kind).collect(item, { items, names, settings, annotated: layers });
    for (const diagnostic of diagnostics) report.report(diagnostic);
    return stacks;
  });
}

function foldStacks(items: readonly Item[], stacks: readonly Stack[], settings: Settings, report: Report): Fold[] {
  const names = new Names(items, []);
  return stacks.flatMap((stack) => {
    const { folds, faults } = names.assign(foldStack(stack, settings, report), settings.output.name);
    for (const fault of faults) report.report(fault);
    return folds;
  });
}

function emit({ settings }: Envelope, folds: readonly Fold[], report: Report): Edit[] {
  const targets = new Set(folds.map(({ stack }) => stack.target));
  return [...targets].flatMap((target) => {
    const own = folds.filter(({ stack }) => stack.target === target);
    const frontEnd = frontEndOf(target.kind);
    const rewritten = frontEnd.rewrite(target, own);
    if ("code" in rewritten) report.report(rewritten);
    const setting = settings.get(target);
    if ("code" in rewritten || setting === undefined) return [];
    return [...own.map((each) => ({ start: target.start, end: target.start, text: emitItem(each, frontEnd.dataKey, setting) })), ...rewritten];
  });
}

function frontEndOf(kind: string): FrontEnd {
  const found = frontEnds.find((frontEnd) => frontEnd.kind === kind);
  if (found === undefined) throw new Error(`no front end for ${kind}`);
  return found;
}

function summary({ targets }: TargetSelection, folds: readonly Fold[]): Diagnostic {
  if (targets.length === 0) {
    const hint = `targets are ${frontEnds.map(({ kind }) => kind).join(", ")}`;
    return { code: "no-target", severity: "warning", message: "the list holds no target, so nothing was folded", hint };
  }
  const layers = folds.reduce((count, each) => count + each.layers.length, 0);
  const owners = new Set(folds.map(({ stack }) => stack.target)).size;
  const message = `folded ${layers} layers of ${owners} targets into ${folds.length} items; ${targets.length} targets in all`;
  return { code: "fold-summary", severity: "info", message };
}

function readConfig(bytes: Uint8Array): Node | Diagnostic {
  const doc = readDocument(bytes);
  if (!isFault(doc)) return { doc, row: 0 };
  const at = { text: "function config", ...lineAndColumn(bytes, doc.offset) };
  return { code: "invalid-setting", severity: "error", message: doc.message, at, hint: "correct the YAML of the function config" };
}

function unreadable(input: Uint8Array, { kind, fault }: WireFault): Outcome {
  const hint = kind === "not-a-resource-list" ? "pipe a ResourceList in, or use `valuefold fold` for a plain YAML stream" : "correct the YAML at this place";
  const at = { text: "input", ...lineAndColumn(input, fault.offset) };
  const diagnostics: Diagnostic[] = [{ code: kind, severity: "error", message: fault.message, at, hint }];
  return { exitCode: Exit.faults, output: [], messages: renderDiagnostics(diagnostics), diagnostics };
}

/** A readable list goes back unchanged but for its results; a stream leaves stdout empty. */
function refuse(envelope: Envelope, diagnostics: readonly Diagnostic[], exitCode: number): Outcome {
  const output = envelope.form === "stream" ? [] : encode(envelope, [], diagnostics);
  return { exitCode, output, messages: renderDiagnostics(diagnostics), diagnostics };
}
