// What other wings take of `report/`.
export type { Account } from "./account.ts";
export { renderGithub, renderJson } from "./formats.ts";
export { Exit, type Outcome, refuse, reported, unreadable } from "./outcome.ts";
export { type Origin, Report } from "./report.ts";
export { renderSarif, type SarifRule } from "./sarif.ts";
export { placesIn, type SourceFile } from "./sources.ts";
export { coded, legible, renderDiagnostics, type TextStyle } from "./text.ts";
