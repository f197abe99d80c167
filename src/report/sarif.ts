// Diagnostics as SARIF 2.1.0, for code scanning.
import type { Diagnostic, Position } from "../diagnostic.ts";
import { legible } from "./legible.ts";
import { filePlaceOf, textOf } from "./formats.ts";

/** What a rule of code scanning says about its code. */
export interface SarifRule {
  readonly shortDescription: { readonly text: string };
  readonly help: { readonly text: string; readonly markdown: string };
  readonly helpUri: string;
}

const levelOf = { error: "error", warning: "warning", info: "note" } as const;

/** @param version of the program */
export function renderSarif(
  diagnostics: readonly Diagnostic[],
  version: string,
  ruleOf: (code: Diagnostic["code"]) => SarifRule,
): string {
  const codes = [...new Set(diagnostics.map(({ code }) => code))].toSorted();
  const rules = codes.map((id) => ({ id, ...ruleOf(id) }));
  const driver = { name: "valuefold", version, rules };
  const results = diagnostics.map((each) => ({
    ruleId: each.code,
    level: levelOf[each.severity],
    message: { text: textOf(each) },
    ...(each.at === undefined ? {} : { locations: [locationOf(each.at)] }),
    ...(each.also === undefined ? {} : { relatedLocations: each.also.map(locationOf) }),
  }));
  const schema = "https://json.schemastore.org/sarif-2.1.0.json";
  return `${JSON.stringify({ $schema: schema, version: "2.1.0", runs: [{ tool: { driver }, results }] }, undefined, 2)}\n`;
}

function locationOf(at: Position): object {
  const { file, line, column } = filePlaceOf(at);
  const region = line === undefined ? {} : { region: { startLine: line, startColumn: column } };
  return {
    ...(file === undefined ? {} : { physicalLocation: { artifactLocation: { uri: file }, ...region } }),
    logicalLocations: [{ fullyQualifiedName: legible(at.text) }],
  };
}
