// What the parts of judging ask of the whole: to judge by a schema further down.
import type { Findings } from "./findings.ts";
import type { Instance } from "./instance.ts";
import type { Schema } from "./schema.ts";
import { Seen, type Verdict } from "./verdict.ts";

export interface Judging {
  /**
   * @param seen filled with what the schema has looked at, where somebody asks
   * @param findings told what is wrong, where somebody asks; without it judging stops at the first
   */
  judge(schema: Schema, instance: Instance, seen: Seen | undefined, findings: Findings | undefined): Verdict;
  /** Counts what is done without judging by a schema further down; none is allowed, too. */
  step(schema: Schema, count?: number): void;
}

/** A part of judging: some keywords of a schema. */
export type Part = (
  schema: Schema,
  instance: Instance,
  asked: { readonly seen: Seen | undefined; readonly findings: Findings | undefined },
  judging: Judging,
) => Verdict;

/** Judges the same value by another schema. */
export function judgeToo(
  schema: Schema,
  instance: Instance,
  { seen, findings }: Parameters<Part>[2],
  judging: Judging,
): Verdict {
  if (seen === undefined) return judging.judge(schema, instance, undefined, findings);
  const own = new Seen();
  const verdict = judging.judge(schema, instance, own, findings);
  seen.take(own, verdict);
  return verdict;
}
