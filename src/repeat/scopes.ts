// What an entry makes clones for: each instance, or each item inside of it; and values inside of an instance by their path.
import { nearest } from "../diagnostic.ts";
import type { Node } from "../yaml/index.ts";
import { parsePath, type Step } from "../merge/index.ts";
import { refusal, refusalAs, type Refused, type RepeatPlace } from "./faults.ts";
import { follow, keyOf } from "./follow.ts";
import { type CloneEntry, type RepeatInstance, instancesIn, kindName, type Scope } from "./model.ts";

/** What an entry makes clones for. */
export function scopesOf(
  { each, repeat }: CloneEntry,
  instances: readonly RepeatInstance[],
): readonly Scope[] {
  if (each === undefined) return instances.map((instance) => ({ instance }));
  const where = { repeat, ...each };
  if (instances.some(({ value }) => value.isSecret)) throw namesOfSecret(where);
  const path = each.text;
  const steps = parsePath(path);
  if ("wrongAt" in steps) throw refusal(where, "expected a path in the instance's value", "e.g. `brokers`");
  const scopes: Scope[] = [];
  let isKnown = instances.length === 0;
  for (const instance of instances) {
    const items = instancesIn(instance.value, (value) => {
      const { node, left } = follow(value, steps);
      isKnown ||= left.length === 0;
      return left.length > 0 ? undefined : itemsAt(node.value, path, instance, where);
    });
    for (const item of items) scopes.push({ instance, item });
  }
  if (isKnown) return scopes;
  // A path that no instance has is misspelt, more likely than not.
  const hint = `correct the path, or write \`${path}: {}\` into an instance`;
  throw refusal(where, `no instance has anything at \`${path}\``, hint);
}

function itemsAt(node: Node, path: string, { name }: RepeatInstance, where: RepeatPlace): Node | undefined {
  if (node.isMapping) return node;
  if (node.isScalar && node.isNull) return undefined;
  throw refusal(
    where,
    `expected a mapping at \`${path}\` of instance \`${name}\`, got ${kindName(node)}`,
    "write each item under a name of its own",
  );
}

/** The keys inside an instance of a Secret are secret: a clone for each key would show it in its record. */
function namesOfSecret(where: RepeatPlace): Refused {
  return refusalAs(
    "secret-into-configmap",
    where,
    "what `each` names is in a Secret, and the names of items would show it",
    "keep the instances in a ConfigMap, or write one instance for each item",
  );
}

/** A value inside of an instance's own. @param path the same as the steps, for messages */
export function within(
  instance: RepeatInstance,
  value: Node,
  steps: readonly Step[],
  { path, where }: { readonly path: string; readonly where: RepeatPlace },
): Node {
  const { node, left } = follow(value, steps);
  if (left.length === 0) return node.value;
  const message = `instance \`${instance.name}\` has nothing at \`${path}\``;
  throw refusal(where, message, hintFor(node.value, left[0], instance));
}

/** Keys below an instance of a Secret are not shown. */
function hintFor(node: Node, step: Step | undefined, { name, value }: RepeatInstance): string {
  const keys = !value.isSecret && node.isMapping ? [...node.entries().keys()] : [];
  if (name === "from" && keys.includes("kind") && keys.includes("name"))
    return "to read instances from an item, write `from` in place of `instances`";
  const near = nearest(keyOf(step) ?? "", keys);
  if (near !== undefined) return `did you mean \`${near}\`?`;
  return keys.length === 0
    ? `give instance \`${name}\` that value`
    : `it has ${keys.slice(0, 20).join(", ")}`;
}
