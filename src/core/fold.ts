// bytes → resource list → targets → stacks → fold → emit → bytes: the table of contents.
// Pure: no I/O, the same bytes in give the same bytes out; it asks for what only SOPS can do, and the caller
// supplies it.
import {
  defaultSettings,
  ownApiVersion,
  setsNothing,
  type ConfigOutcome,
  parseFunctionConfig,
  readFunctionConfig,
} from "../settings/index.ts";
import type { Context, Wings } from "./context.ts";
import { assemble } from "./emit/assembly.ts";
import { annotatedDisposal } from "./emit/dispose.ts";
import { accountOf, renderAccount } from "./emit/account.ts";
import { summarize } from "./emit/summary.ts";
import { Holdings, LayerReader } from "../layers/index.ts";
import { planFolds } from "./plan.ts";
import {
  type Account,
  Exit,
  type Outcome,
  refuse,
  succeed,
  unreadable,
  Report,
  located,
  type SourceFile,
} from "../report/index.ts";
import type { Need, Steps, Supply } from "./sops/need.ts";
import {
  Mark,
  withoutFeet,
  decodeResourceList,
  decodeStream,
  assertReadable,
  type Envelope,
  type Form,
  type WireFault,
  type Item,
} from "../krm/index.ts";
import type { Diagnostic } from "../diagnostic.ts";

export interface FoldInput {
  readonly input: Uint8Array;
  readonly form: Form;
  /** The decoded input, if the caller has it. */
  readonly decoded?: Envelope | WireFault;
  /** The files in a stream; without them it is one file without a name. */
  readonly files?: readonly SourceFile[];
  /** Text of a function config; without it the one in the resource list applies. */
  readonly config?: Uint8Array;
  /** Its name, if it is a file. */
  readonly configFile?: string;
  /** An earlier output: its seals are kept if nothing has changed. */
  readonly previous?: Uint8Array;
  /** True if the output is written over the input. */
  readonly replacesInput?: boolean;
  /** Parsed settings, or their faults. */
  readonly settings?: ConfigOutcome;
  /** The check of a function that only verifies. */
  readonly verify?: (
    envelope: Envelope,
    request: FoldInput,
    context: Context,
  ) => Steps<readonly Diagnostic[]>;
}

/** Folds every stack of a list or stream. Never throws on bad input. */
export function* folding(request: FoldInput, wings: Wings): Steps<Outcome> {
  const started = beginRun(request, "output", wings);
  if ("outcome" in started) return started.outcome;
  const { envelope: input, context } = started;
  const { report } = context;
  const diagnostics = (): readonly Diagnostic[] => diagnosticsOfRun(request, report);
  const refused = (): Outcome => refuse(input, diagnostics(), Exit.faults);
  if (context.settings.verify.only && request.verify !== undefined) {
    report.all(yield* request.verify(input, request, context));
    return report.failed ? refused() : succeed(input, [], diagnostics());
  }
  const envelope = yield* wings.repeated(input, context);
  if (report.failed) return refused();
  const plan = yield* planFolds(envelope.items, context);
  if (report.failed) return refused();
  const summary = withRepeats(summarize(plan, context, envelope.items), input, envelope);
  report.report(summary);
  const edits = assemble(envelope, plan, context);
  if (report.failed) return refused();
  assertReadable(envelope, edits);
  const account = (): Account => {
    const targets = accountOf(plan);
    return { text: renderAccount(targets, summary.message), targets };
  };
  return { ...succeed(envelope, withoutFeet(envelope, edits), diagnostics()), account };
}

/** A list with only Repeats has no target, and that is not a fault. */
function withRepeats(summary: Diagnostic, input: Envelope, envelope: Envelope): Diagnostic {
  const isRepeated =
    input !== envelope || input.items.some(({ annotations }) => annotations.has(Mark.repeatedFrom));
  if (summary.code !== "no-target" || !isRepeated) return summary;
  return {
    code: "fold-summary",
    severity: "info",
    message: "clones are up to date; there is no target to fold",
  };
}

export function isRepeat({ kind, apiVersion }: Pick<Item, "kind" | "apiVersion">): boolean {
  return kind === "Repeat" && apiVersion === ownApiVersion;
}

/** The diagnostics of a run, with the user's files and lines. */
export function diagnosticsOfRun(
  { form, input, files }: Pick<FoldInput, "form" | "input" | "files">,
  report: Report,
): readonly Diagnostic[] {
  return form === "stream" ? located(report.diagnostics, input, files) : report.diagnostics;
}

/** Runs steps to their end. @param supply by SOPS; without it anything to open or seal is a fault */
export async function supplied<T>(
  steps: Steps<T>,
  supply: (need: Need) => Promise<Supply> = (need) => Promise.resolve(notAsked(need)),
): Promise<T> {
  let step = steps.next();
  while (step.done !== true) {
    const need = step.value;
    if ("awaited" in need) await need.awaited;
    step = steps.next("awaited" in need ? [] : await supply(need));
  }
  return step.value;
}

/** The same at once, without SOPS. */
export function unsupplied<T>(steps: Steps<T>): T {
  let step = steps.next();
  while (step.done !== true) {
    if ("awaited" in step.value) throw new Error("an answer of the caller is awaited");
    step = steps.next(notAsked(step.value));
  }
  return step.value;
}

function notAsked(need: Need): Supply {
  const count = ("open" in need ? need.open : need.seal).length;
  return Array.from({ length: count }, () => ({ fault: "not-asked" }));
}

interface RunContext {
  readonly envelope: Envelope;
  readonly context: Context;
}

type RunStart = RunContext | { readonly outcome: Outcome };

/** The list and the context of a run; or the outcome if the run cannot begin. */
export function beginRun(request: FoldInput, purpose: Context["purpose"], wings: Wings): RunStart {
  const { input, form } = request;
  const envelope = request.decoded ?? (form === "stream" ? decodeStream(input) : decodeResourceList(input));
  if (!("items" in envelope)) return { outcome: unreadable(input, envelope, request.files) };
  const parsed = settingsOf(request, envelope);
  if ("faults" in parsed) return { outcome: refuse(envelope, parsed.faults, Exit.invalidConfig) };
  const previous = request.previous === undefined ? undefined : decodeStream(request.previous);
  if (previous !== undefined && !("items" in previous))
    return { outcome: unreadable(request.previous ?? input, previous) };
  const earlier = previous?.items.filter(({ annotations }) => annotations.has(Mark.foldedFrom)) ?? [];
  const holdings = new Holdings(envelope.bytes.includes("ENC[") || earlier.length > 0, purpose !== "output");
  const layers = new LayerReader(holdings);
  const { settings } = parsed;
  const prunes = annotatedDisposal(form, settings) === "prune";
  const report = new Report();
  const replacesInput = request.replacesInput === true;
  const run = { settings, report, holdings, layers, prunes, previous: earlier, replacesInput, purpose };
  return { envelope, context: { wings, ...run } };
}

function settingsOf(
  { config, configFile, settings }: FoldInput,
  { functionConfig }: Envelope,
): ConfigOutcome {
  if (settings !== undefined) return settings;
  if (config !== undefined) return readFunctionConfig(config, configFile);
  return setsNothing(functionConfig) ? { settings: defaultSettings } : parseFunctionConfig(functionConfig);
}
