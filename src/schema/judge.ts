// Judges a value by a schema: valid, invalid, or undecided while lower layers are unknown. Always ends: steps and depth
// are bounded.
import type { Findings } from "./findings.ts";
import type { Instance } from "./instance.ts";
import type { Check, Judging, Schema } from "./schema.ts";
import { both, Verdict } from "./verdict.ts";

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
/** Keys, elements, or 16 characters that are looked at in the time of one step. */
const perStep = 16;

/** What has been done for one target, and what is in progress. */
class Work {
  steps = 0;
  depth = 0;
  /** For each schema that a reference can lead back to: the values that it is being applied to. */
  readonly inProgress = new Map<Schema, Instance[]>();
  /** What was met first of that which is not judged. */
  unjudged: { readonly schema: Schema; readonly keyword: string } | undefined;

  step(schema: Schema, count: number): void {
    this.steps += count;
    if (this.steps > mostSteps) throw new GivenUp(schema, `it takes more than ${mostSteps} steps`);
  }

  enter(schema: Schema, instance: Instance): void {
    this.step(schema, 1 + Math.floor(instance.size / perStep));
    if (++this.depth > mostDepth)
      throw new GivenUp(schema, `its schemas are nested more than ${mostDepth} deep`);
    if (!schema.isReferredTo) return;
    const values = this.inProgress.get(schema) ?? [];
    // If references lead back to the same schema, the value must be another one.
    if (values.includes(instance))
      throw new GivenUp(schema, "it refers to itself without looking into the value");
    values.push(instance);
    this.inProgress.set(schema, values);
  }

  end(schema: Schema): void {
    this.depth--;
    if (schema.isReferredTo) this.inProgress.get(schema)?.pop();
  }
}

export class Judge implements Judging {
  readonly findings: Findings | undefined;
  private readonly work: Work;

  /** @param findings receives what is wrong; without it judging stops at the first fault */
  constructor(findings?: Findings, work = new Work()) {
    this.findings = findings;
    this.work = work;
  }

  judge(schema: Schema, instance: Instance): Verdict {
    this.work.enter(schema, instance);
    const { kind } = instance;
    const verdict = this.all(schema.checks, (check) => {
      // A value of an unknown kind is of several.
      if ((check.kinds & kind) === kind) return this.checked(check, schema, instance);
      return (check.kinds & kind) === 0 ? Verdict.valid : Verdict.undecided;
    });
    this.work.end(schema);
    return verdict;
  }

  private checked({ keyword, judge, says }: Check, schema: Schema, instance: Instance): Verdict {
    const verdict = judge(schema, instance, this);
    if (verdict === Verdict.invalid && says !== undefined)
      this.findings?.add({ instance, schema, keyword, says: says(instance) });
    return verdict;
  }

  all<T>(parts: readonly T[], test: (part: T, index: number) => Verdict): Verdict {
    let verdict: Verdict = Verdict.valid;
    for (let index = 0; index < parts.length; index++) {
      verdict = both(verdict, test(parts[index] as T, index));
      if (verdict === Verdict.invalid && this.findings === undefined) return verdict;
    }
    return verdict;
  }

  get quiet(): Judge {
    return this.findings === undefined ? this : new Judge(undefined, this.work);
  }

  dependingOn(instance: Instance): Judge {
    return this.findings === undefined ? this : new Judge(this.findings.dependingOn(instance), this.work);
  }

  step(schema: Schema, count = 1): void {
    this.work.step(schema, count);
  }

  leave(schema: Schema, keyword: string): void {
    this.work.unjudged ??= { schema, keyword };
  }

  get unjudged(): Work["unjudged"] {
    return this.work.unjudged;
  }
}
