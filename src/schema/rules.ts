// The rules of the setting `schemas` with their compiled schemas: compiled once per run, for all targets.
import { type Context, isForTarget } from "../core/index.ts";
import { isLayerItem, type JudgedStack, type JudgedTarget, type LayerItem } from "../layers/index.ts";
import type { Item } from "../krm/index.ts";
import type { Diagnostic } from "../diagnostic.ts";
import { hashless } from "../object-id.ts";
import { SchemaSet } from "./reader.ts";
import type { Schema } from "./schema.ts";
import { findSchema, type SchemaRule } from "./sources.ts";

/** A rule with its schema. */
export interface AppliedRule {
  readonly rule: SchemaRule;
  /** As messages name the rule. */
  readonly field: string;
  /** Absent if it cannot be read. */
  readonly schema: Schema | undefined;
  /** The targets that it has judged. */
  readonly judged: Set<JudgedTarget["target"]>;
  /** True once judging by it has taken too long. */
  isGivenUp: boolean;
  /** True once it is reported that a keyword of it is not checked. */
  isUnjudged: boolean;
}

export interface Schemas {
  readonly applied: readonly AppliedRule[];
  readonly faults: readonly Diagnostic[];
}

/** By an object that each run has exactly one of. */
const known = new WeakMap<object, Schemas>();

export function schemasOf(items: readonly Item[], context: Context): Schemas {
  const found = known.get(context.holdings) ?? compiled(items, context);
  known.set(context.holdings, found);
  return found;
}

function compiled(items: readonly Item[], context: Context): Schemas {
  const set = new SchemaSet();
  const byName = new Map<string, Schema>();
  const faults: Diagnostic[] = [];
  const rules: readonly SchemaRule[] = context.settings.schemas ?? [];
  const applied = rules.map((rule, index): AppliedRule => {
    const field = rule.option ?? `spec.schemas[${index}]`;
    const found = findSchema(rule, field, items, context);
    let schema: Schema | undefined;
    if ("code" in found) faults.push(found);
    else {
      const { source, root } = found;
      const name = source.position.text;
      schema = byName.get(name) ?? set.add(source, root);
      byName.set(name, schema);
    }
    return { rule, field, schema, judged: new Set(), isGivenUp: false, isUnjudged: false };
  });
  return { applied, faults: [...faults, ...set.finish()] };
}

/** A rule applies to a ConfigMap or Secret only if it names that kind: a chart's schema does not fit single layers. */
export function appliesTo({ rule }: AppliedRule, target: JudgedTarget["target"]): boolean {
  const { targets } = rule;
  if (!("read" in target) || !isLayerItem(target)) return isForTarget(target, rule);
  return isForTarget(target, { targets: namedOf(target, targets) });
}

/** The selectors of a ConfigMap's kind. They may name a generated item as it was before kustomize added the hash. */
function namedOf(
  { kind, name }: LayerItem,
  targets: SchemaRule["targets"] = [],
): NonNullable<SchemaRule["targets"]> {
  const plain = hashless(name);
  return targets
    .filter((each) => each.kind === kind)
    .map((each) => (each.name === plain ? { ...each, name } : each));
}

/** True for a ConfigMap or Secret that the rule selects by name. */
export function isNamed({ rule }: AppliedRule, item: LayerItem): boolean {
  return isForTarget(item, { targets: namedOf(item, rule.targets).filter(({ name }) => name !== undefined) });
}

/** In a target edited in place each data key is a separate document. Text that is replaced whole is not judged. */
export function appliesIn({ rule }: AppliedRule, { into }: Pick<JudgedStack, "into">): boolean {
  return into === undefined || (into.format !== "text" && (rule.key ?? into.key) === into.key);
}
