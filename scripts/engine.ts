// What `src/engine/built.ts` gives: where the engine's files are, of what they are made, and the script of their thread. Bundles get it from
// esbuild, tests from vitest, by one plugin each.
import { existsSync, readFileSync } from "node:fs";
import { build, type Plugin } from "esbuild";
import { digestOfSources } from "../engine/compile.ts";
import type { Component } from "./components.ts";

const root = new URL("../", import.meta.url).pathname;
const replaced = /[\\/]src[\\/]engine[\\/]built\.ts$/;

/** Committed, as those who build valuefold need no Go (engine/build.ts). */
export const wasmEngine = `${root}engine/engine.wasm.br`;

/** Made by `npm run engine` for this machine, where there is Go. */
export const nativeEngine = `${root}engine/out/engine`;

/** What is in them: Go, kustomize, Helm and what they use. */
export function engineComponents(): Component[] {
  return JSON.parse(readFileSync(`${root}engine/components.json`, "utf8")) as Component[];
}

let made: Promise<string> | undefined;

/** Made once per process: the same sources give the same bytes. */
function workerScript(): Promise<string> {
  return (made ??= make());
}

async function make(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [`${root}src/engine/worker.ts`],
    bundle: true,
    platform: "node",
    target: "node20",
    format: "iife",
    minify: true,
    write: false,
  });
  return outputFiles[0]?.text.trim() ?? "";
}

/**
 * @param wasm an expression for the path of the wasm build
 * @param native one for the paths where a native build may be
 * @param sources one for the digest of what all are made of
 */
async function moduleOf(
  wasm: string,
  native: string,
  sources = JSON.stringify(digestOfSources()),
): Promise<string> {
  const script = JSON.stringify(await workerScript());
  return `import { dirname, join } from "node:path";
export function wasmFile() { return ${wasm}; }
export function workerScript() { return ${script}; }
export function nativeFiles() { return ${native}; }
export function engineSources() { return ${sources}; }
`;
}

/** An executable has its files inside: its bundler defines the name as the file's, and takes in what is required. Other bundlers see no file. */
const embedded = "VALUEFOLD_ENGINE";

/** For esbuild. @param beside where the engine's files are, seen from the bundle */
export function engine(beside: string): Plugin {
  const file = JSON.stringify(`${beside}/engine.wasm.br`);
  const isExecutable = `typeof ${embedded} !== "undefined"`;
  const wasm = `${isExecutable} ? require(${embedded}) : require.resolve(${file})`;
  const native = `${isExecutable} ? [join(dirname(process.execPath), "lib/valuefold-engine")] : [join(__dirname, "engine"), ...installed()]`;
  return {
    name: "engine",
    setup(bundler) {
      bundler.onLoad({ filter: replaced }, async () => ({
        contents: `${await moduleOf(wasm, native)}${ofPlatform}`,
        loader: "js",
      }));
    },
  };
}

/** The npm package for this machine (packaging/platforms.ts): npm installs it where it fits. */
const ofPlatform = `function installed() {
  try {
    return [require.resolve("valuefold-engine-" + process.platform + "-" + process.arch + "/engine")];
  } catch {
    return [];
  }
}
`;

/** What tests may change, as if the program were made with it. */
export interface ProgramInTests {
  sources: string;
  natives: readonly string[];
}

/** For vitest: the wasm build, which all have; real tests take the native one, which is faster. */
export const engineInTests = (wanted: "wasm" | "native") => ({
  name: "engine",
  enforce: "pre" as const,
  load: async (path: string): Promise<string | undefined> => {
    if (!replaced.test(path)) return undefined;
    const isNative = wanted === "native" && existsSync(nativeEngine);
    const natives = isNative ? [nativeEngine] : [];
    const program: ProgramInTests = { sources: digestOfSources(), natives };
    const module = await moduleOf(JSON.stringify(wasmEngine), "program.natives", "program.sources");
    return `${module}export const program = ${JSON.stringify(program)};\n`;
  },
});
