// One HTML file with data and the script that shows it: needs no network, runs only its own script, and says so by its policy.
import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";

export interface Assets {
  readonly script: string;
  readonly style: string;
}

export interface PageContent {
  readonly title: string;
  readonly data: unknown;
}

export function renderPage({ title, data }: PageContent, { script, style }: Assets): string {
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
<script type="application/gzip" id="data">${packed(data)}</script>
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

/** JSON, gzipped and in base64: none of its letters means anything to HTML. */
function packed(data: unknown): string {
  const bytes = gzipSync(Buffer.from(JSON.stringify(data), "utf8"));
  // Which system wrote it is in this byte: the page has the same bytes on all.
  bytes[9] = 255;
  return bytes.toString("base64");
}
