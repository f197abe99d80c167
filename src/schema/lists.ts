// Keywords about lists. Layers replace lists whole, so no lower layer adds elements to a list.
import { canonical } from "./equality.ts";
import type { Instance } from "./instance.ts";
import type { Findings } from "./findings.ts";
import type { Judging, KeywordJudge } from "./judging.ts";
import type { Schema } from "./schema.ts";
import { both, decided, Verdict } from "./verdict.ts";

export const judgeList: KeywordJudge = (schema, instance, findings, judging) => {
  let verdict = judgeLength(schema, instance, findings);
  verdict = both(verdict, judgeItems(schema, instance, findings, judging));
  if (schema.uniqueItems) verdict = both(verdict, judgeUnique(schema, instance, findings));
  if (schema.contains !== undefined)
    verdict = both(verdict, judgeContains(schema, schema.contains, instance, findings, judging));
  return verdict;
};

function judgeLength(schema: Schema, instance: Instance, findings: Findings | undefined): Verdict {
  const { minItems = 0, maxItems = Infinity } = schema;
  if (minItems === 0 && maxItems === Infinity) return Verdict.valid;
  const { length } = instance.items();
  if (length < minItems)
    findings?.add({ instance, schema, keyword: "minItems", says: `expected at least ${minItems} elements` });
  if (length > maxItems)
    findings?.add({ instance, schema, keyword: "maxItems", says: `expected at most ${maxItems} elements` });
  return decided(length >= minItems && length <= maxItems);
}

const judgeItems: KeywordJudge = (schema, instance, findings, judging) => {
  const { prefixItems = [], items: rest } = schema;
  let verdict: Verdict = Verdict.valid;
  if (schema.prefixItems === undefined && rest === undefined) return verdict;
  for (const [index, item] of instance.items().entries()) {
    const own = prefixItems[index] ?? rest;
    if (own !== undefined) verdict = both(verdict, judging.judge(own, item, findings));
    if (verdict === Verdict.invalid && findings === undefined) return verdict;
  }
  return verdict;
};

function judgeUnique(schema: Schema, instance: Instance, findings: Findings | undefined): Verdict {
  const texts = new Set<string>();
  let isUndecided = false;
  for (const item of instance.items()) {
    const text = canonical(item);
    isUndecided ||= text === undefined;
    if (text !== undefined && texts.has(text)) {
      findings?.add({ instance, schema, keyword: "uniqueItems", says: "expected elements that all differ" });
      return Verdict.invalid;
    }
    if (text !== undefined) texts.add(text);
  }
  return isUndecided && instance.items().length > 1 ? Verdict.undecided : Verdict.valid;
}

function judgeContains(
  schema: Schema,
  contained: Schema,
  instance: Instance,
  findings: Findings | undefined,
  judging: Judging,
): Verdict {
  let [sure, possible] = [0, 0];
  for (const item of instance.items()) {
    const verdict = judging.judge(contained, item, undefined);
    if (verdict === Verdict.invalid) continue;
    possible++;
    if (verdict === Verdict.valid) sure++;
  }
  const { minContains = 1, maxContains = Infinity } = schema;
  if (possible >= minContains && sure <= maxContains)
    return sure >= minContains && possible <= maxContains ? Verdict.valid : Verdict.undecided;
  const isFew = possible < minContains;
  findings?.add({
    instance,
    schema,
    keyword: !isFew ? "maxContains" : schema.minContains === undefined ? "contains" : "minContains",
    says: isFew
      ? `expected at least ${minContains} such elements`
      : `expected at most ${maxContains} such elements`,
  });
  return Verdict.invalid;
}
