// `valuefold explain`: for every target its stacks, and for every value of them the layer it comes from and what it
// overrides. Plans a fold as any run does, and writes nothing. Values of Secrets are never in it.
import type { Context } from "../context.ts";
import type { Explanation, ExplainedStack, ExplainedTarget } from "../explanation.ts";
import { found, open, type Request } from "../fold.ts";
import { inlineOf } from "../front/all.ts";
import { grouped } from "../grouped.ts";
import type { Apart, Fold, Stack, Target } from "../model.ts";
import type { Plan } from "../emit/assembly.ts";
import { planFolds } from "../plan.ts";
import { type Outcome, told } from "../report/outcome.ts";
import { placesIn } from "../report/sources.ts";
import { wantedTarget } from "../select/wanted-target.ts";
import type { Steps } from "../sops/need.ts";
import type { Envelope } from "../wire/envelope.ts";
import { type Files, Places } from "./places.ts";
import { narrowed } from "./narrow.ts";
import { explainStack, readStack, type Standing } from "./stack.ts";

export interface ExplainRequest extends Request {
  /** `Kind/name` or `Kind/namespace/name`; all targets without one. */
  readonly target?: string;
  /** Which values, by their path. */
  readonly path?: string;
  /** What the edge knows of the files that the input was built of. */
  readonly sources?: Files;
}

export interface Explained {
  /** Absent where the input cannot be read at all. */
  readonly explanation: Explanation | undefined;
  readonly outcome: Outcome;
}

/** Explains what can be explained: what is wrong with a layer is told besides. */
export function* explaining(request: ExplainRequest): Steps<Explained> {
  const opened = open(request, "look");
  if ("outcome" in opened) return { explanation: undefined, outcome: opened.outcome };
  const { envelope } = opened;
  const { context } = opened;
  const planned = yield* planning(envelope, context);
  const explanation = explained(planned, request, context);
  return { explanation, outcome: told(context.report, found(request, context.report)) };
}

/** A plan, and what targets edited in place held before it. */
interface Planned {
  readonly plan: Plan;
  readonly before: ReadonlyMap<Stack, readonly Standing[]>;
}

/** Everything in a list, explained; what is wrong with it goes to the context's report. */
export function* explainItems(
  envelope: Envelope,
  request: ExplainRequest,
  context: Context,
): Steps<{ readonly plan: Plan; readonly explanation: Explanation }> {
  const planned = yield* planning(envelope, context);
  const { plan } = planned;
  const explanation = new Explainer(planned, context, placesOf(request, context)).explanation(
    plan.survey.selection.targets,
  );
  return { plan, explanation };
}

function* planning({ items }: Envelope, context: Context): Steps<Planned> {
  // A target that takes its layers in holds something else behind that.
  const before = new Map<Stack, readonly Standing[]>();
  const onInPlace = (stack: Stack): void => void before.set(stack, readStack(stack, context.layers));
  return { plan: yield* planFolds(items, { ...context, onInPlace }), before };
}

function explained(planned: Planned, request: ExplainRequest, context: Context): Explanation | undefined {
  const { report } = context;
  const { selection } = planned.plan.survey;
  const wanted = request.target === undefined ? selection.targets : wantedTarget(request.target, selection);
  if ("code" in wanted) {
    report.report(wanted);
    return undefined;
  }
  const all = "kind" in wanted ? [wanted] : wanted;
  const whole = new Explainer(planned, context, placesOf(request, context)).explanation(all);
  const asked = request.path === undefined ? whole : narrowed(whole, request.path);
  if (!("code" in asked)) return asked;
  report.report(asked);
  return undefined;
}

function placesOf({ form, input, files, sources }: ExplainRequest, { layers, holdings }: Context): Places {
  // A resource list is nobody's file, and nor is what came through a pipe.
  const isNamed = form === "stream" && (files ?? []).some(({ name }) => name !== undefined);
  return new Places({
    layers,
    holdings,
    sourceOf: isNamed ? placesIn(input, files) : undefined,
    files: sources,
  });
}

class Explainer {
  private readonly plan: Plan;
  private readonly before: ReadonlyMap<Stack, readonly Standing[]>;
  private readonly context: Context;
  private readonly places: Places;
  private readonly folds: ReadonlyMap<Stack, readonly Fold[]>;
  private readonly apart: ReadonlyMap<Stack, readonly Apart[]>;

  constructor({ plan, before }: Planned, context: Context, places: Places) {
    this.plan = plan;
    this.before = before;
    this.context = context;
    this.places = places;
    this.folds = grouped([...plan.inPlace.folds, ...plan.folds], ({ stack }) => stack);
    this.apart = grouped(context.apart, ({ stack }) => stack);
  }

  explanation(wanted: readonly Target[]): Explanation {
    const inPlace = grouped([...this.before.keys()], ({ target }) => target);
    const targets = wanted.map((target) =>
      this.target(target, inPlace.get(target) ?? this.plan.collected.get(target)?.stacks ?? []),
    );
    return { kind: "Explanation", version: 1, targets: targets.filter(({ stacks }) => stacks.length > 0) };
  }

  private target(target: Target, stacks: readonly Stack[]): ExplainedTarget {
    const { kind, namespace, name } = target;
    const at = this.places.ofItem(target);
    const nextId = letters();
    const inline = inlineOf(target);
    const all = stacks.map((stack, index): ExplainedStack => {
      const read = this.before.get(stack) ?? readStack(stack, this.context.layers);
      const isTop = inline !== undefined && index === stacks.length - 1;
      const standings = isTop ? [...read, { isInline: true, root: inline }] : read;
      return explainStack(standings, {
        stack,
        folds: this.folds.get(stack) ?? [],
        apart: this.apart.get(stack) ?? [],
        target: "read" in target ? target : undefined,
        reader: this.context.layers,
        places: this.places,
        nextId,
      });
    });
    const named = namespace === undefined ? { kind, name } : { kind, namespace, name };
    return { ...named, ...(at && { at }), stacks: all.filter(({ layers }) => layers.length > 0) };
  }
}

/** A, B, …, Z, AA, AB, …: one for each layer of a target. */
function letters(): () => string {
  let count = 0;
  return () => {
    let text = "";
    for (let rest = count++; rest >= 0; rest = Math.floor(rest / 26) - 1)
      text = String.fromCharCode(65 + (rest % 26)) + text;
    return text;
  };
}
