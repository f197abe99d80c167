// What other wings take of `report/`.
export { renderGithub, renderJson, renderSarif } from "./formats.ts";
export { Exit, type Outcome, refuse, reported, unreadable } from "./outcome.ts";
export { legible, type Origin, renderDiagnostics, renderNotes, Report } from "./report.ts";
export { placesIn, type SourceFile } from "./sources.ts";
