// The scripts and styles of the pages. scripts/page-assets.ts makes them from `client/` and replaces this file in bundles and
// tests; sources that are run as they are have no page.
import type { Assets } from "./page.ts";

export function assets(): { readonly explain: Assets; readonly matrix: Assets } {
  throw new Error("the scripts and styles of the pages are made when valuefold is bundled");
}
