// Which items the setting `targets` means: exact matches, as kpt's selectors are.
import { labelsOf } from "../layer/metadata.ts";
import { hasName } from "./names.ts";
import type { Settings } from "../config/settings.ts";
import type { Item } from "../wire/item.ts";

type Selector = NonNullable<Settings["targets"]>[number];

/** Without selectors every item of every kind is meant. */
export function isSelected(item: Item, selectors: Settings["targets"]): boolean {
  return selectors === undefined || selectors.some((selector) => matches(item, selector));
}

function matches(item: Item, { kind, name, namespace, labels }: Selector): boolean {
  const named =
    (kind ?? item.kind) === item.kind &&
    (name === undefined || hasName(item, name)) &&
    (namespace ?? item.namespace) === item.namespace;
  return named && hasLabels(item, labels);
}

export function hasLabels(item: Item, labels: Selector["labels"]): boolean {
  if (labels === undefined) return true;
  const own = labelsOf(item);
  return Object.entries(labels).every(([key, value]) => own.get(key) === value);
}
