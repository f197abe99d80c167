// `valuefold verify`: for CI, on what a pipeline rendered. Finds what remains if a fold did not run, or ran halfway.
// Changes nothing, writes no list.
import {
  beginRun,
  type Context,
  count,
  diagnosticsOfRun,
  readRecord,
  type FoldInput,
  type Steps,
  unsupplied,
} from "../core/index.ts";
import { type Envelope, type Item, Mark } from "../krm/index.ts";
import { inPlaceKinds, targetKinds } from "../kinds.ts";
import { type VerifiedInput, type Outcome, reported } from "../report/index.ts";
import type { Diagnostic } from "../diagnostic.ts";
import { checkItems } from "./lint/left.ts";
import { linting } from "./lint/lint.ts";
import type { FilesOf } from "./places.ts";
import type { OverChartOf, SourceTarget } from "./source-target.ts";
import { repeatsLeft } from "../repeat/index.ts";
import { wings } from "../wings.ts";

export interface VerifyCall extends Pick<
  FoldInput,
  "input" | "files" | "config" | "configFile" | "settings"
> {
  /** Unresolved references fail, too. */
  readonly strict: boolean;
  /** The list is not folded yet: layers that wait for the fold are no fault. */
  readonly unfolded?: boolean;
  /** The charts of targets, if the edge knows them. */
  readonly overChart?: OverChartOf;
  /** Targets that are no objects of the list. */
  readonly targets?: readonly SourceTarget[];
  /** Where values are that a build or a chart made. */
  readonly sources?: FilesOf;
}

/** The same without what only another program opens. */
export function verify(request: VerifyCall): Outcome {
  return unsupplied(verifying(request));
}

/** The outcome's output is empty: there is nothing to pass on. */
export function* verifying({ strict, unfolded, ...given }: VerifyCall): Steps<Outcome> {
  // A ResourceList is a kind of List to a stream.
  const request = { ...given, form: "stream" } as const;
  const started = beginRun(request, "look", wings);
  if ("outcome" in started) return started.outcome;
  const { envelope, context } = started;
  const options = { strict, unfolded: unfolded === true };
  context.report.all(yield* checking(envelope, request, context, options));
  return {
    ...reported(context.report, diagnosticsOfRun(request, context.report)),
    account: () => ({
      text: absentIn(context.report.diagnostics),
      checked: checkedIn(envelope.items, request.targets),
    }),
  };
}

/** The same for a list in a pipeline: its settings say how strict it is. */
export function verifyingList(
  envelope: Envelope,
  request: FoldInput,
  context: Context,
): Steps<readonly Diagnostic[]> {
  return checking(envelope, request, context, { strict: false, unfolded: false });
}

interface VerifyOptions {
  readonly strict: boolean;
  readonly unfolded: boolean;
}

function* checking(
  envelope: Envelope,
  request: FoldInput,
  context: Context,
  options: VerifyOptions,
): Steps<readonly Diagnostic[]> {
  const { settings } = context;
  const strict = options.strict || settings.verify.strict;
  const unfolded = options.unfolded || settings.verify.unfolded;
  const found = checkItems(envelope.items, strict, context);
  const repeats = unfolded ? [] : repeatsLeft(envelope.items);
  // The last: it changes what items hold.
  const lints = yield* linting(envelope, request, context, unfolded);
  const waits = ({ code }: Diagnostic): boolean => code === "layer-left" || code === "folded-stale";
  return [...repeats, ...[...found, ...lints].filter((each) => !unfolded || !waits(each))];
}

/** References that only the cluster can answer, counted: most are right, so they are listed only on request. */
function absentIn(diagnostics: readonly Diagnostic[]): string {
  const absent = diagnostics.filter(
    ({ code, severity }) => code === "unresolved-reference" && severity === "info",
  ).length;
  if (absent === 0) return "";
  return `${count(absent, "reference")} to ${absent === 1 ? "an object" : "objects"} not in the list, which the cluster must have (--strict lists them)\n`;
}

function clonesIn(items: readonly Item[]): Pick<VerifiedInput, "what"> {
  const clones = items.filter(({ annotations }) => annotations.has(Mark.repeatedFrom)).length;
  return clones === 0 ? {} : { what: count(clones, "clone") };
}

/** Targets, and the folded items if there are any; else the clones of Repeats. */
function checkedIn(items: readonly Item[], others: readonly SourceTarget[] = []): VerifiedInput {
  const targets = items.filter(({ kind }) => valuesKinds.has(kind)).length + others.length;
  const records = items.flatMap((item) => readRecord(item) ?? []);
  if (records.length === 0) return { targets, ...(targets === 0 && clonesIn(items)) };
  const folded = new Set(records.map(({ target }) => target)).size;
  const layers = records.flatMap((record) => record.layers).length;
  const kept = items.filter(({ annotations }) => annotations.get(Mark.kept) === "true").length;
  const stay = kept === 0 ? "" : `; ${count(kept, "layer")} kept`;
  const what = `${count(records.length, "folded item")} of ${count(folded, "target")}, made of ${count(layers, "layer")}${stay}`;
  return { targets, what };
}

/** A ConfigMap is a target only where layers name it. */
const valuesKinds: ReadonlySet<string> = new Set(
  targetKinds.flatMap(({ kind }) => (inPlaceKinds.some((each) => each === kind) ? [] : [kind])),
);
