// Whom an entry makes clones for: each instance, or each item inside of them.
import { parsePath } from "../merge/path.ts";
import { isNull } from "../yaml/resolve.ts";
import { scalarText } from "../yaml/scalar.ts";
import { isMapping, isScalar } from "../yaml/tape.ts";
import { isTold, told, type Told } from "./faults.ts";
import { within } from "./instance-value.ts";
import { instancesIn } from "./mapping.ts";
import type { Entry, Instance, Scope } from "./model.ts";
import { kindName } from "./conversions.ts";

/** What an entry makes clones for. */
export function scopesOf(entry: Entry, instances: readonly Instance[]): readonly Scope[] | Told {
  if (entry.each === undefined) return instances.map((instance) => ({ instance }));
  if (instances.some(({ secret }) => secret)) return ofSecret(entry, entry.each);
  const scopes: Scope[] = [];
  let isKnown = instances.length === 0;
  for (const instance of instances) {
    const items = itemsOf(entry, entry.each, instance);
    if (items !== undefined && isTold(items)) return items;
    isKnown ||= items !== undefined;
    for (const item of items ?? []) scopes.push({ instance, item });
  }
  return isKnown ? scopes : nobodyHas(entry, entry.each);
}

/** Below its names a Secret's mapping is secret, keys included: a clone for each would show them in its record. */
function ofSecret({ repeat }: Entry, each: NonNullable<Entry["each"]>): Told {
  return told(
    "secret-into-configmap",
    { repeat, ...each },
    "what `each` names is in a Secret, and the names of items would leave it",
    "keep the instances in a ConfigMap, or write one instance for each item",
  );
}

/** A path that no instance has is misspelt, more likely than not. */
function nobodyHas({ repeat }: Entry, each: NonNullable<Entry["each"]>): Told {
  const path = scalarText(each.node);
  const hint = `correct the path, or write \`${path}: {}\` where there is none so far`;
  return told("repeat-path", { repeat, ...each }, `no instance has anything at \`${path}\``, hint);
}

/** Undefined for an instance that lacks what `each` names. */
function itemsOf(
  entry: Entry,
  each: NonNullable<Entry["each"]>,
  instance: Instance,
): readonly Instance[] | Told | undefined {
  const where = { repeat: entry.repeat, ...each };
  const path = scalarText(each.node);
  const steps = parsePath(path);
  if ("wrongAt" in steps)
    return told("repeat-path", where, "expected a path in the instance's value", "e.g. `brokers`");
  const found = within(instance, steps, path, where);
  if (isTold(found)) return undefined;
  const value = "node" in found ? found.node : undefined;
  if (value === undefined || (isScalar(value) && isNull(value))) return [];
  if (!isMapping(value))
    return told(
      "repeat-path",
      where,
      `expected a mapping at \`${path}\` of instance \`${instance.name}\`, got ${kindName(value)}`,
      "write each item under a name of its own",
    );
  return instancesIn(value, false);
}
