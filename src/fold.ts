// bytes → resource list → targets → stacks → fold → emit → bytes: the table of contents.
// Pure: no I/O, the same bytes in give the same bytes out; what only SOPS can do is asked for, and supplied by
// whoever runs the fold.
import { defaultSettings, setsNothing } from "./config/defaults.ts";
import { type ConfigOutcome, parseFunctionConfig, readFunctionConfig } from "./config/function-config.ts";
import type { Context } from "./context.ts";
import { assemble, type Plan } from "./emit/assembly.ts";
import { annotatedFate } from "./emit/dispose.ts";
import { accountOf, renderAccount } from "./emit/account.ts";
import { summarize } from "./emit/summary.ts";
import { Holdings } from "./layer/holdings.ts";
import { LayerReader } from "./layer/layers.ts";
import { planFolds } from "./plan.ts";
import { foresee } from "./foresight.ts";
import { orphansIn } from "./repeat/retire.ts";
import { isRepeat } from "./repeat/is-repeat.ts";
import { repeatAll } from "./repeat/repeat.ts";
import { Exit, type Outcome, refuse, succeed, told, unreadable } from "./report/outcome.ts";
import { Report } from "./report/report.ts";
import type { Need, Steps, Supply } from "./sops/need.ts";
import { Mark } from "./wire/annotation-names.ts";
import { isFromKpt, withoutFeet } from "./wire/comments.ts";
import type { Diagnostic } from "./diagnostic.ts";
import { located, type SourceFile } from "./report/sources.ts";
import { decodeResourceList, decodeStream } from "./wire/decode.ts";
import type { Envelope, Form, WireFault } from "./wire/envelope.ts";

export interface Request {
  readonly input: Uint8Array;
  readonly form: Form;
  /** The input taken apart, where that was done before. */
  readonly decoded?: Envelope | WireFault;
  /** Which parts of a stream are which files; without them it is one, and has no name. */
  readonly files?: readonly SourceFile[];
  /** Text of a function config; without one a resource list brings its own. */
  readonly config?: Uint8Array;
  /** Its name, where it is a file. */
  readonly configFile?: string;
  /** An earlier output, whose seals are kept where nothing has changed. */
  readonly previous?: Uint8Array;
  /** Settings that are read already, or what is wrong with them. */
  readonly settings?: ConfigOutcome;
  /** What a function does that only verifies. */
  readonly verify?: (envelope: Envelope, request: Request, context: Context) => Steps<readonly Diagnostic[]>;
}

/** Folds every stack of a list or stream. Never throws on bad input. */
export function* folding(request: Request): Steps<Outcome> {
  const opened = open(request, "output");
  if ("outcome" in opened) return opened.outcome;
  const { envelope: given, context } = opened;
  const { report } = context;
  if (context.settings.verify.only && request.verify !== undefined) {
    report.all(yield* request.verify(given, request, context));
    if (report.failed) return refuse(given, found(request, report), Exit.faults);
    return succeed(given, [], found(request, report));
  }
  const envelope = yield* repeated(opened);
  if (report.failed) return refuse(given, found(request, report), Exit.faults);
  const plan = yield* planFolds(envelope.items, context);
  if (report.failed) return refuse(given, found(request, report), Exit.faults);
  const summary = withRepeats(summarize(plan, context, envelope.items), given, envelope);
  report.report(summary);
  const edits = assemble(envelope, plan, context);
  if (report.failed) return refuse(given, found(request, report), Exit.faults);
  const account = (): string => renderAccount(accountOf(plan), summary.message);
  return { ...succeed(envelope, withoutFeet(envelope, edits), found(request, report)), account };
}

/** A list that only repeats has no target, and is as it should be. */
function withRepeats(summary: Diagnostic, given: Envelope, envelope: Envelope): Diagnostic {
  const isRepeated =
    given !== envelope ||
    given.items.some((item) => isRepeat(item) || item.annotations.has(Mark.repeatedFrom));
  if (summary.code !== "no-target" || !isRepeated) return summary;
  return {
    code: "fold-summary",
    severity: "info",
    message: "clones are up to date; there is no target to fold",
  };
}

