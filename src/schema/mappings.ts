// Keywords about mappings. If lower layers may add keys to a mapping, a key never counts as missing.
import type { Finding, Findings } from "./findings.ts";
import { type Instance, NameInstance } from "./instance.ts";
import type { Judging, KeywordJudge } from "./judging.ts";
import type { Dependent, PatternProperty, Schema } from "./schema.ts";
import { both, Verdict } from "./verdict.ts";
import { searchSteps } from "./cost.ts";

export const judgeMapping: KeywordJudge = (schema, instance, findings, judging) => {
  let verdict = judgeMembers(schema, instance, findings, judging);
  if (verdict === Verdict.invalid && findings === undefined) return verdict;
  verdict = both(verdict, judgeRequired(schema, instance, findings));
  verdict = both(verdict, judgeSize(schema, instance, findings));
  if (schema.propertyNames !== undefined)
    verdict = both(verdict, judgeNames(schema.propertyNames, instance, findings, judging));
  for (const dependent of schema.dependents)
    verdict = both(verdict, judgeDependent(dependent, schema, instance, findings, judging));
  return verdict;
};

/** `properties`, `patternProperties` and `additionalProperties`. */
const judgeMembers: KeywordJudge = (schema, instance, findings, judging) => {
  const { properties, patternProperties, additionalProperties } = schema;
  if (properties === undefined && patternProperties === undefined && additionalProperties === undefined)
    return Verdict.valid;
  let verdict: Verdict = Verdict.valid;
  let named = 0;
  for (const member of instance.members()) {
    const own = properties?.get(String(member.key));
    if (own !== undefined) {
      named++;
      member.isNamed = true;
      verdict = both(verdict, judgeMember(own, member, findings, judging));
    }
    verdict = both(verdict, judgeUnnamed(schema, member, own !== undefined, findings, judging));
    if (verdict === Verdict.invalid && findings === undefined) return verdict;
  }
  const isMore = named < (properties?.size ?? 0) || patternProperties !== undefined;
  const isLoose = additionalProperties !== undefined && additionalProperties.always !== true;
  return instance.isOpen && (isMore || isLoose) ? both(verdict, Verdict.undecided) : verdict;
};

function judgeUnnamed(
  schema: Schema,
  member: Instance,
  isNamed: boolean,
  findings: Findings | undefined,
  judging: Judging,
): Verdict {
  const { patternProperties = none, additionalProperties: rest } = schema;
  const key = String(member.key);
  let verdict: Verdict = Verdict.valid;
  let isKnown = isNamed;
  for (const { pattern, schema: patterned } of patternProperties) {
    judging.step(schema, searchSteps(pattern, key.length));
    const fits = pattern.test(key);
    if (fits === false) continue;
    isKnown = true;
    const found = fits === undefined ? Verdict.undecided : judgeMember(patterned, member, findings, judging);
    verdict = both(verdict, found);
  }
  if (isKnown || rest === undefined) return verdict;
  const refused = (): Finding => unknownKey(schema, member);
  return both(verdict, judgeMember(rest, member, findings, judging, refused));
}

const none: readonly PatternProperty[] = [];

/** A null may remove its key or remain: it is undecided at worst, never invalid. */
function judgeMember(
  schema: Schema,
  member: Instance,
  findings: Findings | undefined,
  judging: Judging,
  refused?: () => Finding,
): Verdict {
  const inner = member.mayBeAbsent ? undefined : findings;
  const isRefused = refused !== undefined && schema.always === false;
  if (isRefused) judging.step(schema);
  const verdict = isRefused ? Verdict.invalid : judging.judge(schema, member, inner);
  if (isRefused) inner?.add(refused());
  return verdict === Verdict.invalid && member.mayBeAbsent ? Verdict.undecided : verdict;
}

function unknownKey(schema: Schema, member: Instance): Finding {
  const { properties: known = noKeys } = schema;
  return {
    instance: member,
    schema,
    keyword: "additionalProperties",
    says: "the schema does not know this key",
    known,
  };
}

const noKeys: ReadonlyMap<string, Schema> = new Map();

function judgeRequired(schema: Schema, instance: Instance, findings: Findings | undefined): Verdict {
  let verdict: Verdict = Verdict.valid;
  for (const key of schema.required ?? []) {
    const found = isThere(instance, key);
    verdict = both(verdict, found);
    if (found === Verdict.invalid)
      findings?.add({ instance, schema, keyword: "required", says: "the schema requires it", missing: key });
  }
  return verdict;
}

function isThere(instance: Instance, key: string): Verdict {
  const member = instance.member(key);
  if (member === undefined) return instance.isOpen ? Verdict.undecided : Verdict.invalid;
  return member.mayBeAbsent ? Verdict.undecided : Verdict.valid;
}

function judgeSize(schema: Schema, instance: Instance, findings: Findings | undefined): Verdict {
  const { minProperties = 0, maxProperties = Infinity } = schema;
  if (minProperties === 0 && maxProperties === Infinity) return Verdict.valid;
  const members = instance.members();
  const sure = members.filter(({ mayBeAbsent }) => !mayBeAbsent).length;
  const isSettled = !instance.isOpen && sure === members.length;
  const isTooMany = sure > maxProperties;
  const isTooFew = isSettled && sure < minProperties;
  if (isTooMany)
    findings?.add({
      instance,
      schema,
      keyword: "maxProperties",
      says: `expected at most ${maxProperties} keys`,
    });
  if (isTooFew)
    findings?.add({
      instance,
      schema,
      keyword: "minProperties",
      says: `expected at least ${minProperties} keys`,
    });
  if (isTooMany || isTooFew) return Verdict.invalid;
  return isSettled || (sure >= minProperties && maxProperties === Infinity)
    ? Verdict.valid
    : Verdict.undecided;
}

function judgeNames(
  names: Schema,
  instance: Instance,
  findings: Findings | undefined,
  judging: Judging,
): Verdict {
  let verdict: Verdict = instance.isOpen && names.always !== true ? Verdict.undecided : Verdict.valid;
  for (const member of instance.members()) {
    const found = judging.judge(names, new NameInstance(member), undefined);
    const isBad = found === Verdict.invalid && !member.mayBeAbsent;
    verdict = both(verdict, found === Verdict.invalid && !isBad ? Verdict.undecided : found);
    if (isBad)
      findings?.add({
        instance: member,
        schema: names,
        keyword: "propertyNames",
        says: "the schema does not allow this key",
      });
  }
  return verdict;
}

/** `dependencies` and its successors: they apply only if a key is set. */
function judgeDependent(
  dependent: Dependent,
  schema: Schema,
  instance: Instance,
  findings: Findings | undefined,
  judging: Judging,
): Verdict {
  const { key, keyword, required, schema: also } = dependent;
  const on = isThere(instance, key);
  if (on === Verdict.invalid) return Verdict.valid;
  const inner = on === Verdict.valid ? findings?.dependingOn(instance) : undefined;
  let verdict: Verdict = Verdict.valid;
  for (const other of required ?? []) {
    const found = isThere(instance, other);
    verdict = both(verdict, found);
    const says = `the schema requires it where \`${key}\` is set`;
    if (found === Verdict.invalid) inner?.add({ instance, schema, keyword, says, missing: other });
  }
  if (also !== undefined) verdict = both(verdict, judging.judge(also, instance, inner));
  if (inner !== undefined) findings?.take(inner);
  return verdict === Verdict.valid || on === Verdict.valid ? verdict : Verdict.undecided;
}
