// `valuefold explain`: for every target its stacks, and for every value of them the layer it comes from and what it
// overrides. Plans a fold as any run does, and writes nothing. Values of Secrets are never in it.
import {
  beginRun,
  type Context,
  diagnosticsOfRun,
  type Plan,
  type Steps,
  wantedTarget,
} from "../core/index.ts";
import type { Envelope } from "../krm/index.ts";
import { type Outcome, Report, reported } from "../report/index.ts";
import type { Explanation, ExplainedTarget } from "../explanation.ts";
import type { Diagnostic } from "../diagnostic.ts";
import { narrowed } from "./narrow.ts";
import { targetsNamed } from "./source-target.ts";
import { wings } from "../wings.ts";
import { type ExplainCall, Explainer } from "./explainer.ts";
import { distinct } from "../grouped.ts";

export interface Explained {
  /** Absent where the input cannot be read at all. */
  readonly explanation: Explanation | undefined;
  readonly outcome: Outcome;
  /** Where one path was asked for: only its values are in the explanation. */
  readonly path?: string | undefined;
}

/** Explains what can be explained. Faults of layers are in the outcome. */
export function* explaining(request: ExplainCall): Steps<Explained> {
  const started = beginRun(request, "look", wings);
  if ("outcome" in started) return { explanation: undefined, outcome: started.outcome };
  const { context } = started;
  const { report } = context;
  const ended = (of: Report): Outcome => reported(of, diagnosticsOfRun(request, of));
  const envelope = yield* wings.repeated(started.envelope, context);
  if (report.failed) return { explanation: undefined, outcome: ended(report) };
  const explainer = new Explainer(request, context, envelope.items);
  const plan = yield* explainer.plan();
  const { explanation, fault, isListed } = explained(explainer, plan, request);
  const found = isListed ? report : ofSettings(report);
  found.all(faultsOfOthers(plan, request));
  if (fault !== undefined) found.report(fault);
  return { explanation, outcome: ended(found) };
}

/** What is wrong with settings and schemas, whatever they are for. */
function ofSettings({ diagnostics }: Report): Report {
  const report = new Report();
  report.all(diagnostics.filter(({ code }) => settingsCodes.includes(code)));
  return report;
}

const settingsCodes: readonly string[] = ["invalid-schema", "schema-reference", "unmatched-selector"];

/** Everything in a list, explained; what is wrong with it goes to the context's report. */
export function* explainItems(
  envelope: Envelope,
  request: ExplainCall,
  context: Context,
): Steps<{
  readonly plan: Plan;
  readonly explanation: Explanation;
  /** Faults of layers that no fold takes. */
  readonly unread: readonly Diagnostic[];
  /** Faults of targets that are no objects. */
  readonly ofOthers: readonly Diagnostic[];
}> {
  const explainer = new Explainer(request, context, envelope.items);
  const plan = yield* explainer.plan();
  const targets = [...explainer.listed(plan, plan.survey.selection.targets), ...explainer.others()];
  const { unread } = explainer;
  return { plan, explanation: explanationOf(targets), unread, ofOthers: faultsOfOthers(plan, request) };
}

function explanationOf(targets: readonly ExplainedTarget[]): Explanation {
  return { kind: "Explanation", version: 1, targets };
}

/** What is wrong in a file that several targets have is said once. */
function faultsOfOthers({ judged }: Plan, { targets = [] }: ExplainCall): readonly Diagnostic[] {
  const all = [...targets.flatMap(({ faults = [] }) => faults), ...judged];
  return distinct(all);
}

interface Answered {
  readonly explanation: Explanation | undefined;
  /** The reason if nothing is explained. */
  readonly fault?: Diagnostic;
  /** False where all of it is of targets that are no objects: what is wrong with the list is not asked for. */
  readonly isListed: boolean;
}

/** The name or the path may be that of an object, of another target, or of both. */
function explained(explainer: Explainer, plan: Plan, { target, path, targets = [] }: ExplainCall): Answered {
  const { selection } = plan.survey;
  const wanted = target === undefined ? selection.targets : wantedTarget(target, selection);
  const others = target === undefined ? targets : targetsNamed(targets, target);
  if ("code" in wanted && "code" in others)
    return { explanation: undefined, fault: targets.length > 0 ? others : wanted, isListed: true };
  const objects = "code" in wanted ? [] : "kind" in wanted ? [wanted] : wanted;
  const listed = explainer.listed(plan, objects);
  const whole = explanationOf([...listed, ...("code" in others ? [] : explainer.others(others))]);
  const explanation = path === undefined ? whole : narrowed(whole, path);
  if ("code" in explanation) return { explanation: undefined, fault: explanation, isListed: true };
  const ofList = path === undefined ? undefined : narrowed(explanationOf(listed), path);
  return { explanation, isListed: !("code" in wanted) && !(ofList && "code" in ofList) };
}
