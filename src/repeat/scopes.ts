// What an entry makes clones for: each instance, or each item inside of it; and values inside of an instance by their path.
import { nearest } from "../diagnostic.ts";
import {
  childrenOf,
  entriesOf,
  type Guarded,
  isMapping,
  isNull,
  isScalar,
  isSequence,
  keyText,
  type Node,
  parsePath,
  scalarText,
  type Step,
  valueOf,
} from "../core/index.ts";
import { fail, failAs, type Failure, isFailure, type RepeatPlace } from "./faults.ts";
import { kindName, instancesIn, type Entry, type Instance, type Scope } from "./model.ts";

/** What an entry makes clones for. */
export function scopesOf(entry: Entry, instances: readonly Instance[]): readonly Scope[] | Failure {
  if (entry.each === undefined) return instances.map((instance) => ({ instance }));
  if (instances.some(({ value }) => value.isSecret)) return ofSecret(entry, entry.each);
  const scopes: Scope[] = [];
  let isKnown = instances.length === 0;
  for (const instance of instances) {
    const items = itemsOf(entry, entry.each, instance);
    if (items !== undefined && isFailure(items)) return items;
    isKnown ||= items !== undefined;
    for (const item of items ?? []) scopes.push({ instance, item });
  }
  return isKnown ? scopes : noInstanceHas(entry, entry.each);
}

/** The keys inside an instance of a Secret are secret: a clone for each key would show it in its record. */
function ofSecret({ repeat }: Entry, each: NonNullable<Entry["each"]>): Failure {
  return failAs(
    "secret-into-configmap",
    { repeat, ...each },
    "what `each` names is in a Secret, and the names of items would leave it",
    "keep the instances in a ConfigMap, or write one instance for each item",
  );
}

/** A path that no instance has is misspelt, more likely than not. */
function noInstanceHas({ repeat }: Entry, each: NonNullable<Entry["each"]>): Failure {
  const path = scalarText(each.node);
  const hint = `correct the path, or write \`${path}: {}\` where there is none so far`;
  return fail({ repeat, ...each }, `no instance has anything at \`${path}\``, hint);
}

/** Undefined for an instance that lacks what `each` names. */
function itemsOf(
  entry: Entry,
  each: NonNullable<Entry["each"]>,
  instance: Instance,
): readonly Instance[] | Failure | undefined {
  const where = { repeat: entry.repeat, ...each };
  const path = scalarText(each.node);
  const steps = parsePath(path);
  if ("wrongAt" in steps) return fail(where, "expected a path in the instance's value", "e.g. `brokers`");
  const items = instancesIn(within(instance, steps, path, where), (value) => {
    if (isFailure(value)) return absent;
    if (isScalar(value.node) && isNull(value.node)) return undefined;
    if (isMapping(value.node)) return value.node;
    return fail(
      where,
      `expected a mapping at \`${path}\` of instance \`${instance.name}\`, got ${kindName(value.node)}`,
      "write each item under a name of its own",
    );
  });
  return "isAbsent" in items ? undefined : items;
}

const absent = { isAbsent: true } as const;

/** A value inside of an instance's own. */
export function within(
  instance: Instance,
  steps: readonly Step[],
  inner: string,
  where: RepeatPlace,
): Guarded<{ readonly node: Node } | Failure> {
  return instance.value.map((value) => {
    let node = valueOf(value);
    for (const step of steps) {
      const next = childAt(node, step);
      if (next === undefined)
        return fail(
          where,
          `instance \`${instance.name}\` has nothing at \`${inner}\``,
          hintFor(node, step, instance),
        );
      node = valueOf(next);
    }
    return { node };
  });
}

function childAt(node: Node, step: Step): Node | undefined {
  const key = keyOf(step);
  if (key !== undefined && isMapping(node)) return entriesOf(node).get(key) ?? spelled(node, key);
  if ("inList" in step && /^\d+$/.test(step.inList) && isSequence(node))
    return childrenOf(node)[Number(step.inList)];
  return undefined;
}

function spelled(node: Node, key: string): Node | undefined {
  return childrenOf(node).findLast((child) => keyText(child) === key);
}

/** Keys below an instance of a Secret are not shown. */
function hintFor(node: Node, step: Step, { name, value }: Instance): string {
  const keys = !value.isSecret && isMapping(node) ? [...entriesOf(node).keys()] : [];
  if (name === "from" && keys.includes("kind") && keys.includes("name"))
    return "to read instances from an item, write `from` in place of `instances`";
  const near = nearest(keyOf(step) ?? "", keys);
  if (near !== undefined) return `did you mean \`${near}\`?`;
  return keys.length === 0
    ? `give instance \`${name}\` that value`
    : `it has ${keys.slice(0, 20).join(", ")}`;
}

export function keyOf(step: Step): string | undefined {
  return "key" in step ? step.key : undefined;
}
