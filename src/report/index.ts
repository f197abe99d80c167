// The door of report: faults rendered, exit status and output of every ending.
export type {
  Account,
  VerifiedInput,
  FoldAccount,
  LayerAccount,
  RunEndAccount,
  TargetAccount,
} from "./account.ts";
export { renderGithub, renderJson } from "./formats.ts";
export { renderJunit } from "./junit.ts";
export { Exit, type Outcome, refuse, reported, succeed, unreadable } from "./outcome.ts";
export { type PlaceInInput, Report } from "./report.ts";
export { type SarifRule, renderSarif } from "./sarif.ts";
export { type SourceFile, located, placesIn } from "./sources.ts";
export { legible, legibleText, shortened } from "./legible.ts";
export { type TextStyle, coded, renderDiagnostics, wrapped } from "./text.ts";
