// What keywords need in order to judge by nested schemas.
import type { Findings } from "./findings.ts";
import type { Instance } from "./instance.ts";
import type { Schema } from "./schema.ts";
import { Evaluated, type Verdict } from "./verdict.ts";

export interface Judging {
  /**
   * @param evaluated receives the properties and items that the schema has evaluated
   * @param findings receives what is wrong; without it judging stops at the first fault
   */
  judge(
    schema: Schema,
    instance: Instance,
    evaluated: Evaluated | undefined,
    findings: Findings | undefined,
  ): Verdict;
  /** Counts work other than judging by a nested schema. */
  step(schema: Schema, count?: number): void;
}

/** What judging a value fills in; undefined if the caller does not need it. */
export interface Collectors {
  readonly evaluated: Evaluated | undefined;
  readonly findings: Findings | undefined;
}

/** Judges a value by some keywords of a schema. */
export type KeywordJudge = (
  schema: Schema,
  instance: Instance,
  collectors: Collectors,
  judging: Judging,
) => Verdict;

/** Judges the same value by another schema. */
export function judgeSameValue(
  schema: Schema,
  instance: Instance,
  { evaluated, findings }: Collectors,
  judging: Judging,
): Verdict {
  if (evaluated === undefined) return judging.judge(schema, instance, undefined, findings);
  const own = new Evaluated();
  const verdict = judging.judge(schema, instance, own, findings);
  evaluated.take(own, verdict);
  return verdict;
}
