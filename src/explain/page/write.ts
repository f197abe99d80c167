// The page with everything in it.
import type { Explanation } from "../../explanation.ts";
import { assets } from "./assets.ts";
import { renderPage } from "./page.ts";

/** All of the file's text. */
export function pageOf(explanation: Explanation): string {
  return renderPage(explanation, assets());
}
