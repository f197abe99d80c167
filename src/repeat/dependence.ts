// Instances that depend on clones would change with every run: clones fold behind the Repeats that read instances.
import { describe, type Item } from "../wire/item.ts";
import { Mark } from "../wire/annotation-names.ts";
import { told, type Told } from "./faults.ts";
import { isResource, type Repeat } from "./model.ts";
import type { Spec } from "./read.ts";

/** A fault where a template or a clone is a layer of what a Repeat reads its instances from. */
export function dependence(
  repeat: Item,
  { plain: { from } }: Spec,
  items: readonly Item[],
  repeats: readonly Repeat[],
): Told | undefined {
  if (from === undefined) return undefined;
  const isCloned = ({ kind, name, annotations }: Item): boolean =>
    annotations.has(Mark.repeatedFrom) ||
    repeats.some(({ entries }) =>
      entries.some((entry) => isResource(entry) && entry.kind === kind && entry.name === name),
    );
  const layer = items.find((item) => folds(item, from) && isCloned(item));
  if (layer === undefined) return undefined;
  return told(
    "repeat-target",
    { repeat, field: "spec.from" },
    `\`${describe(layer)}\`, a layer of \`${from.kind}/${from.name}\`, is a template or a clone: instances would depend on clones`,
    "keep the instances in an item that no clone folds into",
    [layer],
  );
}

/** True for a layer that says itself that it folds into an item. */
function folds(
  { annotations }: Item,
  { kind, name }: { readonly kind: string; readonly name: string },
): boolean {
  const targets = (annotations.get(Mark.into) ?? "").split(",").map((each) => each.trim().split("/"));
  return targets.some(
    (parts) => parts[0] === kind && parts.slice(1).some((each) => each.split("#")[0] === name),
  );
}
