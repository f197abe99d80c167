// The pages with everything in them. Their data is what the commands print as JSON.
import type { Comparison } from "../../comparison.ts";
import type { Explanation } from "../../explanation.ts";
import { assets } from "./assets.ts";
import { type FileLinks, fileLinks, type SourceLinks } from "./links.ts";
import { renderPage } from "./page.ts";

/** What the script of a page reads. */
export interface PageData {
  readonly shown: Explanation | Comparison;
  readonly links?: FileLinks;
}

/** All of the file's text. */
export function pageOf(explanation: Explanation, links?: SourceLinks): string {
  const data: PageData = { shown: explanation, ...(links && { links: fileLinks(explanation, links) }) };
  return renderPage({ title: "valuefold explain", data }, assets());
}

/** All of the file's text: the paths that differ, and in which builds. */
export function comparisonPage(comparison: Comparison): string {
  const data: PageData = { shown: comparison };
  return renderPage({ title: "valuefold compare", data }, assets());
}
