// Which items the setting `targets` means: exact matches, as kpt's selectors are.
import { labelsOf } from "../../layers/index.ts";
import { factsOf } from "../../kinds.ts";
import { hasName } from "./names.ts";
import type { Settings } from "../../settings/index.ts";
import { type Diagnostic, meantOr, type Suggestions } from "../../diagnostic.ts";
import { objectText } from "../../object-id.ts";
import type { Item } from "../../krm/index.ts";

/** As settings write one. */
export interface ItemSelector {
  readonly kind?: string | undefined;
  readonly name?: string | undefined;
  readonly namespace?: string | undefined;
  readonly labels?: NonNullable<Settings["targets"]>[number]["labels"];
}

/** Without selectors every item of every kind is meant. */
export function isSelected(item: Item, selectors: readonly ItemSelector[] | undefined): boolean {
  return selectors === undefined || selectors.some((selector) => matches(item, selector));
}

/** Selectors that no item matches: perhaps misspelt, so that a target is not folded. */
export function unmatched(
  items: readonly Item[],
  selectors: Settings["targets"],
  suggestions: Suggestions,
): Diagnostic[] {
  const idle = (selectors ?? []).filter(
    (selector) => !isWithoutItem(selector) && !items.some((item) => matches(item, selector)),
  );
  return idle.map((selector) => {
    const field = `spec.targets[${(selectors ?? []).indexOf(selector)}]`;
    const { kind, name } = selector;
    const alike = items.filter((item) => (kind ?? item.kind) === item.kind);
    const near =
      name === undefined ? undefined : suggestions.nearest(name, () => alike.map((item) => item.name));
    const known = alike.find((item) => item.name === name);
    return {
      code: "unmatched-selector",
      severity: "warning",
      field,
      message: `\`${field}\`: no item matches this selector`,
      hint:
        known !== undefined
          ? `the list has \`${objectText(known)}\`: its namespace or labels differ`
          : meantOr(near, "remove it, or correct it"),
    };
  });
}

/** True if a selector names targets that no item of the list is. */
function isWithoutItem({ kind }: ItemSelector): boolean {
  return kind !== undefined && factsOf(kind)?.withoutItem === true;
}

function matches(item: Item, { kind, name, namespace, labels }: ItemSelector): boolean {
  const named =
    (kind ?? item.kind) === item.kind &&
    (name === undefined || hasName(item, name)) &&
    (namespace ?? item.namespace) === item.namespace;
  return named && hasLabels(item, labels);
}

export function hasLabels(item: Item, labels: ItemSelector["labels"]): boolean {
  if (labels === undefined) return true;
  const own = labelsOf(item);
  return Object.entries(labels).every(([key, value]) => own.get(key) === value);
}
