// The door of the core: the fold.
export type { Context, SchemaCheck, StackOutcome, Survey, Wings } from "./context.ts";
export type { Plan } from "./emit/assembly.ts";
export { replacing, sameEntries } from "./emit/emit.ts";
export { nameReferencesOf } from "./emit/name-references.ts";
export { neverAppliedLayer } from "./emit/never-applied.ts";
export { type FieldPlace, eachScalar, kindsNamedAt } from "./emit/reference-fields.ts";
export { Spans } from "./emit/spans.ts";
export { count } from "./emit/summary.ts";
export { findUses } from "./emit/uses.ts";
export {
  type FoldInput,
  beginRun,
  diagnosticsOfRun,
  folding,
  isRepeat,
  supplied,
  unsupplied,
} from "./fold.ts";
export { componentsIn, dataKeyFor, inlineOf, isComponent, isInPlace, referencesOf } from "./front/all.ts";
export { planFolds } from "./plan.ts";
export { type FoldedData, preFold } from "./pre-fold.ts";
export { readRecord } from "./refold/record.ts";
export { NameIndex, allNamesOf, hasName } from "./select/names.ts";
export { NearMisses, notInList } from "./select/near-misses.ts";
export { isRecordedAs } from "./select/order.ts";
export { type TargetSelection, selectTargets } from "./select/targets.ts";
export { wantedTarget } from "./select/wanted-target.ts";
export { sealedDocumentsOf } from "./sops/documents.ts";
export {
  awaiting,
  type KnownRecipients,
  type Need,
  type Recipients,
  type SealedText,
  type Steps,
  type Supply,
} from "./sops/need.ts";
export { environmentOf } from "./sops/environment.ts";
export { type Edge, sopsWith } from "./sops/program.ts";
export { holdsText } from "./sops/seal.ts";
export { recipientsOfFile, sealedFormOf, tidy } from "./sops/sealed-form.ts";
export { judgedTarget } from "./stack/judged.ts";
export { diagnosticsOf, valuesHint } from "./stack/layer-faults.ts";
export { RulesOfTargets } from "./stack/rules.ts";
export { type Protection, isForTarget, permissionText, protectionsFor } from "./stack/protection.ts";
export { foldedAlone } from "./stack/runs.ts";
export { sopsFaults } from "./stack/sops-faults.ts";
export { type ReadEntry, readStack, readToFold } from "./stack/stack-entries.ts";
