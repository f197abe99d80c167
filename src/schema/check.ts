// The setting `schemas`: judges the values of each target by the rules that apply to it. Loaded only if the setting is
// used. If a layer that valuefold cannot read may change a wrong value, the fault names that layer and is a warning.
import { atItem, type Item } from "../krm/index.ts";
import {
  type Context,
  diagnosticsOf as diagnosticsOfLayer,
  judgedTarget,
  type SchemaCheck,
} from "../core/index.ts";
import { isLayerItem, type JudgedTarget, type Layer, type LayerItem, type Stack } from "../layers/index.ts";
import { factsOf } from "../kinds.ts";
import { leafOf } from "../merge/index.ts";
import type { Diagnostic } from "../diagnostic.ts";
import { objectText } from "../object-id.ts";
import { diagnosticsOf } from "./faults.ts";
import { Findings } from "./findings.ts";
import { emptyMapping, JudgedValue } from "./instance.ts";
import { mergedValues } from "./merged.ts";
import { type AppliedRule, appliesIn, appliesTo, isNamed, schemasOf } from "./rules.ts";
import { GivenUp, Judge, type Schema } from "./schema.ts";
import { keywordIn, schemaFault } from "./source.ts";
import { Verdict } from "./verdict.ts";

export { notesFor } from "./describe-path.ts";

/** Reports faults of the schemas themselves at once. */
export function checkSchemas(items: readonly Item[], context: Context): SchemaCheck {
  context.report.all(schemasOf(items, context).faults);
  return new MergedCheck(items, context);
}

class MergedCheck implements SchemaCheck {
  private readonly items: readonly Item[];
  private readonly context: Context;

  constructor(items: readonly Item[], context: Context) {
    this.items = items;
    this.context = context;
  }

  faultsOf(judged: JudgedTarget): Diagnostic[] {
    const { target, stacks } = judged;
    return this.applied.flatMap((applied) => {
      if (!appliesTo(applied, target)) return [];
      if (!isInPlace(target)) return this.judged(applied, judged);
      // Each data key of a ConfigMap or Secret is a separate document.
      return stacks
        .filter((stack) => appliesIn(applied, stack))
        .flatMap((stack) => this.judged(applied, { ...judged, stacks: [stack] }));
    });
  }

  finish(): Diagnostic[] {
    const alone = this.items.filter(isLayerItem);
    const faults = this.applied.flatMap((applied) =>
      alone
        .filter((item) => isNamed(applied, item) && !applied.judged.has(item))
        .flatMap((item) => this.judgedAlone(applied, item)),
    );
    const isUnused = (each: AppliedRule): boolean =>
      each.judged.size === 0 &&
      !(this.context.purpose === "output" && isForRead(each)) &&
      (each.rule.targets ?? []).length > 0 &&
      !alone.some((item) => isNamed(each, item));
    return [...faults, ...this.applied.filter(isUnused).map(unusedRule)];
  }

  private get applied(): readonly AppliedRule[] {
    return schemasOf(this.items, this.context).applied;
  }

  /** A ConfigMap that a rule names is judged even if nothing folds into it. */
  private judgedAlone(applied: AppliedRule, item: LayerItem): Diagnostic[] {
    const { holdings } = this.context;
    const { key } = applied.rule;
    // Only these keys surely hold values, unless the rule itself names a key.
    const keys = holdings
      .keysOf(item)
      .filter((each) => (key === undefined ? isOfValues(each) : each === key));
    return keys.length === 0
      ? [withoutKey(applied, item, holdings.keysOf(item))]
      : keys.flatMap((each) => this.judgedKey(applied, item, each));
  }

  private judgedKey(applied: AppliedRule, item: LayerItem, key: string): Diagnostic[] {
    const { layers } = this.context;
    const layer = { item, priority: 0, reference: undefined };
    const own: Layer = { ...layer, key, format: key.endsWith(".json") ? "json" : "yaml" };
    const stack: Stack = { target: item, below: [], entries: [{ layer: own }] };
    const found = this.judged(applied, judgedTarget(item, [stack], undefined, this.context));
    if (layers.isSealed(own) || layers.isReadable(own)) return found;
    return diagnosticsOfLayer(own, stack, layers).map((each) => {
      const message = `no schema can judge what cannot be read: ${each.message}`;
      const hint = "correct it, or name under `key` what the schema is for";
      return { ...each, code: "schema", message, hint };
    });
  }

