// What every step of the flow is given, and what is known of the targets before the first layer is read.
import type { Settings } from "./config/settings.ts";
import type { Holdings } from "./layer/holdings.ts";
import type { LayerReader } from "./layer/layers.ts";
import type { Apart, OwnReferences, Restoration, Run, Stack, Target } from "./model.ts";
import type { Holder } from "./refold/holders.ts";
import type { Report } from "./report/report.ts";
import type { NameIndex } from "./select/names.ts";
import type { LayersByTarget } from "./select/order.ts";
import type { Item } from "./wire/item.ts";
import type { TargetSelection } from "./select/targets.ts";

/**
 * To write the output; to say where each value of each fold comes from; to look at what would fold; or only at what lies in
 * stacks, and where layers of them tie.
 */
type Purpose = "output" | "origins" | "look" | "lint";

export interface Context {
  readonly settings: Settings;
  readonly report: Report;
  readonly holdings: Holdings;
  readonly layers: LayerReader;
  /** True where annotated layers are removed once they are folded: nothing about them is remembered then. */
  readonly prunes: boolean;
  /** Folded items of an output written earlier: their seals are kept where nothing has changed. */
  readonly previous: readonly Item[];
  /** Why the run is made: where nothing will be written, nothing is sealed. */
  readonly purpose: Purpose;
  /** Called once for each stack of a target, while its documents are at hand and before its result goes into the target. */
  readonly onStack?: (outcome: StackOutcome, all: readonly Stack[], survey: Survey) => void;
}

/** A stack, and what a fold makes of it: no runs where it was not asked to fold. */
export interface StackOutcome {
  readonly stack: Stack;
  readonly runs?: readonly Run[];
  readonly apart: readonly Apart[];
}

export interface Survey {
  readonly selection: TargetSelection;
  readonly names: NameIndex;
  /** What each target references as it came. */
  readonly own: ReadonlyMap<Target, OwnReferences>;
  readonly holders: readonly Holder[];
  /** Folded items that stay and hold layers which are there. */
  readonly holds: ReadonlySet<Item>;
  /** Layers that valuefold marked `local-config` in an earlier run. */
  readonly marked: ReadonlySet<Item>;
  readonly restorations: ReadonlyMap<Target, readonly Restoration[]>;
  /** Folded items that an error is about. */
  readonly refused: ReadonlySet<Item>;
  /** Annotated layers that count. */
  readonly annotated: LayersByTarget;
}
