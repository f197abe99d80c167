// The context of every step, and the survey of the targets before the first layer is read.
import type { Settings } from "../settings/index.ts";
import type {
  Holdings,
  JudgedTarget,
  LayerReader,
  RunEnd,
  OwnReferences,
  Restoration,
  Run,
  Stack,
  Target,
} from "../layers/index.ts";
import type { TargetReferences } from "./refold/folded-target.ts";
import type { Diagnostic } from "../diagnostic.ts";
import type { Steps } from "./sops/need.ts";
import type { Envelope, Item } from "../krm/index.ts";
import type { Report } from "../report/index.ts";
import type { NameIndex } from "./select/names.ts";
import type { LayersByTarget } from "./select/order.ts";
import type { TargetSelection } from "./select/targets.ts";

/**
 * Why a run plans folds. `output` writes them. `look` shows what would fold. `lint-fold` finds what is wrong or odd in that.
 * `lint` finds what is odd in layers, and folds only where ties and rules need it.
 */
type Purpose = "output" | "look" | "lint-fold" | "lint";

export interface Context {
  readonly wings: Wings;
  readonly settings: Settings;
  readonly report: Report;
  readonly holdings: Holdings;
  readonly layers: LayerReader;
  /** True if annotated layers are removed once they are folded: then no record of them is kept. */
  readonly prunes: boolean;
  /** Folded items of an earlier output: their seals are kept if nothing has changed. */
  readonly previous: readonly Item[];
  /** True if the output takes the place of the input. */
  readonly replacesInput: boolean;
  /** Without an output nothing is sealed. */
  readonly purpose: Purpose;
  /** Called once per stack, while its documents are loaded and before its result goes into the target. */
  readonly onStack?: (outcome: StackOutcome, all: readonly Stack[], survey: Survey) => void;
}

/** A stack and its folds: no runs if it did not have to fold. */
export interface StackOutcome {
  readonly stack: Stack;
  readonly runs?: readonly Run[];
  readonly runEnds: readonly RunEnd[];
}

export interface Survey {
  readonly selection: TargetSelection;
  readonly names: NameIndex;
  /** The references of each target in the input. */
  readonly own: ReadonlyMap<Target, OwnReferences>;
  readonly targetReferences: readonly TargetReferences[];
  /** Folded items that stay, with layers that are in the list. */
  readonly containsListedLayers: ReadonlySet<Item>;
  /** Layers that valuefold marked `local-config` in an earlier run. */
  readonly markedByUs: ReadonlySet<Item>;
  readonly restorations: ReadonlyMap<Target, readonly Restoration[]>;
  /** Folded items with an error. */
  readonly refused: ReadonlySet<Item>;
  /** Annotated layers that apply. */
  readonly annotated: LayersByTarget;
}

/** What a fold asks of the wings that know it: the core imports none of them. */
export interface Wings {
  /** The list with the clones of its Repeats; it comes back unchanged without Repeats, or if one has a fault. */
  readonly repeated: (envelope: Envelope, context: Context) => Steps<Envelope>;
  /** Called only if the setting `schemas` is there. Faults of the schemas themselves go to the context's report. */
  readonly checkSchemas: (items: readonly Item[], context: Context) => SchemaCheck;
}

export interface SchemaCheck {
  /** What all known values of a target break. */
  faultsOf(judged: JudgedTarget): Diagnostic[];
  /** Once every target is checked: ConfigMaps that nothing folds into, and rules that match no target. */
  finish(): Diagnostic[];
}
