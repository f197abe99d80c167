// The script and the style of the pages. scripts/page-assets.ts makes them from `client/` and replaces this file in bundles and
// tests; sources that are run as they are have no page.
import type { Assets } from "./page.ts";

export function assets(): Assets {
  throw new Error("the script and the style of the pages are made when valuefold is bundled");
}