  private judged(applied: AppliedRule, judged: JudgedTarget): Diagnostic[] {
    const { schema, rule } = applied;
    const { target } = judged;
    applied.judged.add(target);
    if (schema === undefined || applied.isGivenUp) return [];
    const merged = mergedValues(judged);
    const values = rule.values ?? (isInPlace(target) ? "final" : "partial");
    const isOpen = values === "partial" || merged.unknowns.length > 0;
    const { tree, unquoted } = merged;
    const instance = new JudgedValue(tree ?? leafOf(emptyMapping), { isOpen, unquoted });
    const judge = new Judge();
    try {
      const verdict = judge.judge(schema, instance);
      if (verdict === Verdict.undecided) return this.unjudged(applied, judge);
      if (verdict === Verdict.valid) return [];
    } catch (error) {
      if (!(error instanceof GivenUp)) throw error;
      applied.isGivenUp = true;
      return [givenUp(error, judged)];
    }
    return diagnosticsOf(findingsOf(schema, instance), judged, merged);
  }

  /** Once for each schema. */
  private unjudged(applied: AppliedRule, { unjudged }: Judge): Diagnostic[] {
    if (unjudged === undefined || applied.isUnjudged) return [];
    applied.isUnjudged = true;
    return [unjudgedFault(unjudged)];
  }
}

/** A warning: what only the keyword refuses is not found. */
function unjudgedFault({ schema, keyword }: NonNullable<Judge["unjudged"]>): Diagnostic {
  const fault = schemaFault(keywordIn(schema, keyword), "");
  return {
    ...fault,
    code: "schema",
    severity: "warning",
    // A field of the settings names the keyword, too.
    message: `\`${fault.field ?? keyword}\` is not checked`,
    reason: "values that only it refuses are not found, and Helm may refuse them",
    hint: keyword.endsWith("Ref")
      ? "write `$ref` if it names its schema itself"
      : "write `additionalProperties`, or `items`, if the schema names all others itself",
  };
}

/** Reported for the first such target: the schema judges no later target. */
function givenUp({ schema, message: why }: GivenUp, { title }: JudgedTarget): Diagnostic {
  const message = `judging \`${title}\` by this schema is given up: ${why}`;
  const reason = "nothing else is judged by it";
  return schemaFault(schema, message, { reason });
}

/** What is wrong with an invalid value. If finding all of it takes too long, what was found in time. */
function findingsOf(schema: Schema, instance: JudgedValue): Findings {
  const findings = new Findings();
  try {
    new Judge(findings).judge(schema, instance);
  } catch (error) {
    if (!(error instanceof GivenUp)) throw error;
    const says = "does not fit the schema, and why takes too long to find";
    if (findings.all.length === 0) findings.add({ instance, schema, keyword: "", says });
  }
  return findings;
}

/** True for a rule that only sources have targets for: a fold does not see these targets. */
function isForRead({ rule }: AppliedRule): boolean {
  return (rule.targets ?? []).every(({ kind }) => kind !== undefined && factsOf(kind) === undefined);
}

/** True for a ConfigMap or Secret: it contains the values itself. */
function isInPlace(target: JudgedTarget["target"]): boolean {
  return "read" in target && isLayerItem(target);
}

function isOfValues(key: string): boolean {
  return /^values$|\.(?:ya?ml|json)$/.test(key);
}

function withoutKey({ field, rule }: AppliedRule, item: LayerItem, keys: readonly string[]): Diagnostic {
  const { key, option } = rule;
  const lacks = key === undefined ? "no key like `values` or `*.yaml`" : `no key \`${key}\``;
  const named = keys.map((each) => `\`${each}\``).join(", ");
  const setting = option === undefined ? `\`${field}.key\`` : "`key` of a rule in the setting `schemas`";
  return {
    code: "unmatched-selector",
    severity: "warning",
    field: key === undefined || option !== undefined ? field : `${field}.key`,
    ...atItem(item),
    message: `\`${objectText(item)}\` has ${lacks}`,
    reason: `\`${field}\` judges nothing in it`,
    hint: named === "" ? "it has no data" : `it has ${named}: name one under ${setting}`,
  };
}

function unusedRule({ field, rule }: AppliedRule): Diagnostic {
  const isOption = rule.option !== undefined;
  const named = isOption ? field : `${field}.targets`;
  const names = (rule.targets ?? []).flatMap(({ kind, name, namespace }) =>
    kind === undefined || name === undefined ? [] : objectText({ kind, name, namespace }),
  );
  const [only] = names.length === rule.targets?.length ? names : [];
  return {
    code: "unmatched-selector",
    severity: "warning",
    field: named,
    message: `\`${named}\`: no target that has values matches${only !== undefined && isOption ? ` \`${only}\`` : ""}`,
    reason: "no value is checked with this schema",
    hint: isOption
      ? "correct the target before `=`"
      : "correct the names; `targets: []` says that it is only referred to",
  };
}
