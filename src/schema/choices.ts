// Keywords that combine schemas of one value: `allOf`, `anyOf`, `oneOf`, `not`, and `if` with `then` and `else`.
import type { Argument, Judged, Keyword } from "./argument.ts";
import type { Findings } from "./findings.ts";
import type { JudgedValue } from "./instance.ts";
import type { Judge, Schema } from "./schema.ts";
import { either, opposite, Verdict } from "./verdict.ts";

function readAll(given: Argument): Judged {
  const all = (given.schema.allOf = given.schemas());
  return {
    judge: (_schema, instance, judging) => judging.all(all, (each) => judging.judge(each, instance)),
  };
}

function readAny(given: Argument): Judged {
  const among = given.schemas();
  return {
    judge: (schema, instance, judging) => {
      let verdict: Verdict = Verdict.invalid;
      for (const each of among) {
        verdict = either(verdict, judging.quiet.judge(each, instance));
        if (verdict === Verdict.valid) return verdict;
      }
      if (verdict === Verdict.invalid) reportNoMatch(schema, "anyOf", among, instance, judging);
      return verdict;
    },
  };
}

function readOne(given: Argument): Judged {
  const among = given.schemas();
  return {
    judge: (schema, instance, judging) => {
      const verdicts = among.map((each) => judging.quiet.judge(each, instance));
      const sure = verdicts.filter((verdict) => verdict === Verdict.valid).length;
      const possible = verdicts.filter((verdict) => verdict !== Verdict.invalid).length;
      if (possible === 0) reportNoMatch(schema, "oneOf", among, instance, judging);
      const says = "fits several of the schema's alternatives, and one only is allowed";
      if (sure > 1) judging.findings?.add({ instance, schema, keyword: "oneOf", says, within: instance });
      if (possible === 0 || sure > 1) return Verdict.invalid;
      return sure === 1 && possible === 1 ? Verdict.valid : Verdict.undecided;
    },
  };
}

/** If only one alternative has the value's form, reports what is wrong by that one; else that no alternative fits. */
function reportNoMatch(
  schema: Schema,
  keyword: string,
  among: readonly Schema[],
  instance: JudgedValue,
  judging: Judge,
): void {
  const { findings } = judging;
  if (findings === undefined) return;
  const says = "fits none of the schema's alternatives";
  const meant = meantAmong(among, instance, judging);
  if (meant !== undefined && meant.all.length > 0) findings.take(meant);
  else findings.add({ instance, schema, keyword, says, within: instance });
}

/** What the only alternative of the value's form finds; undefined if no or several alternatives have that form. */
function meantAmong(among: readonly Schema[], instance: JudgedValue, judging: Judge): Findings | undefined {
  let meant: Findings | undefined;
  for (const each of among) {
    const trial = judging.dependingOn(instance);
    trial.judge(each, instance);
    if (trial.findings?.isOtherForm === true) continue;
    if (meant !== undefined) return undefined;
    meant = trial.findings;
  }
  return meant;
}

function readNot(given: Argument): Judged {
  const refused = given.subschema();
  return {
    judge: (schema, instance, judging) => {
      const verdict = opposite(judging.quiet.judge(refused, instance));
      const says = "is what the schema rules out";
      if (verdict === Verdict.invalid)
        judging.findings?.add({ instance, schema, keyword: "not", says, within: instance });
      return verdict;
    },
  };
}

function readIf(given: Argument): Judged {
  const condition = given.subschema();
  return {
    judge: (schema, instance, judging) => {
      const on = judging.quiet.judge(condition, instance);
      const { thenSchema, elseSchema } = schema;
      if (on === Verdict.valid) return branch(thenSchema, instance, judging);
      if (on === Verdict.invalid) return branch(elseSchema, instance, judging);
      const so = branch(thenSchema, instance, judging.quiet);
      const otherwise = branch(elseSchema, instance, judging.quiet);
      if (so === otherwise && so !== Verdict.invalid) return so;
      if (so !== Verdict.invalid || otherwise !== Verdict.invalid) return Verdict.undecided;
      const says = "is neither what the schema asks for where `if` holds, nor where it does not";
      judging.findings?.add({ instance, schema, keyword: "if", says, within: instance });
      return Verdict.invalid;
    },
  };
}

function branch(schema: Schema | undefined, instance: JudgedValue, judging: Judge): Verdict {
  if (schema === undefined) return Verdict.valid;
  const trial = judging.dependingOn(instance);
  const verdict = trial.judge(schema, instance);
  if (verdict === Verdict.invalid) judging.findings?.take(trial.findings);
  return verdict;
}

export const choiceKeywords: readonly (readonly [string, Keyword])[] = [
  ["allOf", { read: readAll }],
  ["anyOf", { read: readAny }],
  ["oneOf", { read: readOne }],
  ["not", { read: readNot }],
  ["if", { from: 7, read: readIf }],
  ["then", { from: 7, read: (given) => void (given.schema.thenSchema = given.subschema()) }],
  ["else", { from: 7, read: (given) => void (given.schema.elseSchema = given.subschema()) }],
];
