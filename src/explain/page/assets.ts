// The page's script and style. scripts/page-assets.ts makes them from `client/` and replaces this file in bundles and
// tests; sources that are run as they are have no page.
import type { Assets } from "./page.ts";

export function assets(): Assets {
  throw new Error("the page's script and style are made when valuefold is bundled");
}
