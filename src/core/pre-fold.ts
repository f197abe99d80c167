// The values of data keys after folding, for a stage that needs them before the fold: the same fold, of in-place targets
// only, and nothing is written.
import type { Settings } from "../settings/index.ts";
import type { Context } from "./context.ts";
import type { Diagnostic } from "../diagnostic.ts";
import { inPlaceKinds } from "../kinds.ts";
import { type GuardedText, isText, Holdings, LayerReader } from "../layers/index.ts";
import { planFolds } from "./plan.ts";
import { Report } from "../report/index.ts";
import type { Steps } from "./sops/need.ts";
import { Mark, type Item } from "../krm/index.ts";

/** What data keys hold once their items have folded. */
export interface FoldedData {
  keysOf(item: Item): readonly string[];
  /** Undefined if the item has no such key. */
  textOf(item: Item, key: string): GuardedText | { readonly why: string } | undefined;
}

/** The selectors of the setting `targets`, limited to kinds that fold in place. */
function inPlaceOnly(targets: Settings["targets"]): Settings["targets"] {
  return (targets ?? [{}]).flatMap((selector) =>
    inPlaceKinds
      .filter((kind) => (selector.kind ?? kind) === kind)
      .map((kind) => Object.assign({}, selector, { kind })),
  );
}

/** A layer without a target may fold into a clone: the fold reports it, once the clones exist. */
function isReported({ severity, code }: Diagnostic): boolean {
  return severity === "error" && code !== "orphan-layer";
}

/** Faults of these folds go to the context's report; the fold itself would report them again. */
export function* preFold(items: readonly Item[], context: Context): Steps<FoldedData> {
  const holdings = new Holdings(true, context.purpose !== "output");
  const isNeeded = items.some(({ annotations }) =>
    /(?:ConfigMap|Secret)\//.test(annotations.get(Mark.into) ?? ""),
  );
  if (isNeeded || context.settings.sops !== undefined) {
    const { onStack: _, ...quiet } = context;
    const report = new Report();
    const settings = { ...context.settings, targets: inPlaceOnly(context.settings.targets) };
    yield* planFolds(items, {
      ...quiet,
      settings,
      report,
      holdings,
      layers: new LayerReader(holdings),
      purpose: "look",
    });
    context.report.all(report.diagnostics.filter(isReported));
  }
  return {
    keysOf: (item) => holdings.keysOf(item),
    textOf: (item, key) => {
      if (holdings.isSealed(item, key)) return { why: "it is encrypted: set `sops` to decrypt it" };
      // A clone would not know where it is from.
      if (holdings.isTaken(item, key)) return { why: "a build took it from a Secret" };
      const text = holdings.textOf(item, key);
      return text === undefined || isText(text) ? text : { why: text.message };
    },
  };
}
