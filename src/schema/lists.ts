// Keywords about lists. Layers replace lists whole, so no lower layer adds elements to a list.
import { type Argument, counted, type Judged, type Keyword, tested } from "./argument.ts";
import { canonical } from "./equality.ts";
import type { JudgedValue } from "./instance.ts";
import { Kind } from "./kinds.ts";
import type { Check, Schema } from "./schema.ts";
import { Verdict } from "./verdict.ts";

function readPrefix({ schema }: Argument, schemas: readonly Schema[]): Judged {
  schema.prefixItems = schemas;
  return {
    judge: (_schema, instance, judging) =>
      judging.all(instance.items().slice(0, schemas.length), (item, index) =>
        judging.judge(schemas[index] as Schema, item),
      ),
  };
}

/** For the items after `prefixItems`. */
function readRest(rest: Schema): Judged {
  return {
    judge: ({ prefixItems }, instance, judging) =>
      judging.all(instance.items(), (item, index) =>
        index < prefixItems.length ? Verdict.valid : judging.judge(rest, item),
      ),
  };
}

/** Until 2019-09 a list under `items` means what `prefixItems` means in 2020-12. */
function readItems(given: Argument): Judged {
  return given.isList && given.draft < 2020
    ? readPrefix(given, given.schemas())
    : readRest(given.subschema());
}

function readAdditional(given: Argument): Judged {
  return given.sibling("items")?.isList === true ? readRest(given.subschema()) : undefined;
}

function doAllDiffer(instance: JudgedValue): boolean | undefined {
  const texts = new Set<string>();
  let isKnown = true;
  for (const item of instance.items()) {
    const text = canonical(item);
    if (text !== undefined && texts.has(text)) return false;
    if (text === undefined) isKnown = false;
    else texts.add(text);
  }
  return isKnown || instance.items().length < 2 ? true : undefined;
}

function readUnique(given: Argument): Judged {
  return given.flag() === true ? tested(doAllDiffer, "expected elements that all differ") : undefined;
}

function readContains(given: Argument): Judged {
  const contained = given.subschema();
  const judge: Check["judge"] = (schema, instance, judging) => {
    let [sure, possible] = [0, 0];
    for (const item of instance.items()) {
      const verdict = judging.quiet.judge(contained, item);
      if (verdict === Verdict.valid) sure++;
      if (verdict !== Verdict.invalid) possible++;
    }
    const { minContains = 1, maxContains = Infinity } = schema;
    if (possible >= minContains && sure <= maxContains)
      return sure >= minContains && possible <= maxContains ? Verdict.valid : Verdict.undecided;
    const isFew = possible < minContains;
    const fewer = schema.minContains === undefined ? "contains" : "minContains";
    judging.findings?.add({
      instance,
      schema,
      keyword: isFew ? fewer : "maxContains",
      says: `expected at ${isFew ? `least ${minContains}` : `most ${maxContains}`} such elements`,
    });
    return Verdict.invalid;
  };
  return { judge };
}

const list = (read: Keyword["read"]): Keyword => ({ kinds: Kind.array, read });

export const listKeywords: { readonly [keyword: string]: Keyword } = {
  minItems: list(counted("at least", "elements", (least, value) => value.items().length >= least)),
  maxItems: list(counted("at most", "elements", (most, value) => value.items().length <= most)),
  prefixItems: { ...list((given) => readPrefix(given, given.schemas())), from: 2020 },
  items: list(readItems),
  additionalItems: { ...list(readAdditional), to: 2019 },
  uniqueItems: list(readUnique),
  contains: { ...list(readContains), from: 6 },
  minContains: { from: 2019, read: (given) => void (given.schema.minContains = given.count()) },
  maxContains: { from: 2019, read: (given) => void (given.schema.maxContains = given.count()) },
};
