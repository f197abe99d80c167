// Keywords that combine schemas of one value: `allOf`, `anyOf`, `oneOf`, `not`, and `if` with `then` and `else`.
import type { Findings } from "./findings.ts";
import type { Instance } from "./instance.ts";
import type { Judging, KeywordJudge } from "./judging.ts";
import type { Schema } from "./schema.ts";
import { both, either, opposite, Verdict } from "./verdict.ts";

export const judgeChoices: KeywordJudge = (schema, instance, findings, judging) => {
  let verdict: Verdict = Verdict.valid;
  for (const each of schema.allOf ?? []) {
    verdict = both(verdict, judging.judge(each, instance, findings));
    if (verdict === Verdict.invalid && findings === undefined) return verdict;
  }
  if (schema.anyOf !== undefined)
    verdict = both(verdict, judgeAny(schema, schema.anyOf, instance, findings, judging));
  if (schema.oneOf !== undefined)
    verdict = both(verdict, judgeOne(schema, schema.oneOf, instance, findings, judging));
  if (schema.not !== undefined)
    verdict = both(verdict, judgeNot(schema, schema.not, instance, findings, judging));
  if (schema.if !== undefined)
    verdict = both(verdict, judgeIf(schema, schema.if, instance, findings, judging));
  return verdict;
};

function judgeAny(
  schema: Schema,
  among: readonly Schema[],
  instance: Instance,
  findings: Findings | undefined,
  judging: Judging,
): Verdict {
  let verdict: Verdict = Verdict.invalid;
  for (const each of among) {
    verdict = either(verdict, judging.judge(each, instance, undefined));
    if (verdict === Verdict.valid) return verdict;
  }
  if (verdict === Verdict.invalid) reportNoMatch(schema, "anyOf", among, { instance, findings }, judging);
  return verdict;
}

function judgeOne(
  schema: Schema,
  among: readonly Schema[],
  instance: Instance,
  findings: Findings | undefined,
  judging: Judging,
): Verdict {
  let [sure, possible] = [0, 0];
  for (const each of among) {
    const verdict = judging.judge(each, instance, undefined);
    if (verdict === Verdict.valid) sure++;
    if (verdict !== Verdict.invalid) possible++;
  }
  if (possible === 0) {
    reportNoMatch(schema, "oneOf", among, { instance, findings }, judging);
    return Verdict.invalid;
  }
  if (sure > 1) {
    const says = "fits several of the schema's alternatives, and one only is allowed";
    findings?.add({ instance, schema, keyword: "oneOf", says, within: instance });
    return Verdict.invalid;
  }
  return sure === 1 && possible === 1 ? Verdict.valid : Verdict.undecided;
}

/** If only one alternative has the value's form, reports what is wrong by that one; else that no alternative fits. */
function reportNoMatch(
  schema: Schema,
  keyword: string,
  among: readonly Schema[],
  { instance, findings }: { readonly instance: Instance; readonly findings: Findings | undefined },
  judging: Judging,
): void {
  if (findings === undefined) return;
  const meant = meantAmong(among, instance, findings, judging);
  if (meant !== undefined && meant.all.length > 0) return findings.take(meant);
  const says = "fits none of the schema's alternatives";
  findings.add({ instance, schema, keyword, says, within: instance });
}

/** What the only alternative of the value's form finds; undefined if no or several alternatives have that form. */
function meantAmong(
  among: readonly Schema[],
  instance: Instance,
  findings: Findings,
  judging: Judging,
): Findings | undefined {
  let meant: Findings | undefined;
  for (const each of among) {
    const own = findings.dependingOn(instance);
    judging.judge(each, instance, own);
    if (own.isOtherForm) continue;
    if (meant !== undefined) return undefined;
    meant = own;
  }
  return meant;
}

function judgeNot(
  schema: Schema,
  refused: Schema,
  instance: Instance,
  findings: Findings | undefined,
  judging: Judging,
): Verdict {
  const verdict = opposite(judging.judge(refused, instance, undefined));
  const says = "is what the schema rules out";
  if (verdict === Verdict.invalid)
    findings?.add({ instance, schema, keyword: "not", says, within: instance });
  return verdict;
}

function judgeIf(
  schema: Schema,
  condition: Schema,
  instance: Instance,
  findings: Findings | undefined,
  judging: Judging,
): Verdict {
  const on = judging.judge(condition, instance, undefined);
  const { thenSchema, elseSchema } = schema;
  const branch = (each: Schema | undefined, isPossible: boolean): Verdict => {
    if (each === undefined || !isPossible) return Verdict.valid;
    const inner = findings?.dependingOn(instance);
    const verdict = judging.judge(each, instance, inner);
    if (verdict === Verdict.invalid && on !== Verdict.undecided && inner !== undefined) findings?.take(inner);
    return verdict;
  };
  const so = branch(thenSchema, on !== Verdict.invalid);
  const otherwise = branch(elseSchema, on !== Verdict.valid);
  if (on === Verdict.valid) return so;
  if (on === Verdict.invalid) return otherwise;
  if (so === otherwise && so !== Verdict.invalid) return so;
  if (so !== Verdict.invalid || otherwise !== Verdict.invalid) return Verdict.undecided;
  const says = "is neither what the schema asks for where `if` holds, nor where it does not";
  findings?.add({ instance, schema, keyword: "if", says, within: instance });
  return Verdict.invalid;
}
