// The pages with everything in them.
import type { Comparison } from "../../comparison.ts";
import type { Explanation } from "../../explanation.ts";
import { assets } from "./assets.ts";
import { encode, type SourceLinks } from "./encode.ts";
import { encodeMatrix } from "./matrix/encode.ts";
import { renderPage } from "./page.ts";

/** All of the file's text. */
export function pageOf(explanation: Explanation, links?: SourceLinks): string {
  const page = { title: "valuefold explain", id: "explanation", data: encode(explanation, links) };
  return renderPage(page, assets().explain);
}

/** All of the file's text: paths as rows, builds as columns. */
export function comparisonPage(comparison: Comparison): string {
  const page = { title: "valuefold compare", id: "comparison", data: encodeMatrix(comparison) };
  return renderPage(page, assets().matrix);
}
