// Keywords about mappings. If lower layers may add keys to a mapping, a key never counts as missing.
import { type Argument, counted, type Judged, type Keyword } from "./argument.ts";
import { type JudgedValue, nameInstance } from "./instance.ts";
import { Kind } from "./kinds.ts";
import type { Check, Judge, Schema } from "./schema.ts";
import { both, either, Verdict } from "./verdict.ts";

/** `properties`, `patternProperties` and `additionalProperties` are one check: it goes through the keys once. */
function members({ schema }: Argument): Judged {
  const isThereAlready = schema.checks.some(({ judge }) => judge === judgeMembers);
  return isThereAlready ? undefined : { judge: judgeMembers };
}

function judgeMembers(schema: Schema, instance: JudgedValue, judging: Judge): Verdict {
  const { properties, patternProperties, additionalProperties: rest } = schema;
  let named = 0;
  const verdict = judging.all(instance.members(), (member) => {
    const own = properties?.get(String(member.key));
    if (own === undefined) return judgeUnnamed(schema, member, false, judging);
    named++;
    member.isNamed = true;
    const found = judgeMember(own, member, judging);
    return patternProperties === undefined ? found : both(found, judgeUnnamed(schema, member, true, judging));
  });
  const isMore = named < (properties?.size ?? 0) || patternProperties !== undefined;
  const isLoose = rest !== undefined && rest.always !== true;
  return instance.isOpen && (isMore || isLoose) ? both(verdict, Verdict.undecided) : verdict;
}

/** By the patterns that a key fits, else by `additionalProperties`. */
function judgeUnnamed(schema: Schema, member: JudgedValue, isNamed: boolean, judging: Judge): Verdict {
  const { patternProperties = [], additionalProperties: rest } = schema;
  const key = String(member.key);
  let isKnown = isNamed;
  const verdict = judging.all(patternProperties, ({ pattern, schema: patterned }) => {
    judging.step(schema, pattern.steps(key));
    const fits = pattern.test(key);
    isKnown ||= fits !== false;
    if (fits === undefined) return Verdict.undecided;
    return fits ? judgeMember(patterned, member, judging) : Verdict.valid;
  });
  if (isKnown || rest === undefined) return verdict;
  return rest.always === false ? refused(schema, member, judging) : judgeMember(rest, member, judging);
}

/** A null may remove its key or remain: it is undecided at worst, never invalid. */
function judgeMember(schema: Schema, member: JudgedValue, judging: Judge): Verdict {
  if (!member.mayBeAbsent) return judging.judge(schema, member);
  return either(judging.quiet.judge(schema, member), Verdict.undecided);
}

function refused(schema: Schema, member: JudgedValue, judging: Judge): Verdict {
  judging.step(schema);
  if (member.mayBeAbsent) return Verdict.undecided;
  const says = "the schema does not know this key";
  const known = schema.properties ?? new Map<string, Schema>();
  judging.findings?.add({ instance: member, schema, keyword: "additionalProperties", says, known });
  return Verdict.invalid;
}

function readPatterns(given: Argument): Judged {
  given.schema.patternProperties = given.entries().flatMap(([key, each]) => {
    const [pattern, schema] = [each.compiled(key, "patternProperties"), each.subschema()];
    return pattern === undefined ? [] : [{ pattern, schema }];
  });
  return members(given);
}

function isThere(instance: JudgedValue, key: string): Verdict {
  const member = instance.member(key);
  if (member === undefined) return instance.isOpen ? Verdict.undecided : Verdict.invalid;
  return member.mayBeAbsent ? Verdict.undecided : Verdict.valid;
}

/** How many keys share the time of one step. */
const keysPerStep = 16;

/** @param why ends "the schema requires it" */
function areThere(
  keys: readonly string[],
  { schema, keyword, why }: { readonly schema: Schema; readonly keyword: string; readonly why: string },
  instance: JudgedValue,
  judging: Judge,
): Verdict {
  judging.step(schema, keys.length / keysPerStep);
  return judging.all(keys, (missing) => {
    const found = isThere(instance, missing);
    const says = `the schema requires it${why}`;
    if (found === Verdict.invalid) judging.findings?.add({ instance, schema, keyword, says, missing });
    return found;
  });
}

