// Makes the engine: the native build for this machine, and with `--wasm` the committed files: `engine.wasm.br`, what it is made
// of (`origin.json`), and the licences of what is in it (`components.json`). Needs Go.
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { arch, platform } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { compile, compileWasm, digestOfSources, platformOf } from "./compile.ts";
import { componentsOf } from "./components.ts";
import { goVersion, home } from "./go.ts";

const sha256 = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");
const json = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`;

/** Made of these sources already. */
function isNativeCurrent(): boolean {
  const origin = join(home, "out/origin.json");
  return existsSync(origin) && readFileSync(origin, "utf8") === json({ sources: digestOfSources() });
}

function buildNative(): void {
  const os = platform();
  // kustomize's paths have the machine's separator: on others than these the wasm build runs.
  if (os !== "linux" && os !== "darwin") return;
  if (isNativeCurrent()) return;
  const sources = digestOfSources();
  compile(platformOf(os, arch()), join(home, "out/engine"));
  writeFileSync(join(home, "out/origin.json"), json({ sources }));
}

function buildWasm(): void {
  const sources = digestOfSources();
  const module = compileWasm();
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_LGWIN, BROTLI_PARAM_SIZE_HINT } = constants;
  const params = {
    [BROTLI_PARAM_QUALITY]: 11,
    [BROTLI_PARAM_LGWIN]: 24,
    [BROTLI_PARAM_SIZE_HINT]: module.length,
  };
  const packed = brotliCompressSync(module, { params });
  const origin = {
    go: goVersion(),
    sources,
    "engine.wasm": sha256(module),
    "engine.wasm.br": sha256(packed),
  };
  writeFileSync(join(home, "engine.wasm.br"), packed);
  writeFileSync(join(home, "origin.json"), json(origin));
  writeFileSync(join(home, "components.json"), json(componentsOf()));
  process.stdout.write(json(origin));
}

buildNative();
if (process.argv.includes("--wasm")) buildWasm();
