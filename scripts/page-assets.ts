// src/explain/page/client → what `src/explain/page/assets.ts` stands for: the script and the style of the pages, as a module. Bundles get it from
// esbuild, tests from vitest, by one plugin each.
import { build, type Plugin } from "esbuild";
import { throughDoors } from "./doors.ts";

const root = new URL("../", import.meta.url).pathname;
const stand = /[\\/]src[\\/]explain[\\/]page[\\/]assets\.ts$/;

let made: Promise<string> | undefined;

/** Made once per process: the same sources give the same bytes. */
function assetsModule(): Promise<string> {
  return (made ??= make());
}

async function make(): Promise<string> {
  const [script, style] = await Promise.all([bundle("main.ts"), bundle("page.css")]);
  return `export function assets() { return ${JSON.stringify({ script, style })}; }\n`;
}

async function bundle(entry: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [`${root}src/explain/page/client/${entry}`],
    bundle: true,
    format: "iife",
    target: "es2022",
    minify: true,
    charset: "utf8",
    legalComments: "none",
    write: false,
    plugins: [throughDoors],
  });
  const text = outputFiles[0]?.text.trim() ?? "";
  // Their hashes are in the page's policy, so nothing may be escaped when they are put there.
  if (/<\/(?:script|style)|<!--/i.test(text)) throw new Error(`${entry} would end its own element`);
  return text;
}

/** For esbuild. */
export const pageAssets: Plugin = {
  name: "page-assets",
  setup(bundler) {
    bundler.onLoad({ filter: stand }, async () => ({ contents: await assetsModule(), loader: "js" }));
  },
};

/** For vitest. */
export const pageAssetsInTests = {
  name: "page-assets",
  enforce: "pre" as const,
  load: (path: string): Promise<string> | undefined => (stand.test(path) ? assetsModule() : undefined),
};
