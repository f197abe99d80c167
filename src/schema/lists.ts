// Keywords about lists. Layers replace lists whole, so no lower layer adds elements to a list.
import { canonical } from "./equality.ts";
import type { Instance } from "./instance.ts";
import { Kind } from "./kinds.ts";
import type { Collectors, Judging, KeywordJudge } from "./judging.ts";
import type { Schema } from "./schema.ts";
import { both, decided, Verdict } from "./verdict.ts";

export const judgeList: KeywordJudge = (schema, instance, collectors, judging) => {
  let verdict = judgeLength(schema, instance, collectors);
  verdict = both(verdict, judgeItems(schema, instance, collectors, judging));
  if (schema.uniqueItems) verdict = both(verdict, judgeUnique(schema, instance, collectors));
  if (schema.contains !== undefined)
    verdict = both(verdict, judgeContains(schema, schema.contains, instance, collectors, judging));
  return verdict;
};

function judgeLength(schema: Schema, instance: Instance, { findings }: Collectors): Verdict {
  const { minItems = 0, maxItems = Infinity } = schema;
  if (minItems === 0 && maxItems === Infinity) return Verdict.valid;
  const { length } = instance.items();
  if (length < minItems)
    findings?.add({ instance, schema, keyword: "minItems", says: `expected at least ${minItems} elements` });
  if (length > maxItems)
    findings?.add({ instance, schema, keyword: "maxItems", says: `expected at most ${maxItems} elements` });
  return decided(length >= minItems && length <= maxItems);
}

const judgeItems: KeywordJudge = (schema, instance, { evaluated, findings }, judging) => {
  const { prefixItems = [], items: rest } = schema;
  let verdict: Verdict = Verdict.valid;
  if (schema.prefixItems === undefined && rest === undefined) return verdict;
  for (const [index, item] of instance.items().entries()) {
    const own = prefixItems[index] ?? rest;
    if (own !== undefined) verdict = both(verdict, judging.judge(own, item, undefined, findings));
    if (verdict === Verdict.invalid && findings === undefined) return verdict;
  }
  const count = rest === undefined ? Math.min(prefixItems.length, instance.items().length) : Infinity;
  if (evaluated !== undefined) evaluated.items = Math.max(evaluated.items, count);
  return verdict;
};

function judgeUnique(schema: Schema, instance: Instance, { findings }: Collectors): Verdict {
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
  { evaluated, findings }: Collectors,
  judging: Judging,
): Verdict {
  let [sure, possible] = [0, 0];
  for (const [index, item] of instance.items().entries()) {
    const verdict = judging.judge(contained, item, undefined, undefined);
    if (verdict === Verdict.invalid) continue;
    possible++;
    if (verdict === Verdict.valid) sure++;
    else if (evaluated !== undefined) evaluated.isUnsure = true;
    // In 2019-09 `unevaluatedItems` ignores `contains`.
    if (schema.resource.draft >= 2020) evaluated?.found.add(index);
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

/** Items that no other keyword has evaluated: runs after all others. */
export const judgeUnevaluatedItems: KeywordJudge = (schema, instance, { evaluated, findings }, judging) => {
  const { unevaluatedItems: rest } = schema;
  if (rest === undefined || evaluated === undefined || instance.kind !== Kind.array) return Verdict.valid;
  let verdict: Verdict = Verdict.valid;
  const inner = findings?.dependingOn(instance);
  for (const [index, item] of instance.items().entries())
    if (index >= evaluated.items && !evaluated.found.has(index))
      verdict = both(verdict, judging.judge(rest, item, undefined, inner));
  evaluated.items = Infinity;
  if (inner !== undefined) findings?.take(inner);
  return evaluated.isUnsure && rest.always !== true ? both(verdict, Verdict.undecided) : verdict;
};
