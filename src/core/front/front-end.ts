// What a front end is: the code of one kind of target, which turns it into stacks, and folded layers back into it. The
// facts of a kind are in kinds.ts.
// A front end knows no other, and neither the wire nor the fold knows any. It gets what ConfigMaps and Secrets
// hold as guarded text, which comes out only for an item that may hold it.
import type { Settings } from "../../settings/index.ts";
import type { Diagnostic } from "../../diagnostic.ts";
import type {
  HeldTexts,
  Component,
  Fold,
  Layer,
  OwnReferences,
  Reference,
  Restoration,
  Stack,
} from "../../layers/index.ts";
import type { NameIndex } from "../select/names.ts";
import type { TextEdit, Item } from "../../krm/index.ts";
import type { Node } from "../../yaml/index.ts";

export const noReferences: OwnReferences = { references: [], diagnostics: [] };

export interface Surroundings {
  readonly items: readonly Item[];
  readonly names: NameIndex;
  readonly settings: Settings;
  readonly holdings: HeldTexts;
  /** True if a layer can be read: not sealed, one key, no fault in it. */
  readonly isReadable: (layer: Layer) => boolean;
  /** The references of the target. */
  readonly own: OwnReferences;
  /** Layers annotated into the target, in item order. */
  readonly annotated: readonly Layer[];
  /** True where annotated layers are removed once they are folded. */
  readonly prunes: boolean;
  /** Folded items that stay, with layers that are in the list. */
  readonly containsListedLayers: ReadonlySet<Item>;
  /** Layers that valuefold marked `local-config` in an earlier run. */
  readonly markedByUs: ReadonlySet<Item>;
  /** Folded items of an earlier run. */
  readonly restorations: readonly Restoration[];
}

export interface Collected {
  readonly stacks: readonly Stack[];
  /** The references of the target, restored ones included. */
  readonly references: readonly Reference[];
  readonly diagnostics: readonly Diagnostic[];
  /** True for a target edited in place that records which keys were folded: if its layers stay for the next run. */
  readonly remembers?: boolean;
}

/** Targets that are items: they receive the values by reference or in their own data. */
export interface ItemFrontEnd {
  /** The target's references in the input. */
  referencesOf(target: Item): OwnReferences;
  /** Every stack of a target, in the consumer's order. */
  collect(target: Item, around: Surroundings): Collected;
  /** Values of the target itself, over all its layers: the mapping in it. */
  inlineOf?(target: Item): Node | undefined;
  /** Data keys that are removed from a target edited in place. */
  goneKeys?(target: Item, folds: readonly Fold[]): readonly string[];
  /** The target's own changes once its runs have folded; a fault where it cannot be changed. */
  rewrite(
    target: Item,
    collected: Collected,
    folds: readonly Fold[],
    holdings: HeldTexts,
  ): readonly TextEdit[] | Diagnostic;
}

/** Targets without an item: consumers name the folded items. */
export interface ComponentFrontEnd {
  /** The components that items name, if a selector asks for them. */
  componentsIn(items: readonly Item[], selectors: Settings["targets"]): readonly Component[];
  collect(component: Component, around: Surroundings): Collected;
}
