// The words of the flow itself: what every step is given, what is known of the targets, and what the core
// asks of the world while it runs.
import type { LayersByTarget } from "./select/order.ts";
import type { Restoration } from "./model.ts";
import type { NameIndex } from "./select/names.ts";
import type { Holder } from "./refold/restore.ts";
import type { Report } from "./report/report.ts";
import type { SealedDocument } from "./sops/documents.ts";
import type { Settings } from "./config/settings.ts";
import type { Recipients, SopsOutcome } from "./sops/program.ts";
import type { TargetSelection } from "./select/targets.ts";
import type { Item } from "./wire/item.ts";

/** What the core needs of the world: sealed documents opened, or manifests sealed. Answers keep the order. */
export type Need =
  | { readonly open: readonly SealedDocument[]; readonly keys: string | undefined }
  | {
      readonly seal: readonly Uint8Array[];
      readonly recipients: Recipients;
      readonly keys: string | undefined;
    };
export type Supply = readonly SopsOutcome[];

/** A step that may need something of the world before it ends. */
export type Steps<T> = Generator<Need, T, Supply>;

export interface Means {
  readonly settings: Settings;
  readonly report: Report;
}

/** What is known of every target before the first layer is read. */
export interface Prospects {
  readonly selection: TargetSelection;
  readonly names: NameIndex;
  readonly holders: readonly Holder[];
  readonly restorations: ReadonlyMap<Item, readonly Restoration[]>;
  /** Annotated layers that count. */
  readonly annotated: LayersByTarget;
}

/** Folded items whose references take their place again; the others stay as layers. */
export function takenApart(restorations: readonly Restoration[]): readonly Restoration[] {
  return restorations.filter(({ stays }) => !stays);
}
