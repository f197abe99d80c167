// Judges a value by a schema: valid, invalid, or undecided while lower layers are unknown. Combines the verdicts of all
// keywords, which are in `scalars`, `lists`, `mappings` and `choices`. Always ends: steps and depth are bounded.
import type { Findings } from "./findings.ts";
import type { Instance } from "./instance.ts";
import { Kind } from "./kinds.ts";
import { judgeChoices } from "./choices.ts";
import type { Judging } from "./judging.ts";
import { judgeList } from "./lists.ts";
import { judgeMapping } from "./mappings.ts";
import { judgeScalar } from "./scalars.ts";
import type { Schema } from "./schema.ts";
import { both, decided, Verdict } from "./verdict.ts";
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
  /** What was met first of that which is not judged. */
  unjudged: { readonly schema: Schema; readonly keyword: string } | undefined;

  judge(schema: Schema, instance: Instance, findings: Findings | undefined): Verdict {
    if (schema.always !== undefined) {
      this.step(schema);
      if (!schema.always)
        findings?.add({ instance, schema, keyword: "", says: "the schema does not allow it" });
      return decided(schema.always);
    }
    this.enter(schema, instance);
    const values = schema.isReferredTo ? this.enterReferred(schema, instance) : undefined;
    const verdict = this.judgeAll(schema, instance, findings);
    values?.pop();
    this.depth--;
    return verdict;
  }

  private judgeAll(schema: Schema, instance: Instance, findings: Findings | undefined): Verdict {
    let verdict = judgeScalar(schema, instance, findings, this);
    const isEnough = (): boolean => verdict === Verdict.invalid && findings === undefined;
    for (const { target } of schema.references) {
      if (isEnough()) return verdict;
      verdict = both(
        verdict,
        target === undefined ? Verdict.undecided : this.judge(target, instance, findings),
      );
    }
    if (isEnough()) return verdict;
    verdict = both(verdict, judgeChoices(schema, instance, findings, this));
    if (isEnough()) return verdict;
    const { kind } = instance;
    if (kind === Kind.array) verdict = both(verdict, judgeList(schema, instance, findings, this));
    if (kind === Kind.object) verdict = both(verdict, judgeMapping(schema, instance, findings, this));
    return both(verdict, kind === Kind.any ? Verdict.undecided : this.leave(schema, instance));
  }

  /** Keywords that are not judged may refuse any value that they are about. */
  private leave(schema: Schema, { kind }: Instance): Verdict {
    const keyword = schema.unjudged.find(({ kinds }) => (kinds & kind) !== 0)?.keyword;
    if (keyword === undefined) return Verdict.valid;
    this.unjudged ??= { schema, keyword };
    return Verdict.undecided;
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
}
