// The door of sources: what questions are asked of, found on disk.
export { entriesBelow } from "./map/entries.ts";
export { settingsFaults, settingsNotes, settled } from "./checkout-settings.ts";
export { type ConfigFlags, configuredBy, settingsIn } from "./configured.ts";
export {
  codeOf,
  forgetAnswers,
  isThereAsDirectory,
  pathFault,
  readAll,
  readNamed,
  realPathOf,
  retrying,
} from "./disk.ts";
export type { CheckoutEntry, Input } from "./entry.ts";
export {
  type Attempt,
  attemptsAt,
  explained,
  explainedEntries,
  explainedEntry,
  type ExplainOptions,
  failedBuild,
} from "./explained.ts";
export type { Question } from "./rendered/object-question.ts";
export { type FoldSettings, isOwnProgram, settingsOfFunction, settingsOfStep } from "./fold-settings.ts";
export { readInputs, readValuesFiles } from "./input.ts";
export { type KptStep, packageName, readKptfile } from "./kptfile.ts";
export { isKustomization, refusalOf } from "./kustomize/build.ts";
export { PatchTargets } from "./kustomize/patch-targets.ts";
export type { KustomizeFunction } from "./kustomize/functions.ts";
export { entriesAt, functionsIn, type Kustomization, kustomizationFile, readTree } from "./kustomize/tree.ts";
export { changedUnread, isUnmatched, lacksMore, missingIn, unbuiltIn } from "./left-out.ts";
export { hasManifests, manifestParts } from "./manifests.ts";
export { entriesAndRest, entriesNamed, entryPerWord, isEntry, readOne } from "./named.ts";
export { namesTarget } from "./named-targets.ts";
export { isFileLike, isTarget } from "./names.ts";
export { withBareTargets } from "./rendered/bare-targets.ts";
export { notBuilt, passedOver } from "./not-built.ts";
export { nearPath, pathHint } from "./path-hint.ts";
export { runProgram } from "./program.ts";
export { type Bump, bumpsBetween } from "./upgrades/bumps.ts";
export { type TargetChart, targetChartsIn, triedOn } from "./upgrades/tried.ts";
export { chartUpgrades, unaskedUpgradesMs } from "./upgrades/upgrades.ts";
export { readEntries, type CheckoutInput } from "./read-entries.ts";
export { manifestChanges, type ManifestChanges } from "./rendered/changes.ts";
export { type ChartChecks, verifiedReleases } from "./rendered/verified.ts";
export { type FixCode, type Fixes, fixesOf } from "./fixes/fixes.ts";
export { unreadEdits } from "./rendered/added-keys.ts";
export { Releases } from "./rendered/releases.ts";
export { withMovedSources } from "./rendered/moved-sources.ts";
export { type RenderEdge, renderFunction, runRender } from "./run-render.ts";
export { openOnly, repositoryOf } from "./repository.ts";
export { changedFiles } from "./revision.ts";
export { readSides } from "./compared.ts";
export { inSources } from "./source-places.ts";
export { unfollowedFaults } from "./unfollowed.ts";
export { generalHint, UsageError } from "./usage-error.ts";
export type { ChartPair, NamedChart, RenderInvocation, Tidily, Workspace } from "./workspace.ts";
export { looseMatch } from "./glob.ts";
