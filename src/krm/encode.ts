// Edits and results → the bytes that go out: untouched input ranges and new text, in order.
import type { Diagnostic } from "../diagnostic.ts";
import { doubleQuote, quote } from "../yaml/index.ts";
import { endsInComma } from "./edit.ts";
import type { Envelope } from "./envelope.ts";
import { type TextEdit, spliced } from "./splice.ts";

/** The input with its edits applied and, for a resource list, the results set. */
export function encode(
  envelope: Envelope,
  edits: readonly TextEdit[],
  diagnostics: readonly Diagnostic[],
): Uint8Array[] {
  const withResults = envelope.form === "stream" ? edits : [...edits, resultsEdit(envelope, diagnostics)];
  return spliced(envelope.bytes, withResults);
}

function resultsEdit({ bytes, results }: Envelope, diagnostics: readonly Diagnostic[]): TextEdit {
  const { start, end, flow } = results;
  if (diagnostics.length === 0) return { start, end, text: "" };
  if (flow) {
    const comma = start === end && !endsInComma(bytes, end) ? ", " : "";
    return { start, end, text: `${comma}"results": ${JSON.stringify(diagnostics.map(toResult))}` };
  }
  const glue = start === 0 || bytes[start - 1] === 0x0a ? "" : "\n";
  const lines = diagnostics.flatMap((diagnostic) => toLines(toResult(diagnostic), "- ", "  "));
  const final = end < bytes.length && bytes[end] !== 0x0a ? "\n" : bytes[end] === 0x0a ? "" : "\n";
  return { start, end, text: `${glue}results:\n${lines.join("\n")}${final}` };
}

/** KRM form of a diagnostic. `field` needs a resourceRef, which needs apiVersion, kind and name. */
function toResult(diagnostic: Diagnostic): Record<string, unknown> {
  const { code, severity, message, reason = "", hint = "", item, field, at } = diagnostic;
  const text = [message, reason, hint].filter((clause) => clause !== "").join("; ");
  const { file = at?.file, ...resourceRef } = item ?? { file: at?.file };
  const complete = item?.apiVersion !== undefined && item.name !== "";
  return {
    message: text,
    severity,
    ...(complete ? { resourceRef } : {}),
    ...(complete && field !== undefined ? { field: { path: field } } : {}),
    ...(file === undefined ? {} : { file: { path: file } }),
    tags: { code },
  };
}

function toLines(value: object, first: string, rest: string): string[] {
  return Object.entries(value).flatMap(([key, inner]: [string, unknown], index) => {
    const lead = index === 0 ? first : rest;
    if (typeof inner === "object" && inner !== null)
      return [`${lead}${key}:`, ...toLines(inner, `${rest}  `, `${rest}  `)];
    return [`${lead}${key}: ${key === "message" ? doubleQuote(String(inner)) : quote(String(inner))}`];
  });
}
