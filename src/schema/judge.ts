// Judges a value by a schema: valid, invalid, or undecided while lower layers are unknown. Combines the verdicts of all
// keywords, which are in `scalars`, `lists`, `mappings` and `choices`. Always ends: steps and depth are bounded.
import type { Findings } from "./findings.ts";
import type { Instance } from "./instance.ts";
import { Kind } from "./kinds.ts";
import { judgeChoices } from "./choices.ts";
import { type Collectors, judgeSameValue, type Judging } from "./judging.ts";
import { judgeList, judgeUnevaluatedItems } from "./lists.ts";
import { judgeMapping, judgeUnevaluatedProperties } from "./mappings.ts";
import { judgeScalar } from "./scalars.ts";
import type { Reference, Resource, Schema } from "./schema.ts";
import { both, decided, Evaluated, Verdict } from "./verdict.ts";
import { stepsFor } from "./cost.ts";

/** Thrown if judging takes more steps or depth than any real schema needs. */
export class GivenUp extends Error {
  readonly schema: Schema;
  readonly why: string;

  constructor(schema: Schema, why: string) {
    super(why);
    this.schema = schema;
    this.why = why;
  }
}

/** For one target. */
const mostSteps = 1_000_000;
/** Nested schemas. Values have at most 200 levels. */
const mostDepth = 600;

export class Judge implements Judging {
  private steps = 0;
  private depth = 0;
  /** For each schema that a reference can lead back to: the values that it is being applied to. */
  private readonly inProgress = new Map<Schema, Instance[]>();
  /** The resources of the schemas being applied, outermost first, for `$dynamicRef`. */
  private readonly scope: Resource[] = [];

  judge(
    schema: Schema,
    instance: Instance,
    evaluated: Evaluated | undefined,
    findings: Findings | undefined,
  ): Verdict {
    if (schema.always !== undefined) {
      this.step(schema);
      if (!schema.always)
        findings?.add({ instance, schema, keyword: "", says: "the schema does not allow it" });
      return decided(schema.always);
    }
    this.enter(schema, instance);
    const values = schema.isReferredTo ? this.enterReferred(schema, instance) : undefined;
    const isEntered = this.scope.at(-1) !== schema.resource;
    if (isEntered) this.scope.push(schema.resource);
    const collectors = {
      evaluated: evaluated ?? (schema.needsEvaluated ? new Evaluated() : undefined),
      findings,
    };
    const verdict = this.judgeAll(schema, instance, collectors);
    if (isEntered) this.scope.pop();
    values?.pop();
    this.depth--;
    return verdict;
  }

  private judgeAll(schema: Schema, instance: Instance, collectors: Collectors): Verdict {
    let verdict = judgeScalar(schema, instance, collectors, this);
    const isEnough = (): boolean => verdict === Verdict.invalid && collectors.findings === undefined;
    for (const reference of schema.references) {
      if (isEnough()) return verdict;
      const target = this.targetOf(reference);
      verdict = both(
        verdict,
        target === undefined ? Verdict.undecided : judgeSameValue(target, instance, collectors, this),
      );
      if (target === undefined && collectors.evaluated !== undefined) collectors.evaluated.isUnsure = true;
    }
    if (isEnough()) return verdict;
    verdict = both(verdict, judgeChoices(schema, instance, collectors, this));
    if (isEnough()) return verdict;
    const { kind } = instance;
    if (kind === Kind.any) return both(verdict, Verdict.undecided);
    if (kind === Kind.array) {
      verdict = both(verdict, judgeList(schema, instance, collectors, this));
      return both(verdict, judgeUnevaluatedItems(schema, instance, collectors, this));
    }
    if (kind !== Kind.object) return verdict;
    verdict = both(verdict, judgeMapping(schema, instance, collectors, this));
    return both(verdict, judgeUnevaluatedProperties(schema, instance, collectors, this));
  }

  step(schema: Schema, count = 1): void {
    this.steps += count;
    if (this.steps > mostSteps) throw new GivenUp(schema, `it takes more than ${mostSteps} steps`);
  }

  private enter(schema: Schema, instance: Instance): void {
    this.step(schema, 1 + stepsFor(schema, instance));
    if (++this.depth > mostDepth)
      throw new GivenUp(schema, `its schemas are nested more than ${mostDepth} deep`);
  }

  /** If references lead back to the same schema, the value must be another one. */
  private enterReferred(schema: Schema, instance: Instance): Instance[] {
    const values = this.inProgress.get(schema) ?? [];
    if (values.includes(instance))
      throw new GivenUp(schema, "it refers to itself without looking into the value");
    values.push(instance);
    this.inProgress.set(schema, values);
    return values;
  }

  private targetOf({ keyword, text, target }: Reference): Schema | undefined {
    if (target === undefined || keyword === "$ref") return target;
    if (keyword === "$recursiveRef")
      return target.isRecursiveAnchor
        ? (this.scope.find(({ root }) => root?.isRecursiveAnchor === true)?.root ?? target)
        : target;
    const name = decodeURIComponent(text.split("#")[1] ?? "");
    if (target.resource.dynamicAnchors.get(name) !== target) return target;
    const outermost = this.scope.find(({ dynamicAnchors }) => dynamicAnchors.has(name));
    return outermost?.dynamicAnchors.get(name) ?? target;
  }
}
