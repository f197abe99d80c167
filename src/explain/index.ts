// The door of questions: explain, values, diff, verify, and their views.
export { renderAnnotated } from "./annotate.ts";
export { renderAnswers } from "./answers-view.ts";
export type { Chain, ChainDocument, ChainValue } from "./chain.ts";
export type {
  ChartPatches,
  HelmText,
  ObjectPath,
  PatchedChart,
  PatchedField,
  PatchedObject,
  PatchingStep,
} from "./chart-patches.ts";
export { Comparing, pathSteps } from "./compare/compare.ts";
export { comparisonCsv, comparisonMarkdown } from "./compare/tables.ts";
export { renderComparison } from "./compare/view.ts";
export { differenceOf, type BuildPair } from "./diff/diff.ts";
export { renderMarkdown } from "./diff/markdown.ts";
export { stepOf } from "./diff/upgrades.ts";
export { renderDifference } from "./diff/view.ts";
export { type Explained, explaining } from "./explain.ts";
export { finalValues, type ValuesRequest } from "./final-values.ts";
export { badPath } from "./narrow.ts";
export { isOnPath } from "./manifest-values.ts";
export { markdownManifests, renderEffects, renderManifests } from "./manifests-view.ts";
export { takenFromSecret } from "./missing-values.ts";
export { givenValues } from "./given-values.ts";
export { withoutSecrets } from "./without-secrets.ts";
export { inBrackets, newScalar, oneLine } from "./one-line.ts";
export {
  chainDocument,
  asHelmReads,
  fileDocument,
  hasOpenBlock,
  type NamedLayer,
  listedDocument,
  positionOf,
  type ReadDocument,
  type StackDocument,
  textDocument,
  unseenDocument,
  withValues,
} from "./document.ts";
export { jsonOf } from "./json.ts";
export { hidden } from "./lines.ts";
export {
  type ChartFile,
  type ChartReference,
  type WantedChart,
  type ChartRelease,
  type UnreadPath,
  explainTargets,
  type OverChart,
  type OverChartOf,
  type SourceStack,
  type SourceTarget,
  targetsNamed,
  valuesOfTarget,
} from "./source-target.ts";
export type { ViewOptions } from "./view.ts";
export { renderOverview } from "./overview.ts";
export type { SourceLinks } from "./page/links.ts";
export { comparisonPage, pageOf } from "./page/write.ts";
export type { FilePlaces, TextPlace } from "./places.ts";
export { isChecked, lintsAs } from "./lint/lint.ts";
export { idleValues } from "./lint/idle-values.ts";
export { verify, verifying, verifyingList } from "./verify.ts";
export {
  contentsOf,
  explainingFiles,
  type FilesCall,
  mergingFiles,
  type ReadValuesFile,
  verifyingFiles,
} from "./values-files.ts";
export { renderText } from "./view.ts";
export { mergedName, mergedTarget, valuesKind } from "./titles.ts";
export {
  clashesIn,
  type Parameter,
  parameterDocument,
  parameterOf,
  type ParameterSet,
  refusal,
} from "./parameters.ts";
export { type SetValue, typedValue } from "./set-values.ts";
