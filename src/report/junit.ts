// Diagnostics as JUnit XML, for CI systems that show the results of tests. An error is a failed test; a warning is a test that
// passed, with its text as output.
import type { Diagnostic } from "../diagnostic.ts";
import { filePlaceOf, textOf } from "./formats.ts";
import { legible } from "./legible.ts";

/**
 *     <testcase classname="apps/shop.yaml" name="unknown-key: shop.yaml:12">
 *       <failure message="no chart reads `replica`" type="unknown-key">…</failure>
 *     </testcase>
 */
export function renderJunit(diagnostics: readonly Diagnostic[]): string {
  const failures = diagnostics.filter(({ severity }) => severity === "error").length;
  const cases = diagnostics.length === 0 ? [passed] : diagnostics.map(caseOf);
  const suite = `name="valuefold" tests="${cases.length}" failures="${failures}"`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
  <testsuite ${suite}>
${cases.join("")}  </testsuite>
</testsuites>
`;
}

const passed = `    <testcase classname="valuefold" name="verify"/>\n`;

function caseOf(each: Diagnostic): string {
  const { code, severity, message, at } = each;
  const { file = "valuefold", line } = filePlaceOf(at);
  const place = line === undefined ? "" : `:${line}`;
  const result =
    severity === "error"
      ? `<failure message="${escaped(message)}" type="${code}">${escaped(textOf(each))}</failure>`
      : `<system-out>${escaped(textOf(each))}</system-out>`;
  return `    <testcase classname="${escaped(file)}" name="${escaped(`${code}: ${file}${place}`)}">
      ${result}
    </testcase>
`;
}

/** Control characters are not allowed in XML, however they are written. */
function escaped(text: string): string {
  const lines = text.split("\n").map((line) => legible(line));
  return lines
    .join("\n")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("\n", "&#10;");
}
