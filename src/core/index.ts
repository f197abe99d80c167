// The door of the core: the fold, and the documents that it reads and writes.
export * from "./yaml/index.ts";
export * from "./wire/index.ts";
export * from "./merge/index.ts";
export * from "./report/index.ts";
export * from "./config/index.ts";
export * from "./layer/index.ts";
export * from "./select/index.ts";
export * from "./refold/index.ts";
export * from "./stack/index.ts";
export * from "./front/index.ts";
export * from "./sops/index.ts";
export * from "./emit/index.ts";
export type { Context, SchemaCheck, StackOutcome, Survey, Wings } from "./context.ts";
export { isOff } from "./layer/treatment.ts";
export { beginRun, diagnosticsOfRun, folding, isRepeat, type Request, supplied, unsupplied } from "./fold.ts";
export { grouped } from "./grouped.ts";
export {
  factsOf,
  appKind,
  helmReleaseKind,
  inPlaceKinds,
  kindNames,
  layerLabels,
  referenceFieldsOf,
  referencingKinds,
  targetKinds,
  usualDataKeys,
} from "./kinds.ts";
export type {
  Barrier,
  Fold,
  Layer,
  LayerItem,
  RecordedLayer,
  Reference,
  Restoration,
  Run,
  RunEnd,
  Stack,
  Target,
} from "./model.ts";
export { planFolds } from "./plan.ts";
export { type FoldedData, preFold } from "./pre-fold.ts";
