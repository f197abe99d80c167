// Keywords about lists. Layers replace lists whole, so a list that is there is all there will be.
import { canonical } from "./equality.ts";
import type { Instance } from "./instance.ts";
import { Kind } from "./kinds.ts";
import type { Judging, Part } from "./judging.ts";
import type { Schema } from "./schema.ts";
import { both, decided, Verdict } from "./verdict.ts";

type Asked = Parameters<Part>[2];

export const judgeList: Part = (schema, instance, asked, judging) => {
  let verdict = judgeLength(schema, instance, asked);
  verdict = both(verdict, judgeItems(schema, instance, asked, judging));
  if (schema.uniqueItems) verdict = both(verdict, judgeUnique(schema, instance, asked));
  if (schema.contains !== undefined)
    verdict = both(verdict, judgeContains(schema, schema.contains, instance, asked, judging));
  return verdict;
};

function judgeLength(schema: Schema, instance: Instance, { findings }: Asked): Verdict {
  const { minItems = 0, maxItems = Infinity } = schema;
  if (minItems === 0 && maxItems === Infinity) return Verdict.valid;
  const { length } = instance.items();
  if (length < minItems)
    findings?.add({ instance, schema, keyword: "minItems", says: `expected at least ${minItems} elements` });
  if (length > maxItems)
    findings?.add({ instance, schema, keyword: "maxItems", says: `expected at most ${maxItems} elements` });
  return decided(length >= minItems && length <= maxItems);
}

const judgeItems: Part = (schema, instance, { seen, findings }, judging) => {
  const { prefixItems = [], items: rest } = schema;
  let verdict: Verdict = Verdict.valid;
  if (schema.prefixItems === undefined && rest === undefined) return verdict;
  for (const [index, item] of instance.items().entries()) {
    const own = prefixItems[index] ?? rest;
    if (own !== undefined) verdict = both(verdict, judging.judge(own, item, undefined, findings));
    if (verdict === Verdict.invalid && findings === undefined) return verdict;
  }
  const count = rest === undefined ? Math.min(prefixItems.length, instance.items().length) : Infinity;
  if (seen !== undefined) seen.items = Math.max(seen.items, count);
  return verdict;
};

function judgeUnique(schema: Schema, instance: Instance, { findings }: Asked): Verdict {
  const texts = new Set<string>();
  let isUnclear = false;
  for (const item of instance.items()) {
    const text = canonical(item);
    isUnclear ||= text === undefined;
    if (text !== undefined && texts.has(text)) {
      findings?.add({ instance, schema, keyword: "uniqueItems", says: "expected elements that all differ" });
      return Verdict.invalid;
    }
    if (text !== undefined) texts.add(text);
  }
  return isUnclear && instance.items().length > 1 ? Verdict.undecided : Verdict.valid;
}

function judgeContains(
  schema: Schema,
  wanted: Schema,
  instance: Instance,
  { seen, findings }: Asked,
  judging: Judging,
): Verdict {
  let [sure, possible] = [0, 0];
  for (const [index, item] of instance.items().entries()) {
    const verdict = judging.judge(wanted, item, undefined, undefined);
    if (verdict === Verdict.invalid) continue;
    possible++;
    if (verdict === Verdict.valid) sure++;
    else if (seen !== undefined) seen.isUnsure = true;
    // In 2019-09 `unevaluatedItems` does not know of it.
    if (schema.resource.draft >= 2020) seen?.found.add(index);
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

/** Items that no other keyword has looked at: asked when all others are done. */
export const judgeUnevaluatedItems: Part = (schema, instance, { seen, findings }, judging) => {
  const { unevaluatedItems: rest } = schema;
  if (rest === undefined || seen === undefined || instance.kind !== Kind.array) return Verdict.valid;
  let verdict: Verdict = Verdict.valid;
  const told = findings?.inside(instance);
  for (const [index, item] of instance.items().entries())
    if (index >= seen.items && !seen.found.has(index))
      verdict = both(verdict, judging.judge(rest, item, undefined, told));
  seen.items = Infinity;
  if (told !== undefined) findings?.take(told);
  return seen.isUnsure && rest.always !== true ? both(verdict, Verdict.undecided) : verdict;
};