function readRequired(given: Argument): Judged {
  const required = (given.schema.required = given.texts() ?? []);
  return {
    judge: (schema, instance, judging) =>
      areThere(required, { schema, keyword: "required", why: "" }, instance, judging),
  };
}

/** `undefined` if lower layers may change the count so that it fits, or no longer does. */
function countKeys(instance: JudgedValue): { readonly sure: number; readonly isSettled: boolean } {
  const all = instance.members();
  const sure = all.filter(({ mayBeAbsent }) => !mayBeAbsent).length;
  return { sure, isSettled: !instance.isOpen && sure === all.length };
}

function hasAtLeast(least: number, instance: JudgedValue): boolean | undefined {
  const { sure, isSettled } = countKeys(instance);
  return sure >= least || (isSettled ? false : undefined);
}

function hasAtMost(most: number, instance: JudgedValue): boolean | undefined {
  const { sure, isSettled } = countKeys(instance);
  return sure <= most && (isSettled ? true : undefined);
}

function readNames(given: Argument): Judged {
  const names = given.subschema();
  return {
    judge: (_schema, instance, judging) => {
      const verdict = judging.all(instance.members(), (member) => {
        const found = judging.quiet.judge(names, nameInstance(member));
        if (found !== Verdict.invalid) return found;
        if (member.mayBeAbsent) return Verdict.undecided;
        const says = "the schema does not allow this key";
        judging.findings?.add({ instance: member, schema: names, keyword: "propertyNames", says });
        return found;
      });
      return instance.isOpen && names.always !== true ? both(verdict, Verdict.undecided) : verdict;
    },
  };
}

/** `dependencies` and its successors: they apply only if a key is set. */
function readDependents(given: Argument, keyword: string): Judged {
  const dependents = given.entries().map(([key, each]): [string, Check["judge"]] => {
    if (!each.isList && keyword !== "dependentRequired") {
      const also = each.subschema();
      return [key, (_schema, instance, judging) => judging.judge(also, instance)];
    }
    const [required, why] = [each.texts() ?? [], ` where \`${key}\` is set`];
    return [
      key,
      (schema, instance, judging) => areThere(required, { schema, keyword, why }, instance, judging),
    ];
  });
  return {
    judge: (schema, instance, judging) => {
      judging.step(schema, dependents.length / keysPerStep);
      return judging.all(dependents, ([key, judge]) =>
        dependsOn(isThere(instance, key), instance, judging, (trial) => judge(schema, instance, trial)),
      );
    },
  };
}

function dependsOn(
  on: Verdict,
  instance: JudgedValue,
  judging: Judge,
  judge: (judging: Judge) => Verdict,
): Verdict {
  if (on === Verdict.invalid) return Verdict.valid;
  if (on === Verdict.undecided)
    return judge(judging.quiet) === Verdict.valid ? Verdict.valid : Verdict.undecided;
  const trial = judging.dependingOn(instance);
  const verdict = judge(trial);
  judging.findings?.take(trial.findings);
  return verdict;
}

const mapping = (read: Keyword["read"]): Keyword => ({ kinds: Kind.object, read });

export const mappingKeywords: { readonly [keyword: string]: Keyword } = {
  properties: mapping((given) => {
    given.schema.properties = new Map(given.entries().map(([key, each]) => [key, each.subschema()]));
    return members(given);
  }),
  patternProperties: mapping(readPatterns),
  additionalProperties: mapping((given) => {
    given.schema.additionalProperties = given.subschema();
    return members(given);
  }),
  required: mapping(readRequired),
  maxProperties: mapping(counted("at most", "keys", hasAtMost)),
  minProperties: mapping(counted("at least", "keys", hasAtLeast)),
  propertyNames: { ...mapping(readNames), from: 6 },
  dependencies: mapping((given) => readDependents(given, "dependencies")),
  dependentRequired: { ...mapping((given) => readDependents(given, "dependentRequired")), from: 2019 },
  dependentSchemas: { ...mapping((given) => readDependents(given, "dependentSchemas")), from: 2019 },
};
