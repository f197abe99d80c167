// Which items are Kyma overrides, and in which order they apply.
import { Mark, type Item, atItem } from "../../../krm/index.ts";
import type { Diagnostic } from "../../../diagnostic.ts";
import { isLayerItem, labelsOf, type LayerItem } from "../../../layers/index.ts";
import { kymaKind } from "../../../kinds.ts";

export const overridesLabel = kymaKind.layerLabel;
export const componentLabel = "component";
export const orderLabel = "install-order";

/** One override: its data key, the path of the key, and whether Flux may substitute variables in it. */
export interface Flat {
  readonly key: string;
  readonly path: readonly string[];
  readonly holdsVariable: boolean;
}

/** One ConfigMap or Secret of overrides. */
export interface Override {
  readonly item: LayerItem;
  /** True if it applies to every component. */
  readonly isCommon: boolean;
  /** Its install-order. */
  readonly order: number;
  readonly flat: readonly Flat[];
}

/** Items labelled as overrides, in item order. */
export function overridesIn(items: readonly Item[]): LayerItem[] {
  return items
    .filter(isLayerItem)
    .filter(
      (item) =>
        item.name !== "" &&
        !item.annotations.has(Mark.foldedFrom) &&
        item.annotations.get(Mark.fold) !== "false" &&
        labelsOf(item).get(overridesLabel) === "overrides",
    );
}

/** Smaller ones are applied first; 0 where the label is not set. */
export function orderOf(item: Item): { order: number; fault?: Diagnostic } {
  const text = labelsOf(item).get(orderLabel);
  if (text === undefined) return { order: 0 };
  const order = /^[0-9]{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isNaN(order)) return { order };
  const fault: Diagnostic = {
    code: "invalid-priority",
    severity: "error",
    ...atItem(item),
    field: `metadata.labels[${orderLabel}]`,
    message: `\`${orderLabel}\`: expected a positive whole number, got \`${text}\``,
    hint: "correct the label, or drop it for the default 0",
  };
  return { order: 0, fault };
}

/** A component needs a name other than that of the common values. */
export function wrongComponent(item: Item, got: string): Diagnostic {
  return {
    code: "invalid-annotation",
    severity: "error",
    ...atItem(item),
    field: `metadata.labels[${componentLabel}]`,
    message: `\`${componentLabel}\`: expected the name of a component, got \`${got}\``,
    hint: "name the release, or drop the label for values common to all",
  };
}
