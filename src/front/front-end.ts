// What a front end is: one kind of target, turned into stacks, and folded layers turned back into it.
// A front end knows no other, and neither the wire nor the fold knows any.
import type { Diagnostic } from "../diagnostic.ts";
import type { Fold, Layer, Reference, Restoration, Stack } from "../model.ts";
import type { NameIndex } from "../select/names.ts";
import type { Settings } from "../config/settings.ts";
import type { TargetKind } from "../select/annotations.ts";
import type { Edit } from "../wire/envelope.ts";
import type { Item } from "../wire/item.ts";

export interface Surroundings {
  readonly items: readonly Item[];
  readonly names: NameIndex;
  readonly settings: Settings;
  /** Layers annotated into the target, in item order. */
  readonly annotated: readonly Layer[];
  /** Folded items of an earlier run. */
  readonly restorations: readonly Restoration[];
}

export interface Collected {
  readonly stacks: readonly Stack[];
  /** What the target references, restored references included. */
  readonly references: readonly Reference[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface FrontEnd extends TargetKind {
  /** Data key of a folded item. */
  readonly dataKey: string;
  /** Targets that no item is: of kinds that stand alone. */
  targetsIn?(items: readonly Item[], selectors: Settings["targets"]): readonly Item[];
  /** Items that are layers of a target by labels of their own. */
  layersOf?(target: Item, items: readonly Item[]): readonly Item[];
  /** The target's references as they stand. */
  referencesOf(target: Item): readonly Reference[];
  /** Every stack of a target, in the consumer's order. */
  collect(target: Item, around: Surroundings): Collected;
  /** Data keys that go from a target edited in place. */
  goneKeys?(target: Item, folds: readonly Fold[]): readonly string[];
  /** The target's own changes once its runs have folded; a fault where it cannot be changed. */
  rewrite(target: Item, collected: Collected, folds: readonly Fold[]): readonly Edit[] | Diagnostic;
}
