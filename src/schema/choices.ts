// Keywords that put schemas of one value together: all, any, one or none of them, and what depends on another.
import type { Findings } from "./findings.ts";
import type { Instance } from "./instance.ts";
import { judgeToo, type Judging, type Part } from "./judging.ts";
import type { Schema } from "./schema.ts";
import { both, either, opposite, Seen, Verdict } from "./verdict.ts";

type Asked = Parameters<Part>[2];

export const judgeChoices: Part = (schema, instance, asked, judging) => {
  let verdict: Verdict = Verdict.valid;
  for (const each of schema.allOf ?? []) {
    verdict = both(verdict, judgeToo(each, instance, asked, judging));
    if (verdict === Verdict.invalid && asked.findings === undefined) return verdict;
  }
  if (schema.anyOf !== undefined)
    verdict = both(verdict, judgeAny(schema, schema.anyOf, instance, asked, judging));
  if (schema.oneOf !== undefined)
    verdict = both(verdict, judgeOne(schema, schema.oneOf, instance, asked, judging));
  if (schema.not !== undefined)
    verdict = both(verdict, judgeNot(schema, schema.not, instance, asked, judging));
  if (schema.if !== undefined) verdict = both(verdict, judgeIf(schema, schema.if, instance, asked, judging));
  return verdict;
};

function quiet({ seen }: Asked): Asked {
  return { seen, findings: undefined };
}

function judgeAny(
  schema: Schema,
  among: readonly Schema[],
  instance: Instance,
  asked: Asked,
  judging: Judging,
): Verdict {
  let verdict: Verdict = Verdict.invalid;
  for (const each of among) {
    verdict = either(verdict, judgeToo(each, instance, quiet(asked), judging));
    if (verdict === Verdict.valid && asked.seen === undefined) return verdict;
  }
  if (verdict === Verdict.invalid)
    tellNone(schema, "anyOf", among, { instance, findings: asked.findings }, judging);
  return verdict;
}

function judgeOne(
  schema: Schema,
  among: readonly Schema[],
  instance: Instance,
  asked: Asked,
  judging: Judging,
): Verdict {
  let [sure, possible] = [0, 0];
  for (const each of among) {
    const verdict = judgeToo(each, instance, quiet(asked), judging);
    if (verdict === Verdict.valid) sure++;
    if (verdict !== Verdict.invalid) possible++;
  }
  if (possible === 0) {
    tellNone(schema, "oneOf", among, { instance, findings: asked.findings }, judging);
    return Verdict.invalid;
  }
  if (sure > 1) {
    const says = "fits several of the schema's alternatives, and one only is allowed";
    asked.findings?.add({ instance, schema, keyword: "oneOf", says, within: instance });
    return Verdict.invalid;
  }
  return sure === 1 && possible === 1 ? Verdict.valid : Verdict.undecided;
}

/** Where one alternative alone is of the value's own form, what is wrong by that one; else that none fits. */
function tellNone(
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

/** What the only alternative of the value's form finds; nothing where there are none or several. */
function meantAmong(
  among: readonly Schema[],
  instance: Instance,
  findings: Findings,
  judging: Judging,
): Findings | undefined {
  let meant: Findings | undefined;
  for (const each of among) {
    const own = findings.inside(instance);
    judging.judge(each, instance, undefined, own);
    if (own.isMisfit) continue;
    if (meant !== undefined) return undefined;
    meant = own;
  }
  return meant;
}

function judgeNot(
  schema: Schema,
  refused: Schema,
  instance: Instance,
  { findings }: Asked,
  judging: Judging,
): Verdict {
  const verdict = opposite(judging.judge(refused, instance, undefined, undefined));
  const says = "is what the schema rules out";
  if (verdict === Verdict.invalid)
    findings?.add({ instance, schema, keyword: "not", says, within: instance });
  return verdict;
}

function judgeIf(
  schema: Schema,
  condition: Schema,
  instance: Instance,
  asked: Asked,
  judging: Judging,
): Verdict {
  const on = judgeToo(condition, instance, quiet(asked), judging);
  const { whereSo, whereNot } = schema;
  const branch = (each: Schema | undefined, isPossible: boolean): Verdict => {
    if (each === undefined || !isPossible) return Verdict.valid;
    const own = new Seen();
    const inner = asked.findings?.inside(instance);
    const verdict = judging.judge(each, instance, asked.seen === undefined ? undefined : own, inner);
    asked.seen?.take(own, on === Verdict.undecided ? both(verdict, on) : verdict);
    if (verdict === Verdict.invalid && on !== Verdict.undecided && inner !== undefined)
      asked.findings?.take(inner);
    return verdict;
  };
  const so = branch(whereSo, on !== Verdict.invalid);
  const otherwise = branch(whereNot, on !== Verdict.valid);
  if (on === Verdict.valid) return so;
  if (on === Verdict.invalid) return otherwise;
  if (so === otherwise && so !== Verdict.invalid) return so;
  if (so !== Verdict.invalid || otherwise !== Verdict.invalid) return Verdict.undecided;
  const says = "is neither what the schema asks for where `if` holds, nor where it does not";
  asked.findings?.add({ instance, schema, keyword: "if", says, within: instance });
  return Verdict.invalid;
}
