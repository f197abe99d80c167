// What `src/render/go-template/built.ts` stands for: where the engine's file lies, and the script of its thread, bundled.
// Bundles get it from esbuild, tests from vitest, by one plugin each.
import { readFileSync } from "node:fs";
import { build, type Plugin } from "esbuild";
import type { Component } from "./components.ts";

const root = new URL("../", import.meta.url).pathname;
const stand = /[\\/]src[\\/]render[\\/]go-template[\\/]built\.ts$/;

/** Committed, as those who build valuefold need no Go (gotemplate/build.ts). */
export const engine = `${root}gotemplate/gotemplate.wasm.br`;

/** What is in that file: Go, sprig and what it uses. */
export function engineComponents(): Component[] {
  return JSON.parse(readFileSync(`${root}gotemplate/components.json`, "utf8")) as Component[];
}

let made: Promise<string> | undefined;

/** Made once per process: the same sources give the same bytes. */
function workerScript(): Promise<string> {
  return (made ??= make());
}

async function make(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [`${root}src/render/go-template/worker.ts`],
    bundle: true,
    platform: "node",
    target: "node20",
    format: "iife",
    minify: true,
    write: false,
  });
  return outputFiles[0]?.text.trim() ?? "";
}

/** @param file an expression for the path of the engine's file */
async function moduleOf(file: string): Promise<string> {
  const script = JSON.stringify(await workerScript());
  return `export function engineFile() { return ${file}; }\nexport function workerScript() { return ${script}; }\n`;
}

/** An executable has its files inside: its bundler defines the name as the file's, and takes in what is required. Other bundlers see no file. */
const embedded = "VALUEFOLD_ENGINE";

/** For esbuild. @param beside where the engine's file lies, seen from the bundle */
export function goTemplate(beside: string): Plugin {
  const file = JSON.stringify(`${beside}/gotemplate.wasm.br`);
  const expression = `typeof ${embedded} === "undefined" ? require.resolve(${file}) : require(${embedded})`;
  return {
    name: "go-template",
    setup(bundler) {
      bundler.onLoad({ filter: stand }, async () => ({ contents: await moduleOf(expression), loader: "js" }));
    },
  };
}

/** For vitest. */
export const goTemplateInTests = {
  name: "go-template",
  enforce: "pre" as const,
  load: (path: string): Promise<string> | undefined =>
    stand.test(path) ? moduleOf(JSON.stringify(engine)) : undefined,
};
