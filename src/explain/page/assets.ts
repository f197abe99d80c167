// What the page needs beside its data. It is made of `client/` (scripts/page-assets.ts), and stands in for this file in
// bundles and in tests: sources that are run as they are have no page.
import type { Assets } from "./page.ts";

export function assets(): Assets {
  throw new Error("the page's script and style are made when valuefold is bundled");
}
