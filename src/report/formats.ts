// Diagnostics for programs: JSON, and annotations of a GitHub workflow.
import { type Diagnostic, formatPosition, type Position } from "../diagnostic.ts";
import { legible, legibleText } from "./legible.ts";
import type { Account } from "./account.ts";

/** A stable form: fields are added to it, never removed or renamed. */
export function renderJson(diagnostics: readonly Diagnostic[], summary?: Account): string {
  return `${JSON.stringify({ version: 1, diagnostics, summary }, undefined, 2)}\n`;
}

const commandOf = { error: "error", warning: "warning", info: "notice" } as const;

/** Workflow commands: an annotation each, in the file where one is known. */
export function renderGithub(diagnostics: readonly Diagnostic[]): string {
  return diagnostics
    .map((each) => `::${commandOf[each.severity]} ${propertiesOf(each)}::${inData(textOf(each))}\n`)
    .join("");
}

function propertiesOf({ code, at }: Diagnostic): string {
  const { file, line, column } = filePlaceOf(at);
  return [
    ["file", file],
    ["line", line],
    ["col", column],
    ["title", code],
  ]
    .flatMap(([name, value]) => (value === undefined ? [] : `${name}=${inProperty(String(value))}`))
    .join(",");
}

function inData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function inProperty(text: string): string {
  return inData(legibleText(legible(text)))
    .replaceAll(":", "%3A")
    .replaceAll(",", "%2C");
}

/** Message, reason, places and cure in one. */
export function textOf({ message, reason = "", at, also = [], hint = "" }: Diagnostic): string {
  const places = [...(at === undefined ? [] : [at]), ...also].map(formatPosition);
  const lines = [message, reason, ...places.map((place) => `at ${place}`), hint];
  return legibleText(lines.filter((line) => line !== "").join("\n"));
}

interface FilePlace {
  readonly file: string | undefined;
  readonly line: number | undefined;
  readonly column: number | undefined;
}

/** A line is a line of its file; kpt and kustomize give a file without a line. */
export function filePlaceOf(at: Position | undefined): FilePlace {
  const { source, file } = at ?? {};
  if (at?.isFile === true) return { file: at.text, line: at.line, column: at.column };
  if (source?.file === undefined) return { file, line: undefined, column: undefined };
  return { file: source.file, line: source.line, column: source.column };
}
