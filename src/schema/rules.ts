// The rules of the setting `schemas` with their compiled schemas: made once per run, however many targets there are.
import {
  type Context,
  hashSuffix,
  isForTarget,
  isLayerItem,
  type Item,
  type LayerItem,
  type Stack,
  type Target,
} from "../core/index.ts";
import type { Diagnostic } from "../diagnostic.ts";
import { SchemaSet } from "./reader.ts";
import { faultOf, type PlaceOf, type SchemaPlace } from "./faults.ts";
import type { Schema, Source } from "./schema.ts";
import { findSchema, type Rule } from "./sources.ts";

/** A rule with its schema. */
export interface Applied {
  readonly rule: Rule;
  /** As messages name it. */
  readonly field: string;
  /** Absent where it cannot be read. */
  readonly schema: Schema | undefined;
  readonly placeOfSchema: PlaceOf;
  /** True once judging by it took too long. */
  isGivenUp: boolean;
}

export interface Schemas {
  readonly applied: readonly Applied[];
  readonly faults: readonly Diagnostic[];
}

/** By what is one in a run. */
const known = new WeakMap<object, Schemas>();

export function schemasOf(items: readonly Item[], context: Context): Schemas {
  const found = known.get(context.holdings) ?? compiled(items, context);
  known.set(context.holdings, found);
  return found;
}

function compiled(items: readonly Item[], context: Context): Schemas {
  const set = new SchemaSet();
  const places = new Map<Source, SchemaPlace>();
  const byName = new Map<string, Schema>();
  const faults: Diagnostic[] = [];
  const placeOfSchema: PlaceOf = ({ source }) => places.get(source) ?? { position: { text: source.name } };
  const rules: readonly Rule[] = context.settings.schemas ?? [];
  const applied = rules.map((rule, index): Applied => {
    const field = rule.option ?? `spec.schemas[${index}]`;
    const found = findSchema(rule, field, items, context);
    let schema: Schema | undefined;
    if ("fault" in found) faults.push(found.fault);
    else {
      const { source, root, ...place } = found;
      places.set(source, place);
      schema = byName.get(source.name) ?? set.add(source, root);
      byName.set(source.name, schema);
    }
    return { rule, field, schema, placeOfSchema, isGivenUp: false };
  });
  const wrong = set.finish().map((fault) => faultOf(fault, placeOfSchema));
  return { applied, faults: [...faults, ...wrong] };
}

/** A ConfigMap or Secret is meant only by its kind: a chart's schema is not for the layers beside it. */
export function holdsFor({ rule }: Applied, target: Target): boolean {
  const { targets } = rule;
  if (!("read" in target) || !isLayerItem(target)) return isForTarget(target, rule);
  return isForTarget(target, { targets: namedOf(target, targets) });
}

/** The selectors of a ConfigMap's kind; what kustomize generates is named by what it was before the hash, too. */
function namedOf({ kind, name }: LayerItem, targets: Rule["targets"] = []): NonNullable<Rule["targets"]> {
  const plain = name.replace(hashSuffix, "");
  return targets
    .filter((each) => each.kind === kind)
    .map((each) => (each.name === plain ? { ...each, name } : each));
}

/** True for a ConfigMap or Secret that the rule calls by its name. */
export function isNamed({ rule }: Applied, item: LayerItem): boolean {
  return isForTarget(item, { targets: namedOf(item, rule.targets).filter(({ name }) => name !== undefined) });
}

/** Of a target edited in place each data key is a document of its own; a text that is replaced whole is none. */
export function holdsIn({ rule }: Applied, { into }: Stack): boolean {
  return into === undefined || (into.format !== "text" && (rule.key ?? into.key) === into.key);
}