/** The diagnostics of a run, with the places that the user knows. */
export function found(
  { form, input, files }: Pick<Request, "form" | "input" | "files">,
  report: Report,
): readonly Diagnostic[] {
  return form === "stream" ? located(report.diagnostics, input, files) : report.diagnostics;
}

/** What would fold, with the origin of every value; no plan where the input cannot be read at all. */
export function* planning(
  request: Request,
): Steps<{ readonly plan: Plan | undefined; readonly outcome: Outcome }> {
  const opened = open(request, "origins");
  if ("outcome" in opened) return { plan: undefined, outcome: opened.outcome };
  const { context } = opened;
  const envelope = yield* repeated(opened);
  if (context.report.failed)
    return { plan: undefined, outcome: told(context.report, found(request, context.report)) };
  const plan = yield* planFolds(envelope.items, context);
  // What cannot be written is found out by writing it.
  if (!context.report.failed) assemble(envelope, plan, context);
  return { plan, outcome: told(context.report, found(request, context.report)) };
}

/** Runs steps to their end, with what they need supplied by SOPS. */
export async function supplied<T>(steps: Steps<T>, supply: (need: Need) => Promise<Supply>): Promise<T> {
  let step = steps.next();
  while (step.done !== true) step = steps.next(await supply(step.value));
  return step.value;
}

/** The same with no other program: what would have to be opened or sealed is a fault. */
export function unsupplied<T>(steps: Steps<T>): T {
  let step = steps.next();
  while (step.done !== true) {
    const count = ("open" in step.value ? step.value.open : step.value.seal).length;
    step = steps.next(Array.from({ length: count }, () => ({ fault: "not-asked" })));
  }
  return step.value;
}

interface Open {
  readonly envelope: Envelope;
  readonly context: Context;
}

type Opened = Open | { readonly outcome: Outcome };

/** The list with what its Repeats ask for; as it is where there is none, or where one has a fault. */
export function* repeated({ envelope, context }: Open): Steps<Envelope> {
  context.report.all(orphansIn(envelope.items));
  if (!envelope.items.some(isRepeat)) return envelope;
  const foreseen = yield* foresee(envelope.items, context);
  if (context.report.failed) return envelope;
  const repeating = { settings: context.settings, foreseen, stays: envelope.items.some(isFromKpt) };
  const { envelope: next, origin, faults } = repeatAll(envelope, repeating);
  context.report.all(faults);
  if (next !== envelope) context.report.movedBy(origin);
  return next;
}

/** The list and all that a run over it needs; or how it ends before it began. */
export function open(request: Request, purpose: Context["purpose"]): Opened {
  const { input, form } = request;
  const envelope = request.decoded ?? (form === "stream" ? decodeStream(input) : decodeResourceList(input));
  if (!("items" in envelope)) return { outcome: unreadable(input, envelope, request.files) };
  const parsed = settingsOf(request, envelope);
  if ("faults" in parsed) return { outcome: refuse(envelope, parsed.faults, Exit.invalidConfig) };
  const previous = request.previous === undefined ? undefined : decodeStream(request.previous);
  if (previous !== undefined && !("items" in previous))
    return { outcome: unreadable(request.previous ?? input, previous) };
  const earlier = previous?.items.filter(({ annotations }) => annotations.has(Mark.foldedFrom)) ?? [];
  const holdings = new Holdings(envelope.bytes.includes("ENC[") || earlier.length > 0);
  const layers = new LayerReader(holdings);
  const { settings } = parsed;
  const prunes = annotatedFate(form, settings) === "prune";
  const report = new Report();
  const context = { settings, report, holdings, layers, prunes, previous: earlier, purpose };
  return { envelope, context };
}

function settingsOf({ config, configFile, settings }: Request, { functionConfig }: Envelope): ConfigOutcome {
  if (settings !== undefined) return settings;
  if (config !== undefined) return readFunctionConfig(config, configFile);
  return setsNothing(functionConfig) ? { settings: defaultSettings } : parseFunctionConfig(functionConfig);
}
