// What keywords need in order to judge by nested schemas.
import type { Findings } from "./findings.ts";
import type { Instance } from "./instance.ts";
import type { Schema } from "./schema.ts";
import type { Verdict } from "./verdict.ts";

export interface Judging {
  /** @param findings receives what is wrong; without it judging stops at the first fault */
  judge(schema: Schema, instance: Instance, findings: Findings | undefined): Verdict;
  /** Counts work other than judging by a nested schema. */
  step(schema: Schema, count?: number): void;
}

/** Judges a value by some keywords of a schema. */
export type KeywordJudge = (
  schema: Schema,
  instance: Instance,
  findings: Findings | undefined,
  judging: Judging,
) => Verdict;
