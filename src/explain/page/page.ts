// One HTML file with data and the script that shows it: needs no network, runs only its own script, and says so by its policy.
import { createHash } from "node:crypto";

export interface Assets {
  readonly script: string;
  readonly style: string;
}

export interface Page {
  readonly title: string;
  /** Id of the element with the data. */
  readonly id: string;
  readonly data: unknown;
}

export function renderPage({ title, id, data }: Page, { script, style }: Assets): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policyOf(script, style)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<noscript>This page shows its values by a script of its own, which this browser does not run.</noscript>
<script type="application/json" id="${id}">${inert(JSON.stringify(data))}</script>
<script>${script}</script>
</body>
</html>
`;
}

function policyOf(script: string, style: string): string {
  return [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
    `style-src '${hashOf(style)}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");
}

function hashOf(text: string): string {
  return `sha256-${createHash("sha256").update(text, "utf8").digest("base64")}`;
}

/** JSON that can neither end the element it is in nor start a comment, and is a script's text, too. */
function inert(json: string): string {
  return json.replaceAll("<", "\\u003c").replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
}
